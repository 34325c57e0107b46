package files

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// DirectOptions configures Direct.
type DirectOptions struct {
	// URL is the address of the handler, as clients see it: "https://example.com/media". Required.
	URL string
	// Keys sign addresses, see NewSigner. The default is a random one, so that addresses end with the process.
	Keys []Key
	// Now returns the time; default time.Now.
	Now func() time.Time
	// Log gets the errors that are not the client's; default none.
	Log *slog.Logger
}

// Direct lets clients send and read blobs by signed addresses. It is the http.Handler of these addresses, to be mounted at the path of its
// URL: "/media/". It answers PUT, GET, and HEAD. Addresses that it signs for a PUT name the exact size, the content type, and, if
// known, the SHA-256. The bytes are streamed, and are visible only if all of that is right.
//
// Browsers need no CORS headers if the URL has the same origin as the page; otherwise wrap the handler.
type Direct struct {
	blobs  engine.Blobs
	base   string // of addresses, ends with "/"
	path   string // of base, ends with "/"
	signer *Signer
	now    func() time.Time
	log    *slog.Logger
}

// NewDirect returns a Direct for any Blobs. CodeInvalid for a URL or a key that can't be used.
func NewDirect(blobs engine.Blobs, o DirectOptions) (*Direct, error) {
	base, err := url.Parse(o.URL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, engine.Errorf(engine.CodeInvalid, "files.NewDirect", "%q is not a valid address of a handler.", o.URL).
			WithHint("Use an address such as https://example.com/media.").Because(err)
	}
	if len(o.Keys) == 0 {
		o.Keys = []Key{{ID: "1", Secret: []byte(rand.Text())}}
	}
	signer, err := NewSigner(o.Keys...)
	if err != nil {
		return nil, err
	}
	d := &Direct{
		blobs: blobs, base: strings.TrimSuffix(base.String(), "/") + "/", path: strings.TrimSuffix(base.Path, "/") + "/",
		signer: signer, now: o.Now, log: o.Log,
	}
	if d.now == nil {
		d.now = time.Now
	}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	return d, nil
}

// Blobs returns the blobs with the ability to sign addresses, for engine.Config. They are engine.LocalBlobs if the original ones are.
func (d *Direct) Blobs() engine.PresigningBlobs {
	signing := presigning{d.blobs, d}
	if local, ok := d.blobs.(engine.LocalBlobs); ok {
		return localPresigning{signing, local}
	}
	return signing
}

type presigning struct {
	engine.Blobs
	direct *Direct
}

type localPresigning struct {
	presigning
	engine.LocalBlobs
}

var (
	_ engine.PresigningBlobs = presigning{}
	_ engine.CopyingBlobs    = presigning{}
	_ engine.LocalBlobs      = localPresigning{}
	_ http.Handler           = (*Direct)(nil)
)

func (p presigning) PresignPut(_ context.Context, key string, put engine.BlobPut) (engine.Address, error) {
	if err := put.Check(); err != nil {
		return engine.Address{}, err
	}
	g := Grant{Method: http.MethodPut, ContentType: put.ContentType, Size: put.Size, Replaceable: put.Replaceable}
	if put.SHA256 != [32]byte{} {
		g.SHA256 = hex.EncodeToString(put.SHA256[:])
	}
	a, err := p.direct.address(key, g, put.TTL)
	a.Header = map[string]string{"Content-Type": put.ContentType}
	return a, err
}

func (p presigning) PresignGet(_ context.Context, key string, get engine.BlobGet) (engine.Address, error) {
	if err := get.Check(); err != nil {
		return engine.Address{}, err
	}
	return p.direct.address(key, Grant{Method: http.MethodGet, ContentType: get.ContentType, Filename: get.Filename}, get.TTL)
}

// Copy streams the blob, unless the blobs copy it themselves.
func (p presigning) Copy(ctx context.Context, from, to string) (engine.BlobInfo, error) {
	if copier, ok := p.Blobs.(engine.CopyingBlobs); ok {
		return copier.Copy(ctx, from, to)
	}
	if err := blob.CheckKey(to); err != nil {
		return engine.BlobInfo{}, err
	}
	return blob.Duplicate(ctx, p.Blobs, from, to)
}

// address signs a grant for a blob. Its expiry is rounded up to a second, so that it is valid for at least ttl.
func (d *Direct) address(key string, g Grant, ttl time.Duration) (engine.Address, error) {
	if err := blob.CheckKey(key); err != nil {
		return engine.Address{}, err
	}
	g.Key, g.Expires = key, d.now().Add(ttl+time.Second-1)
	return engine.Address{Method: g.Method, URL: d.base + key + "?" + d.signer.Sign(g)}, nil
}
