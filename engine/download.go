package engine

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/site"
)

// downloaded is the result of a download.
type downloaded struct {
	FetchInfo
	Title string   // of the page; "" when it has none, or when the URL is not a page
	Blob  BlobInfo // the stored bytes
}

// download stores the media of a URL in a new blob: the bytes of a file, or the media that the Resolver finds on a site's page. After an
// error there is no blob. Errors: CodeInvalid, CodeNotPublic, CodeDownload, CodeTooLarge, CodeUnsupported (a page that can't be read).
func (e *Engine) download(ctx context.Context, key string, req FetchRequest) (downloaded, error) {
	if err := e.checkURL(ctx, req.URL); err != nil {
		return downloaded{}, err
	}
	media, err := e.resolve(ctx, req.URL)
	if err != nil {
		return downloaded{}, err
	}
	req.URL, req.Header = media.URL, media.Header
	blob, err := e.blobs.Create(ctx, key, BlobMeta{MaxSize: req.MaxSize})
	if err != nil {
		return downloaded{}, err
	}
	defer func() { _ = blob.Abort() }()
	info, err := e.fetcher.Fetch(ctx, req, blob)
	if err != nil {
		return downloaded{}, err
	}
	stored, err := blob.Commit()
	return downloaded{FetchInfo: info, Title: media.Title, Blob: stored}, err
}

// checkURL returns an error for a URL that may not be downloaded.
func (e *Engine) checkURL(ctx context.Context, raw string) error {
	if !input.UsableURL(raw) {
		return Errorf(CodeInvalid, "", input.BadURL).WithRule("url.invalid")
	}
	return publicOnly(e.fetcher.Check(ctx, raw))
}

// resolve returns the media of a URL: the URL itself, unless it is a page of a known site.
func (e *Engine) resolve(ctx context.Context, raw string) (Resolved, error) {
	page, ok := site.Of(raw)
	if !ok {
		return Resolved{URL: raw}, nil
	}
	unread := Errorf(CodeUnsupported, "Resolve",
		"The url is a %s page (%s), which this server can't read: give the url of the media file itself, or upload the file.", page.Kind, page.Name)
	if page.Protected && e.resolver == nil {
		return Resolved{}, Errorf(CodeDownload, "Resolve",
			"The url is a page of %s, whose media is protected and can't be downloaded: upload the file instead.", page.Name)
	}
	if e.resolver == nil {
		return Resolved{}, unread
	}
	media, err := e.resolver.Resolve(ctx, raw)
	if CodeOf(err) == CodeUnsupported {
		return Resolved{}, unread.Because(err)
	}
	return media, err
}

// publicOnly replaces the message of every CodeNotPublic, so that refusals don't reveal why an address is not public.
func publicOnly(err error) error {
	if CodeOf(err) == CodeNotPublic {
		return Errorf(CodeNotPublic, "", "url must resolve to a public address").Because(err)
	}
	return err
}
