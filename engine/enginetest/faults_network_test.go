package enginetest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/feed"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/podcast"
)

// unguardedFetcher is a Fetcher that uses http.DefaultClient without any safeguards. Only its Check is correct.
type unguardedFetcher struct{ guarded *fetch.Client }

func (n unguardedFetcher) Check(ctx context.Context, url string) error {
	return n.guarded.Check(ctx, url)
}

func (unguardedFetcher) Fetch(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
	if err != nil {
		return engine.FetchInfo{}, engine.Errorf(engine.CodeInvalid, "Fetch", "The URL is invalid.")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return engine.FetchInfo{}, errors.Join(ctx.Err(), engine.Errorf(engine.CodeDownload, "Fetch", "The request failed."))
	}
	defer func() { _ = res.Body.Close() }()
	n, err := io.Copy(w, res.Body)
	if err != nil {
		return engine.FetchInfo{}, engine.Errorf(engine.CodeDownload, "Fetch", "The download was interrupted.").Because(err).Transient()
	}
	if r.Progress != nil {
		r.Progress(n, -1)
		r.Progress(0, n)
	}
	return engine.FetchInfo{URL: r.URL, ContentType: res.Header.Get("Content-Type"), Size: n}, nil
}

// unguardedSender is a Sender that uses http.Client without safeguards. Only its Check is correct.
type unguardedSender struct{ guarded *fetch.Client }

func (h unguardedSender) Check(ctx context.Context, url string) error {
	return h.guarded.Check(ctx, url)
}

func (unguardedSender) Send(_ context.Context, r engine.SendRequest) (engine.SendResponse, error) {
	client := http.Client{Timeout: 300 * time.Millisecond}
	res, err := client.Post(r.URL, "text/plain", bytes.NewReader(r.Body))
	if err != nil {
		return engine.SendResponse{}, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	return engine.SendResponse{Status: res.StatusCode, Body: body}, err
}

func testUnguardedFetcher(t *testing.T) {
	enginetest.TestFetcher(t, func(_ *testing.T, private bool) engine.Fetcher {
		return unguardedFetcher{fetch.New(fetch.Config{AllowPrivate: private})}
	})
}

func testUnguardedSender(t *testing.T) {
	enginetest.TestSender(t, func(_ *testing.T, private bool) engine.Sender {
		return unguardedSender{fetch.New(fetch.Config{AllowPrivate: private})}
	})
}

// faultyReader changes the result of a FeedReader.
type faultyReader struct {
	*feed.Reader
	change func(f *podcast.Feed, err error) error
}

func (f faultyReader) ReadFeed(ctx context.Context, url string) (podcast.Feed, error) {
	got, err := f.Reader.ReadFeed(ctx, url)
	return got, f.change(&got, err)
}

func feedFault(change func(f *podcast.Feed, err error) error) suite {
	return func(t *testing.T) {
		enginetest.TestFeedReader(t, func(_ *testing.T, f engine.Fetcher) engine.FeedReader { return faultyReader{feed.New(f), change} })
	}
}

// credulousResolver is a Resolver that resolves every page, ignores its context, and returns invalid URLs and titles.
type credulousResolver struct{}

func (credulousResolver) Resolve(_ context.Context, page string) (engine.Resolved, error) {
	return engine.Resolved{URL: strings.Replace(page, "https", "file", 1), Title: "a\x00"}, nil
}

func testCredulousResolver(t *testing.T) {
	enginetest.TestResolver(t, func(*testing.T) engine.Resolver { return credulousResolver{} }, "https://www.youtube.com/watch?v=1")
}

// networkFaults maps a claim to a fault in a port that uses the network.
var networkFaults = map[string]suite{
	"a download returns its final URL, type, filename, and size":                   testUnguardedFetcher,
	"requested headers reach the server":                                           testUnguardedFetcher,
	"a file of exactly MaxSize succeeds and a larger one writes no byte beyond it": testUnguardedFetcher,
	"progress reaches the size and never decreases":                                testUnguardedFetcher,
	"a 4xx status is permanent, and 429, 5xx, and network errors are retryable":    testUnguardedFetcher,
	"a web page is not media, whatever its name or type":                           testUnguardedFetcher,
	"an interrupted download is resumed if the server supports it":                 testUnguardedFetcher,
	"a writer's error ends the download and is returned":                           testUnguardedFetcher,
	"Check and Fetch reject an invalid URL":                                        testUnguardedFetcher,
	"Check and Fetch reject a non-public address":                                  testUnguardedFetcher,
	"a download ends when its context ends, before or during it":                   testUnguardedFetcher,
	"Send posts the body unchanged with the headers":                               testUnguardedSender,
	"every status is a response, and redirects are not followed":                   testUnguardedSender,
	"the first 2 KiB of a response body are kept":                                  testUnguardedSender,
	"Retry-After is returned":                                                      testUnguardedSender,
	"no response is a retryable CodeUnavailable with a message":                    testUnguardedSender,
	"a receiver that hangs fails after the timeout":                                testUnguardedSender,
	"a non-public address is rejected":                                             testUnguardedSender,
	"a delivery ends when its context ends, before or during the wait":             testUnguardedSender,
	"a supported page resolves to a fetchable URL and a valid title":               testCredulousResolver,
	"a page of an unknown site is CodeUnsupported":                                 testCredulousResolver,
	"resolving ends when its context ends":                                         testCredulousResolver,
	"an RSS feed yields its episodes in order with their iTunes tags": feedFault(func(f *podcast.Feed, err error) error {
		for i := range f.Items {
			f.Items[i].SeasonNumber = nil
		}
		return err
	}),
	"every item has a GUID, a fetchable media URL, and valid text": feedFault(func(f *podcast.Feed, err error) error {
		for i := range f.Items {
			f.Items[i].URL = f.Items[i].URL[strings.LastIndex(f.Items[i].URL, "/")+1:]
		}
		return err
	}),
	"a document that is not a feed is CodeUnprocessable": feedFault(func(_ *podcast.Feed, err error) error {
		if engine.CodeOf(err) == engine.CodeUnprocessable {
			return nil
		}
		return err
	}),
	"a download error keeps its code": feedFault(func(_ *podcast.Feed, err error) error {
		if err != nil {
			return engine.Errorf(engine.CodeUnprocessable, "ReadFeed", "The document is not a feed.").Because(err)
		}
		return nil
	}),
}
