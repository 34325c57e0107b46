package proxy

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// storagePath is the prefix of the proxy's paths to other hosts: /_soundstage/storage/https/bucket.example.com/object.
const storagePath = "/_soundstage/storage/"

// signs has the operations whose responses have a signed URL.
var signs = map[string]bool{"createUpload": true, "createRender": true, "getRender": true}

const (
	maxRewritten = 1 << 20 // longest JSON in which URLs are replaced
	maxOrigins   = 100     // most other hosts that a service may name as its storage
)

// origins are the hosts that the service named as its storage. The proxy forwards to no other host, so that it is never an open proxy.
type origins struct {
	mu  sync.RWMutex
	all map[string]bool // "https://bucket.example.com"
}

func (o *origins) add(origin string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.all == nil {
		o.all = map[string]bool{}
	}
	if len(o.all) < maxOrigins {
		o.all[origin] = true
	}
	return o.all[origin]
}

func (o *origins) has(origin string) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.all[origin]
}

// target returns where a request goes. storage reports that it is for a signed URL.
func (p *Proxy) target(req *http.Request) (target *url.URL, storage bool, err error) {
	if rest, ok := strings.CutPrefix(req.URL.EscapedPath(), storagePath); ok {
		target, err := parseStorage(rest, req.URL.RawQuery)
		if err != nil {
			return nil, true, err
		}
		if !p.origins.has(target.Scheme + "://" + target.Host) {
			return nil, true, engine.Errorf(engine.CodeForbidden, "proxy", "The service has not named %s as its storage since the proxy started.", target.Host).
				WithHint("Get a new signed URL from the service through this proxy.")
		}
		return target, true, nil
	}
	to := *p.to
	to.Path, to.RawPath = joined(p.to, req.URL)
	to.RawQuery = req.URL.RawQuery
	to.ForceQuery = req.URL.ForceQuery
	return &to, strings.HasPrefix(req.URL.Path, "/storage/"), nil
}

// recordedPath returns the path of a request as it is recorded: without that of the service's address, which says nothing about an operation.
func recordedPath(req *http.Request, target *url.URL) string {
	if strings.HasPrefix(req.URL.EscapedPath(), storagePath) {
		return target.EscapedPath()
	}
	return req.URL.EscapedPath()
}

// joined joins the path of the service's address and the path of a request, byte for byte.
func joined(base, u *url.URL) (path, raw string) {
	if base.Path == "" {
		return u.Path, u.RawPath
	}
	return base.Path + u.Path, base.EscapedPath() + u.EscapedPath()
}

// parseStorage parses the part of a path after storagePath.
func parseStorage(rest, query string) (*url.URL, error) {
	scheme, rest, _ := strings.Cut(rest, "/")
	host, path, ok := strings.Cut(rest, "/")
	u, err := url.Parse(scheme + "://" + host + "/" + path)
	if !ok || err != nil || u.Host == "" || u.User != nil || scheme != "http" && scheme != "https" {
		return nil, engine.Errorf(engine.CodeInvalid, "proxy", "The path is not one of a signed URL.").WithHint("Use signed URLs as the proxy returns them.")
	}
	u.RawQuery = query
	return u, nil
}

// signedMember matches a member with a signed URL in JSON.
var signedMember = lazyregexp.New(`"(?:upload_url|asset_url)"\s*:\s*("(?:[^"\\]|\\.)*")`)

// replaceURLs replaces the signed URLs in the JSON of a response by ones that lead through the proxy. All other bytes stay. The recorder gets the
// original, because the body is copied while it is read here.
func (p *Proxy) replaceURLs(x *exchange, resp *http.Response) error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	coding := resp.Header.Get("Content-Encoding")
	if kind != "application/json" || coding != "" && coding != "identity" || resp.ContentLength > maxRewritten {
		return nil
	}
	head, err := io.ReadAll(io.LimitReader(resp.Body, maxRewritten+1))
	if err != nil {
		return err
	}
	if len(head) > maxRewritten { // streamed on as it is
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(head), resp.Body), resp.Body}
		return nil
	}
	body := replaceSigned(head, func(raw string) string { return p.through(x, raw) })
	resp.Body = struct {
		io.Reader
		io.Closer
	}{bytes.NewReader(body), resp.Body}
	if resp.ContentLength = int64(len(body)); resp.Header.Get("Content-Length") != "" || len(resp.TransferEncoding) == 0 {
		resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	return nil
}

// replaceSigned replaces the signed URLs in JSON.
func replaceSigned(body []byte, replace func(string) string) []byte {
	var out []byte
	at := 0
	for _, m := range signedMember.FindAllSubmatchIndex(body, -1) {
		var raw string
		if json.Unmarshal(body[m[2]:m[3]], &raw) != nil {
			continue
		}
		var quoted bytes.Buffer
		e := json.NewEncoder(&quoted)
		e.SetEscapeHTML(false)
		if e.Encode(replace(raw)) != nil {
			continue
		}
		out = append(append(out, body[at:m[2]]...), bytes.TrimSpace(quoted.Bytes())...)
		at = m[3]
	}
	return append(out, body[at:]...)
}

// through returns the URL through the proxy that leads to a signed URL. A URL that isn't http or https stays.
func (p *Proxy) through(x *exchange, raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return raw
	}
	if own, ok := p.own(u, x.public); ok {
		return own
	}
	if !p.origins.add(u.Scheme + "://" + u.Host) {
		return raw
	}
	return storageURL(x.public, u)
}

// own returns the URL through the proxy of one of the service itself.
func (p *Proxy) own(u *url.URL, public string) (string, bool) {
	path, ok := strings.CutPrefix(u.EscapedPath(), p.to.EscapedPath())
	if u.Scheme != p.to.Scheme || u.Host != p.to.Host || !ok {
		return "", false
	}
	return public + path + queryOf(u), true
}

// storageURL returns the URL at a proxy of one of another host.
func storageURL(public string, u *url.URL) string {
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	return public + storagePath + u.Scheme + "/" + u.Host + path + queryOf(u)
}

func queryOf(u *url.URL) string {
	if u.RawQuery == "" {
		return ""
	}
	return "?" + u.RawQuery
}

// relocate makes redirects of the service to itself lead to the proxy. Redirects to other hosts stay.
func (p *Proxy) relocate(x *exchange, resp *http.Response) {
	u, err := url.Parse(resp.Header.Get("Location"))
	if err != nil || !u.IsAbs() || x.target.Host != p.to.Host {
		return
	}
	if own, ok := p.own(u, x.public); ok {
		resp.Header.Set("Location", own)
	}
}
