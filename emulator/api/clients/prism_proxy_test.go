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

// prismProxy is a proxy that sends an exchange through Prism if Prism can handle it, otherwise directly to the server. It collects
// Prism's objections.
type prismProxy struct {
	prism, server *httputil.ReverseProxy

	mu         sync.Mutex
	through    int
	objections []string
}

// newPrismProxy starts a proxy to the server at url. start starts Prism in front of upstream and returns Prism's URL.
func newPrismProxy(t *testing.T, server string, start func(upstream string) string) (g *prismProxy, address string) {
	t.Helper()
	g = &prismProxy{server: reverseProxy(t, server)}
	g.server.ModifyResponse = g.checkImplemented
	behind := httptest.NewServer(http.HandlerFunc(g.serveUpstream))
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

func (g *prismProxy) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if !supportedByPrism(req) {
		g.server.ServeHTTP(w, req)
		return
	}
	g.mu.Lock()
	g.through++
	g.mu.Unlock()
	g.prism.ServeHTTP(w, req)
}

// invalidHeader is a request header that makes the upstream of Prism respond with an invalid body.
const invalidHeader = "X-Lie"

// serveUpstream is the upstream of Prism: the server, or an invalid response if the request has the header invalidHeader.
func (g *prismProxy) serveUpstream(w http.ResponseWriter, req *http.Request) {
	if req.Header.Get(invalidHeader) == "" {
		g.server.ServeHTTP(w, req)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"spaces":[{"id":7,"name":"Sandbox"}],"count":"1"}`))
}

// checkImplemented objects to a 501, which Prism would replace by an example from the contract.
func (g *prismProxy) checkImplemented(resp *http.Response) error {
	if resp.StatusCode == http.StatusNotImplemented {
		g.object("%s %s: the server does not implement this", resp.Request.Method, resp.Request.URL.RequestURI())
	}
	return nil
}

// maxBody is larger than the largest JSON body that the service accepts, in bytes.
const maxBody = 2 << 20

// supportedByPrism reports whether Prism passes an exchange through unchanged. Prism treats every body as UTF-8 text, which breaks media,
// pdf, and docx. It responds to broken JSON and HEAD itself, and it exits when a path is not UTF-8.
func supportedByPrism(req *http.Request) bool {
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

// violation is one element of Prism's header sl-violations.
type violation struct {
	Location []string `json:"location"`
	Message  string   `json:"message"`
}

// unexpectedBody is the end of Prism's message about an unexpected request body, which the server ignores.
const unexpectedBody = "but request included a non-empty body"

// collect records Prism's objections: an invalid response, a response by Prism itself, and an invalid request that the server did not
// reject.
func (g *prismProxy) collect(resp *http.Response) error {
	where := fmt.Sprintf("%s %s: status %d", resp.Request.Method, resp.Request.URL.RequestURI(), resp.StatusCode)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/problem+json") {
		g.object("%s: response by the proxy", where)
	}
	for _, header := range resp.Header.Values("Sl-Violations") {
		var violations []violation
		if err := json.Unmarshal([]byte(header), &violations); err != nil {
			g.object("%s: %s", where, header)
		}
		for _, v := range violations {
			ofRequest := len(v.Location) > 0 && v.Location[0] == "request"
			refused := resp.StatusCode >= http.StatusBadRequest
			if !ofRequest || !refused && !strings.HasSuffix(v.Message, unexpectedBody) {
				g.object("%s: %s: %s", where, strings.Join(v.Location, "."), v.Message)
			}
		}
	}
	return nil
}

func (g *prismProxy) object(format string, args ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.objections = append(g.objections, fmt.Sprintf(format, args...))
}

// takeObjections returns the number of exchanges and the objections since the last call.
func (g *prismProxy) takeObjections() (through int, objections []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	through, objections = g.through, g.objections
	g.through, g.objections = 0, nil
	return through, objections
}
