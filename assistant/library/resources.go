package library

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/assistant"
	"github.com/soundstage-dev/soundstage/engine"
)

// scheme begins the addresses of transcripts: soundstage://recordings/12/transcript, and soundstage://recordings/12/transcript/40.0 for the
// page from a cursor on.
const scheme = "soundstage://recordings/"

func (t *tools) addResources(s *mcp.Server) {
	for _, template := range []mcp.ResourceTemplate{
		{Name: "transcript", Title: "Transcript", URITemplate: scheme + "{recording}/transcript", Description: "The first page of a recording's transcript, by id or number."},
		{Name: "transcript-page", Title: "Page of a transcript", URITemplate: scheme + "{recording}/transcript/{cursor}", Description: "A further page of a recording's transcript."},
	} {
		template.MIMEType = "text/plain"
		s.AddResourceTemplate(&template, t.readResource)
	}
}

func (t *tools) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	name, cursor, ok := parseURI(req.Params.URI)
	if !ok {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	page, err := use(ctx, t, Reading, func(ctx context.Context, l Open) (*transcriptOut, error) {
		rt, err := l.read(ctx, recordingName(name))
		if err != nil {
			return nil, err
		}
		return readPage(rt, transcriptIn{Limit: maxPassages, Cursor: cursor})
	})
	if engine.CodeOf(err) == engine.CodeNotFound {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	if err != nil {
		return nil, assistant.ProtocolError(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n\n", assistant.Notice, page.Recording.Title)
	for _, p := range page.Passages {
		fmt.Fprintf(&b, "[%s] %s: %s\n", p.At, p.Speaker, p.Text)
	}
	if page.NextCursor != "" {
		fmt.Fprintf(&b, "\nThe next page is %s%s/transcript/%s\n", scheme, page.Recording.ID, page.NextCursor)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/plain", Text: assistant.Visible(b.String())}}}, nil
}

// parseURI returns the recording and the cursor of an address.
func parseURI(uri string) (name, cursor string, ok bool) {
	rest, ok := strings.CutPrefix(uri, scheme)
	parts := strings.Split(rest, "/")
	if !ok || len(parts) < 2 || len(parts) > 3 || parts[1] != "transcript" {
		return "", "", false
	}
	if len(parts) == 3 {
		cursor = parts[2]
	}
	name, err := url.PathUnescape(parts[0])
	return name, cursor, err == nil && name != ""
}
