//go:build !race

package conformance_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// exchange is a request and its response.
type exchange struct {
	of   string // as in the second column of a slip
	resp *http.Response
	body []byte
}

// watcher is a transport that keeps the exchanges that pass through it.
type watcher struct {
	through http.RoundTripper
	nonce   string // of the run

	mu  sync.Mutex
	all []exchange
}

// RoundTrip forwards a request and keeps a copy of the response.
func (w *watcher) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.through.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(b))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, exchange{of: fmt.Sprintf("%s %s %d", req.Method, w.general(req.URL), resp.StatusCode), resp: resp, body: b})
	return resp, nil
}

// anyID matches the beginning of a UUID, with and without hyphens.
var anyID = regexp.MustCompile(`[0-9a-f]{8}-?[0-9a-f]{4}-?`)

// general returns the path of a URL, with * for segments that differ from run to run, and the parameters that don't.
func (w *watcher) general(u *url.URL) string {
	differs := func(s string) bool { return anyID.MatchString(s) || strings.Contains(s, w.nonce) }
	segments := strings.Split(u.Path, "/")
	for i, s := range segments {
		if differs(s) {
			segments[i] = "*"
		}
	}
	path, q := strings.Join(segments, "/"), u.Query()
	for name := range q {
		if differs(q.Get(name)) || strings.Contains(q.Get(name), " ") || segments[1] != "v1" {
			q.Del(name)
		}
	}
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return path
}

// rated is a mistake and how well it seems to fit.
type rated struct {
	slip
	score int
}

// slipsFor returns mistakes that a check may notice, those first that seem to break its statement: in the check's own and last
// request, in a member that the check is named after.
func slipsFor(check string, traffic []exchange) (sorted []slip) {
	var all []rated
	words := strings.FieldsFunc(check, func(r rune) bool { return strings.ContainsRune(".-", r) })
	for i, x := range slices.Backward(traffic) {
		for _, r := range x.slips() {
			r.check = check
			for _, w := range words {
				if strings.Contains(r.does, w) {
					r.score += 3
				}
			}
			if strings.Contains(x.resp.Request.UserAgent(), "("+check+")") {
				r.score += 10
				if i == len(traffic)-1 {
					r.score += 8
				}
			}
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b rated) int { return cmp.Compare(b.score, a.score) })
	for _, r := range all {
		if !slices.Contains(sorted, r.slip) {
			sorted = append(sorted, r.slip)
		}
	}
	return sorted
}
