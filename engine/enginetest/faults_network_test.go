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
)

// naive is a Fetcher as it is written in a hurry: net/http's client and nothing else, but for its Check, which is right.
type naive struct{ guarded *fetch.Client }

func (n naive) Check(ctx context.Context, url string) error { return n.guarded.Check(ctx, url) }

func (naive) Fetch(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
	if err != nil {
		return engine.FetchInfo{}, engine.Errorf(engine.CodeInvalid, "Fetch", "url is none.")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return engine.FetchInfo{}, errors.Join(ctx.Err(), engine.Errorf(engine.CodeDownload, "Fetch", "It failed."))
	}
	defer func() { _ = res.Body.Close() }()
	n, err := io.Copy(w, res.Body)
	if err != nil {
		return engine.FetchInfo{}, engine.Errorf(engine.CodeDownload, "Fetch", "It broke off.").Because(err).Transient()
	}
	if r.Progress != nil {
		r.Progress(n, -1)
		r.Progress(0, n)
	}
	return engine.FetchInfo{URL: r.URL, ContentType: res.Header.Get("Content-Type"), Size: n}, nil
}

// hurried is a Sender that is written in the same way.
type hurried struct{ guarded *fetch.Client }

func (h hurried) Check(ctx context.Context, url string) error { return h.guarded.Check(ctx, url) }

func (hurried) Send(_ context.Context, r engine.SendRequest) (engine.SendResponse, error) {
	client := http.Client{Timeout: 300 * time.Millisecond}
	res, err := client.Post(r.URL, "text/plain", bytes.NewReader(r.Body))
	if err != nil {
		return engine.SendResponse{}, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	return engine.SendResponse{Status: res.StatusCode, Body: body}, err
}

func naiveFetcher(t *testing.T) {
	enginetest.TestFetcher(t, func(_ *testing.T, private bool) engine.Fetcher {
		return naive{fetch.New(fetch.Config{AllowPrivate: private})}
	})
}

func hurriedSender(t *testing.T) {
	enginetest.TestSender(t, func(_ *testing.T, private bool) engine.Sender {
		return hurried{fetch.New(fetch.Config{AllowPrivate: private})}
	})
}

// faultyReader changes what a FeedReader reads.
type faultyReader struct {
	*feed.Reader
	change func(f *engine.Feed, err error) error
}

func (f faultyReader) ReadFeed(ctx context.Context, url string) (engine.Feed, error) {
	got, err := f.Reader.ReadFeed(ctx, url)
	return got, f.change(&got, err)
}

func feedFault(change func(f *engine.Feed, err error) error) suite {
	return func(t *testing.T) {
		enginetest.TestFeedReader(t, func(_ *testing.T, f engine.Fetcher) engine.FeedReader { return faultyReader{feed.New(f), change} })
	}
}

// greedy is a Resolver that knows every page and never gives up.
type greedy struct{}

func (greedy) Resolve(_ context.Context, page string) (engine.Resolved, error) {
	return engine.Resolved{URL: strings.Replace(page, "https", "file", 1), Title: "a\x00"}, nil
}

func greedyResolver(t *testing.T) {
	enginetest.TestResolver(t, func(*testing.T) engine.Resolver { return greedy{} }, "https://www.youtube.com/watch?v=1")
}

// networkFaults is what can be wrong with what reaches other machines.
var networkFaults = map[string]suite{
	"a download says where it came from, what it is and how it is called":                 naiveFetcher,
	"the headers that were asked for reach the server":                                    naiveFetcher,
	"a file of exactly the limit comes through, and of a larger one not a byte beyond it": naiveFetcher,
	"a download progresses to its size and never falls back":                              naiveFetcher,
	"what isn't there can't be had, and what fails may be had later":                      naiveFetcher,
	"a web page is no media, whatever it is called":                                       naiveFetcher,
	"a download that breaks off is resumed where the server lets it":                      naiveFetcher,
	"an error of the writer comes back and ends the download":                             naiveFetcher,
	"an address that is none is invalid, for a check and for a download":                  naiveFetcher,
	"an address that is not public is refused, for a check and for a download":            naiveFetcher,
	"a download whose context is over ends, before and in the middle":                     naiveFetcher,
	"the body is posted as it is, with the headers":                                       hurriedSender,
	"every status is an answer, and redirects are not followed":                           hurriedSender,
	"of an answer's body the first 2 KiB are kept":                                        hurriedSender,
	"how long a receiver asks to wait is told":                                            hurriedSender,
	"a receiver that gives no answer is an error that says why and may be tried again":    hurriedSender,
	"a receiver that hangs is given up after the timeout":                                 hurriedSender,
	"an address that is not public is not sent to":                                        hurriedSender,
	"a delivery whose context is over ends, before and while it waits":                    hurriedSender,
	"behind a page there is media that can be fetched, with a title that can be shown":    greedyResolver,
	"a page of no site that is known is unsupported":                                      greedyResolver,
	"resolving ends when its context is over":                                             greedyResolver,
	"an RSS feed gives its episodes in its order, with what iTunes tags say of them": feedFault(func(f *engine.Feed, err error) error {
		for i := range f.Items {
			f.Items[i].SeasonNumber = nil
		}
		return err
	}),
	"every item has a GUID, media that can be fetched, and texts that can be shown": feedFault(func(f *engine.Feed, err error) error {
		for i := range f.Items {
			f.Items[i].URL = f.Items[i].URL[strings.LastIndex(f.Items[i].URL, "/")+1:]
		}
		return err
	}),
	"what is no feed is unprocessable": feedFault(func(_ *engine.Feed, err error) error {
		if engine.CodeOf(err) == engine.CodeUnprocessable {
			return nil
		}
		return err
	}),
	"an error of the download comes back with its code": feedFault(func(_ *engine.Feed, err error) error {
		if err != nil {
			return engine.Errorf(engine.CodeUnprocessable, "ReadFeed", "It is no feed.").Because(err)
		}
		return nil
	}),
}
