package emulator_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// uploadURL creates an upload with the given host and headers, and returns its URL.
func uploadURL(t *testing.T, base, host string, header map[string]string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/v1/uploads", strings.NewReader(anUpload))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	for k, v := range header {
		req.Header.Set(k, v)
	}
	req.Host = host
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	var up struct {
		URL string `json:"upload_url"`
	}
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&up))
	return up.URL
}

// Signed URLs begin with the requested host or with PublicURL. `X-Forwarded-*` headers are never trusted.
func TestSignedURLsUseTheRequestedHost(t *testing.T) {
	t.Parallel()
	claims := map[string]string{
		"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", "X-Forwarded-Port": "1", "X-Original-Host": "evil.example",
		"Forwarded": "host=evil.example;proto=https",
	}
	s := start(t, emulator.Options{})
	require.True(t, strings.HasPrefix(uploadURL(t, s.URL(), "", nil), s.URL()+"/storage/"))
	require.True(t, strings.HasPrefix(uploadURL(t, s.URL(), "sandbox:49153", nil), "http://sandbox:49153/storage/"))
	require.True(t, strings.HasPrefix(uploadURL(t, s.URL(), "", claims), s.URL()+"/storage/"))
	public := start(t, emulator.Options{PublicURL: "https://sandbox.example/base/"})
	require.True(t, strings.HasPrefix(uploadURL(t, public.URL(), "sandbox:49153", claims), "https://sandbox.example/base/storage/"))
	for _, wrong := range []string{
		"sandbox.example", "ftp://sandbox.example", "https://", "https://me@sandbox.example", "https://sandbox.example?a=b", "https://sandbox.example#x", "http://%zz",
	} {
		_, err := emulator.New(t.Context(), emulator.Options{PublicURL: wrong})
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), wrong)
	}
}

// An upload works through a mapped port, because its URL has that port.
func TestUploadThroughAMappedPort(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{})
	mapped, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = mapped.Close() })
	go func() {
		for {
			in, err := mapped.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
			if err != nil {
				_ = in.Close()
				continue
			}
			go func() { _, _ = io.Copy(out, in); _ = out.Close() }()
			go func() { _, _ = io.Copy(in, out); _ = in.Close() }()
		}
	}()
	base := "http://" + mapped.Addr().String()
	url := uploadURL(t, base, "", nil)
	require.True(t, strings.HasPrefix(url, base+"/storage/"), url)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, strings.NewReader("12345"))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "audio/wav")
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 200, resp.StatusCode)
}

// Both OpenAPI documents name the address that was asked: the requested host if it is allowed, else PublicURL or the default address. Their
// examples have it too, and they stay valid.
func TestDocumentsNameTheRequestedHost(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it reads long documents")
	claims := map[string]string{"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", "Forwarded": "host=evil.example;proto=https"}
	s := start(t, emulator.Options{})
	public := start(t, emulator.Options{PublicURL: "https://sandbox.example/base/"})
	const v1, controlAPI, usual = "/openapi.yaml", "/_soundstage/openapi.yaml", "http://127.0.0.1:8765"
	for _, path := range []string{v1, controlAPI} {
		requireServer(t, s.URL(), path, "", claims, s.URL())
		requireServer(t, s.URL(), path, "sandbox:49153", nil, "http://sandbox:49153")
		requireServer(t, s.URL(), path, "[::1]:80", nil, "http://[::1]:80")
		requireServer(t, public.URL(), path, "sandbox:49153", claims, "https://sandbox.example/base")
	}
	// the document of the control API is public, but it doesn't name a host that the server refuses
	requireServer(t, s.URL(), controlAPI, "evil.example", nil, usual)
	code, _ := getFrom(t, s.URL()+v1, "evil.example", nil)
	require.Equal(t, http.StatusForbidden, code)
	for _, odd := range []string{"a'b", "a,b", "a&b"} { // net/http lets them pass
		requireServer(t, s.URL(), v1, odd, nil, "http://"+odd)
	}
}

func requireServer(t *testing.T, base, path, host string, header map[string]string, want string) {
	t.Helper()
	code, document := getFrom(t, base+path, host, header)
	require.Equal(t, http.StatusOK, code)
	doc, err := openapi3.NewLoader().LoadFromData(document)
	require.NoError(t, err)
	require.NoError(t, doc.Validate(t.Context()))
	require.Len(t, doc.Servers, 1)
	require.Equal(t, want, doc.Servers[0].URL, "%s of %s", path, host)
	if upload := doc.Paths.Value("/v1/uploads"); upload != nil {
		example, ok := upload.Post.Responses.Value("201").Value.Content["application/json"].Example.(map[string]any)
		require.True(t, ok)
		require.True(t, strings.HasPrefix(example["upload_url"].(string), want+"/storage/"), "%v", example)
	}
}

// getFrom sends a GET with the given host and headers, and returns the status and the body.
func getFrom(t *testing.T, url, host string, header map[string]string) (code int, body []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	req.Host = host
	for k, v := range header {
		req.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err = io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, body
}
