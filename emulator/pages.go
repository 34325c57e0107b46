package emulator

import (
	"context"
	"embed"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/site"
)

// pageMedia contains the media of every page in the sandbox: a video of a conversation, and its audio.
//
//go:embed pages/video.mp4 pages/audio.ogg
var pageMedia embed.FS

// pagesHost is the host of the sandbox's own media. Names under .invalid never exist (RFC 6761), so no real host is reached by
// mistake.
const pagesHost = "pages.soundstage.invalid"

// pages resolves pages of video-sharing, short-video, and audio-streaming sites, and fetches links of cloud drives, without a network:
// all lead to the sandbox's own media. It passes other URLs to its Fetcher.
type pages struct {
	engine.Fetcher
	live bool // links of cloud drives are fetched from the drives
}

var (
	_ engine.Resolver = pages{}
	_ engine.Fetcher  = pages{}
)

// Resolve implements engine.Resolver. The title is the site's name followed by the last part of the page's URL.
func (pages) Resolve(ctx context.Context, page string) (engine.Resolved, error) {
	if ctx.Err() != nil {
		return engine.Resolved{}, ctx.Err()
	}
	from, ok := site.Of(page)
	u, err := url.Parse(page)
	if !ok || err != nil {
		return engine.Resolved{}, engine.Errorf(engine.CodeUnsupported, "Resolve", "The sandbox doesn't support this site.")
	}
	name := "video.mp4"
	if from.Kind == site.Audio {
		name = "audio.ogg"
	}
	id := u.Query().Get("v")
	if id == "" {
		id = path.Base(u.Path)
	}
	return engine.Resolved{URL: "https://" + pagesHost + "/" + name, Title: strings.TrimSpace(from.Name + " " + strings.Trim(id, "/."))}, nil
}

// Check implements engine.Fetcher. It doesn't look up a site's host name, because nothing is fetched from the site.
func (p pages) Check(ctx context.Context, raw string) error {
	if _, ok := pageFile(raw); ok {
		return nil
	}
	if p.drive(raw) && plain(raw) {
		return nil
	}
	if _, ok := site.Of(raw); ok && plain(raw) {
		return nil
	}
	return p.Fetcher.Check(ctx, raw)
}

// Fetch implements engine.Fetcher.
func (p pages) Fetch(ctx context.Context, req engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	name, ok := pageFile(req.URL)
	if !ok && p.drive(req.URL) {
		name, ok = "video.mp4", true
	}
	if !ok {
		return p.Fetcher.Fetch(ctx, req, w)
	}
	b, err := pageMedia.ReadFile("pages/" + name)
	if err != nil {
		return engine.FetchInfo{}, engine.Errorf(engine.CodeDownload, "Fetch", "The sandbox has no such media file.").Because(err)
	}
	if ctx.Err() != nil {
		return engine.FetchInfo{}, ctx.Err()
	}
	if req.MaxSize > 0 && int64(len(b)) > req.MaxSize {
		return engine.FetchInfo{}, engine.Errorf(engine.CodeTooLarge, "Fetch", "The file is larger than %d bytes.", req.MaxSize)
	}
	n, err := w.Write(b)
	if err == nil && req.Progress != nil {
		req.Progress(int64(n), int64(n))
	}
	return engine.FetchInfo{URL: req.URL, Filename: name, Size: int64(n)}, err
}

// drive reports whether a URL is a link of a cloud drive that leads to the sandbox's own media.
func (p pages) drive(raw string) bool {
	_, provider := fetch.DirectLink(raw)
	return provider != "" && !p.live
}

// plain reports whether a URL has neither a port nor user information, which a Fetcher may reject.
func plain(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Port() == "" && u.User == nil
}

// pageFile returns the name of the pageMedia file that a URL refers to.
func pageFile(raw string) (string, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Host != pagesHost {
		return "", false
	}
	return strings.TrimPrefix(u.Path, "/"), true
}
