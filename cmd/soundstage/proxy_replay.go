package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/extract"
	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/engine"
)

// discardLog drops what net/http logs about broken connections: the exchange says it.
var discardLog = log.New(io.Discard, "", 0)

// recordedFolder is a folder of recorded exchanges, read as a whole.
type recordedFolder struct {
	*record.Folder
	all []*record.Exchange
}

// readRecorded reads a folder and says if its last exchange is cut.
func readRecorded(dir string, std streams) (*recordedFolder, error) {
	f, err := record.Open(dir)
	if err != nil {
		return nil, err
	}
	all, cut, err := f.All()
	if err != nil {
		return nil, err
	}
	tellCut(std, cut, dir)
	return &recordedFolder{f, all}, nil
}

func tellCut(std streams, cut bool, dir string) {
	if cut {
		fmt.Fprintf(std.err, "soundstage: the recording of the last exchange in %s was interrupted; it is left out\n", dir)
	}
}

// sandbox starts a sandbox that has what was recorded, and returns a handler that sends requests to it. The recorded secrets are unknown, so any
// secret that isn't a sandbox's becomes that of the platform tier.
func (p *runningProxy) sandbox(ctx context.Context, recorded *recordedFolder) (http.Handler, error) {
	e := extract.New()
	for _, x := range recorded.all {
		e.Add(x)
	}
	options := emulator.Options{FFmpegOptional: true, Version: versionString(), PublicURL: p.flags.publicURL, Log: slog.New(slog.DiscardHandler)}
	switch made, err := e.Fixture(); engine.CodeOf(err) {
	case "":
		f, err := fixture.Parse(bytes.NewReader(made.YAML), p.flags.replay)
		if err != nil {
			return nil, err
		}
		options.Fixtures = []*fixture.Fixture{f}
	default:
		fmt.Fprintf(p.std.err, "soundstage: the sandbox starts without the recorded content: %s\n", engine.Message(err))
	}
	s, err := emulator.New(ctx, options)
	if err != nil {
		return nil, err
	}
	p.close = s.Close
	to, err := url.Parse(s.URL())
	if err != nil {
		return nil, err
	}
	return &httputil.ReverseProxy{ErrorLog: discardLog, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host // signed URLs lead to the address that the client knows
		if secret, ok := strings.CutPrefix(r.In.Header.Get("Authorization"), "Bearer "); ok && !strings.HasPrefix(secret, "sk_sandbox_") {
			r.Out.Header.Set("Authorization", "Bearer "+highestTier(secretsByRole(nil)))
		}
	}}, nil
}
