//go:build !race

package clients_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// gate leads the exchanges that Prism can carry through it, and the others past it to the server. It collects what Prism
// objects to.
type gate struct {
	prism, server *httputil.ReverseProxy

	mu         sync.Mutex
	through    int
	objections []string
}

// openGate opens a gate to the server at url; start starts Prism in front of the address that it is given, and returns Prism's.
func openGate(t *testing.T, server string, start func(upstream string) string) (g *gate, address string) {
	t.Helper()
	g = &gate{server: reverseProxy(t, server)}
	g.server.ModifyResponse = g.mocked
	behind := httptest.NewServer(http.HandlerFunc(g.answer))
	t.Cleanup(behind.Close)
	g.prism = reverseProxy(t, start(behind.URL))
	g.prism.ModifyResponse = g.collect
	g.prism.ErrorHandler = func(w http.ResponseWriter, req *http.Request, err error) {
		g.object("%s %s: the proxy failed: %v", req.Method, req.URL.Path, err)
		w.WriteHeader(http.StatusBadGateway)
	}
	front := httptest.NewServer(g)
	t.Cleanup(front.Close)
	return g, front.URL
}

func reverseProxy(t *testing.T, address string) *httputil.ReverseProxy {
	t.Helper()
	target, err := url.Parse(address)
	require.NoError(t, err)
	return httputil.NewSingleHostReverseProxy(target)
}

func (g *gate) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if !carriable(req) {
		g.server.ServeHTTP(w, req)
		return
	}
	g.mu.Lock()
	g.through++
	g.mu.Unlock()
	g.prism.ServeHTTP(w, req)
}

// lie is a header that makes what is behind Prism answer nonsense.
const lie = "X-Lie"

// answer is what is behind Prism: the server.
func (g *gate) answer(w http.ResponseWriter, req *http.Request) {
	if req.Header.Get(lie) == "" {
		g.server.ServeHTTP(w, req)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"spaces":[{"id":7,"name":"Sandbox"}],"count":"1"}`))
}

// mocked objects to a 501: Prism would hide it behind an example of the contract.
func (g *gate) mocked(resp *http.Response) error {
	if resp.StatusCode == http.StatusNotImplemented {
		g.object("%s %s: the server does not offer this", resp.Request.Method, resp.Request.URL.RequestURI())
	}
	return nil
}

// maxBody is beyond the largest JSON body that the service takes.
const maxBody = 2 << 20

// carriable reports whether Prism hands an exchange on as it is. It takes every body for UTF-8 text, which breaks media, pdf
// and docx; answers broken JSON and HEAD by itself; and ends when a path is not UTF-8.
func carriable(req *http.Request) bool {
	query, err := url.ParseQuery(req.URL.RawQuery)
	binary := slices.Contains([]string{"pdf", "docx"}, query.Get("format"))
	if err != nil || binary || req.Method == http.MethodHead || !strings.HasPrefix(req.URL.Path, "/v1/") {
		return false
	}
	if !utf8.ValidString(req.URL.Path) || !utf8.ValidString(fmt.Sprint(query)) {
		return false
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, maxBody))
	req.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), req.Body), req.Body}
	return err == nil && len(body) < maxBody && utf8.Valid(body) && (len(body) == 0 || json.Valid(body))
}

// violation is an element of Prism's header sl-violations.
type violation struct {
	Location []string `json:"location"`
	Message  string   `json:"message"`
}

// needlessBody ends a message on a request whose body nobody asked for; that one is ignored rather than refused.
const needlessBody = "but request included a non-empty body"

// collect objects to an answer that Prism objects to, to an answer of its own, and to a request that doesn't fit the contract
// and is carried out all the same.
func (g *gate) collect(resp *http.Response) error {
	where := fmt.Sprintf("%s %s answered with %d", resp.Request.Method, resp.Request.URL.RequestURI(), resp.StatusCode)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/problem+json") {
		g.object("%s by the proxy", where)
	}
	for _, header := range resp.Header.Values("Sl-Violations") {
		var violations []violation
		if err := json.Unmarshal([]byte(header), &violations); err != nil {
			g.object("%s: %s", where, header)
		}
		for _, v := range violations {
			ofRequest := len(v.Location) > 0 && v.Location[0] == "request"
			refused := resp.StatusCode >= http.StatusBadRequest
			if !ofRequest || !refused && !strings.HasSuffix(v.Message, needlessBody) {
				g.object("%s: %s: %s", where, strings.Join(v.Location, "."), v.Message)
			}
		}
	}
	return nil
}

func (g *gate) object(format string, args ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.objections = append(g.objections, fmt.Sprintf(format, args...))
}

// reap returns what was collected since the last reap, and how many exchanges it was collected from.
func (g *gate) reap() (through int, objections []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	through, objections = g.through, g.objections
	g.through, g.objections = 0, nil
	return through, objections
}
