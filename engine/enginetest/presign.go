package enginetest

import (
	"crypto/sha256"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// presignCase is one claim about every engine.PresigningBlobs.
type presignCase struct {
	claim string
	check func(t *testing.T, b engine.PresigningBlobs)
}

// TestPresigningBlobs checks what the addresses of an implementation of engine.PresigningBlobs do, by HTTP. Each subtest calls open, which
// must return empty blobs whose addresses are served. TestBlobs checks the rest.
func TestPresigningBlobs(t *testing.T, open func(t *testing.T) engine.PresigningBlobs) {
	t.Helper()
	for _, c := range append([]presignCase{
		{"a PUT stores the bytes", putStores},
		{"an address stores bytes once", putOnce},
		{"of many concurrent PUTs, one stores its bytes", putRace},
		{"bytes of another length, another hash, or another type are refused", putOther},
		{"a PUT that ends early stores nothing", putCut},
		{"a GET returns the bytes, whole or in ranges", getRanges},
		{"a GET of a missing blob is not found", getMissing},
		{"an address can't be changed", presignTampered},
		{"an address is for one method", presignMethod},
		{"an address expires", presignExpires},
		{"what can't be signed is refused", presignInvalid},
	}, presignReplaceCases()...) {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			c.check(t, open(t))
		})
	}
}

// presignPut returns an address for a WAV file with a SHA-256.
func presignPut(t *testing.T, b engine.PresigningBlobs, key, content string) engine.Address {
	t.Helper()
	a, err := b.PresignPut(t.Context(), key, engine.BlobPut{
		Size: int64(len(content)), SHA256: sha256.Sum256([]byte(content)), ContentType: "audio/wav", TTL: time.Hour,
	})
	require.NoError(t, err)
	require.Equal(t, http.MethodPut, a.Method)
	return a
}

func presignGet(t *testing.T, b engine.PresigningBlobs, key string) engine.Address {
	t.Helper()
	a, err := b.PresignGet(t.Context(), key, engine.BlobGet{TTL: time.Hour})
	require.NoError(t, err)
	require.Equal(t, http.MethodGet, a.Method)
	return a
}

// answer is what a server answered; its status is 0 if it closed the connection.
type answer struct {
	status int
	header http.Header
	body   string
}

// sendTo sends a request of an address, with more headers in pairs of name and value.
func sendTo(t *testing.T, a engine.Address, body io.Reader, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), a.Method, a.URL, body)
	if err != nil { // it also runs in goroutines, which can't end the test
		t.Error(err)
		return answer{}
	}
	for name, value := range a.Header {
		req.Header.Set(name, value)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{}
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	return answer{resp.StatusCode, resp.Header, string(text)}
}

// requireRefused fails the test if a request was served.
func requireRefused(t *testing.T, a answer, why ...any) {
	t.Helper()
	require.True(t, a.status == 0 || a.status >= 400, "%d %v", a.status, why)
}

// presignTampered changes each part of the addresses.
func presignTampered(t *testing.T, b engine.PresigningBlobs) {
	store(t, b, "secret/a", "content")
	store(t, b, "secret/b", "other content")
	put, get := presignPut(t, b, "new/a", "content"), presignGet(t, b, "secret/a")
	for _, a := range []engine.Address{put, get} {
		signed, err := url.Parse(a.URL)
		require.NoError(t, err)
		try := func(change func(*url.URL, url.Values)) {
			u, query := *signed, signed.Query()
			change(&u, query)
			u.RawQuery = query.Encode()
			changed := engine.Address{Method: a.Method, URL: u.String(), Header: a.Header}
			requireRefused(t, sendTo(t, changed, strings.NewReader("content")), changed.URL)
		}
		for name := range signed.Query() {
			try(func(_ *url.URL, q url.Values) { q.Del(name) })
			try(func(_ *url.URL, q url.Values) { q.Set(name, "1"+q.Get(name)) })
			try(func(_ *url.URL, q url.Values) { q.Set(name, "") })
		}
		try(func(u *url.URL, _ url.Values) { u.Path = u.Path[:len(u.Path)-1] + "b" })
		try(func(u *url.URL, _ url.Values) { u.Path += "/b" })
		try(func(u *url.URL, _ url.Values) { u.Path += "/../b" })
	}
	require.Equal(t, []string{"secret/a", "secret/b"}, keysOf(t, b, ""))
	require.Equal(t, http.StatusOK, sendTo(t, put, strings.NewReader("content")).status)
}

func presignMethod(t *testing.T, b engine.PresigningBlobs) {
	store(t, b, "a", "content")
	get, put := presignGet(t, b, "a"), presignPut(t, b, "b", "content")
	for _, method := range []string{http.MethodPut, http.MethodPost, http.MethodDelete, http.MethodPatch} {
		requireRefused(t, sendTo(t, engine.Address{Method: method, URL: get.URL}, strings.NewReader("content"), "Content-Type", "audio/wav"), method)
	}
	store(t, b, "b", "content")
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete} {
		requireRefused(t, sendTo(t, engine.Address{Method: method, URL: put.URL, Header: put.Header}, nil), method)
	}
	requireBlob(t, b, "a", "content")
	requireBlob(t, b, "b", "content")
}

func presignExpires(t *testing.T, b engine.PresigningBlobs) {
	if testing.Short() {
		t.Skip("it waits for 3 s")
	}
	store(t, b, "a", "content")
	get, err := b.PresignGet(t.Context(), "a", engine.BlobGet{TTL: time.Second})
	require.NoError(t, err)
	put, err := b.PresignPut(t.Context(), "b", engine.BlobPut{Size: 7, ContentType: "audio/wav", TTL: time.Second})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, sendTo(t, get, nil).status)
	time.Sleep(3 * time.Second) // servers count in seconds
	requireRefused(t, sendTo(t, get, nil))
	requireRefused(t, sendTo(t, put, strings.NewReader("content")))
	requireNoBlob(t, b, "b")
}

func presignInvalid(t *testing.T, b engine.PresigningBlobs) {
	put := engine.BlobPut{Size: 7, ContentType: "audio/wav", TTL: time.Hour}
	get := engine.BlobGet{TTL: time.Hour}
	for _, key := range []string{"", "/a", "a//b", "../a", "a b", "a?b"} {
		_, err := b.PresignPut(t.Context(), key, put)
		requireCode(t, engine.CodeInvalid, err)
		_, err = b.PresignGet(t.Context(), key, get)
		requireCode(t, engine.CodeInvalid, err)
	}
	for _, p := range []engine.BlobPut{
		{ContentType: "audio/wav", TTL: time.Hour},
		{Size: -1, ContentType: "audio/wav", TTL: time.Hour},
		{Size: 7, TTL: time.Hour},
		{Size: 7, ContentType: "audio/wav"},
		{Size: 7, ContentType: "audio/wav", TTL: -time.Second},
		{Size: 7, ContentType: "audio/wav", TTL: 7*24*time.Hour + time.Second},
	} {
		_, err := b.PresignPut(t.Context(), "a", p)
		requireCode(t, engine.CodeInvalid, err)
	}
	for _, ttl := range []time.Duration{0, -time.Second, 7*24*time.Hour + time.Second} {
		_, err := b.PresignGet(t.Context(), "a", engine.BlobGet{TTL: ttl})
		requireCode(t, engine.CodeInvalid, err)
	}
	_, err := b.PresignGet(t.Context(), "a", engine.BlobGet{TTL: 7 * 24 * time.Hour})
	require.NoError(t, err)
}
