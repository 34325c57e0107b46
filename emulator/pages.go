package emulator

import (
	"context"
	"embed"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/site"
)

// pageMedia is what is behind every page of a site in the sandbox: a film of a conversation, and its sound.
//
//go:embed pages/video.mp4 pages/audio.ogg
var pageMedia embed.FS

// pagesHost is where the sandbox has its pages' media. Names under .invalid never exist (RFC 6761), so nobody else's can be
// meant.
const pagesHost = "pages.soundstage.invalid"

// pages resolves pages of video-sharing, short-video and audio-streaming sites without a network, the same way every time: to
// media that only its own Fetch has. Everything else is the Fetcher's.
type pages struct{ engine.Fetcher }

var (
	_ engine.Resolver = pages{}
	_ engine.Fetcher  = pages{}
)

// Resolve implements engine.Resolver. The title is the site's name and the last part of the page's address.
func (pages) Resolve(ctx context.Context, page string) (engine.Resolved, error) {
	if ctx.Err() != nil {
		return engine.Resolved{}, ctx.Err()
	}
	from, ok := site.Of(page)
	u, err := url.Parse(page)
	if !ok || err != nil {
		return engine.Resolved{}, engine.Errorf(engine.CodeUnsupported, "Resolve", "The sandbox knows no such from.")
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

// Check implements engine.Fetcher. The name of a site is not looked up: its pages are public, and nothing is had from them.
func (p pages) Check(ctx context.Context, raw string) error {
	if _, ok := pageFile(raw); ok {
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
	if !ok {
		return p.Fetcher.Fetch(ctx, req, w)
	}
	b, err := pageMedia.ReadFile("pages/" + name)
	if err != nil {
		return engine.FetchInfo{}, engine.Errorf(engine.CodeDownload, "Fetch", "The sandbox has no such media.").Because(err)
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

// plain reports whether a URL has neither a port nor a user, about which a Fetcher has rules.
func plain(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Port() == "" && u.User == nil
}

// pageFile returns which file of pageMedia a URL means.
func pageFile(raw string) (string, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Host != pagesHost {
		return "", false
	}
	return strings.TrimPrefix(u.Path, "/"), true
}
