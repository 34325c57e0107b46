package emulator_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
)

// ask sends a request with a host and an origin to the server's handler, and returns the response.
func ask(s *emulator.Server, method, path, secret, host, origin string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, path, nil)
	req.Host, req.RemoteAddr = host, "127.0.0.1:5000"
	req.Header.Set("Authorization", "Bearer "+secret)
	if origin != "" {
		req.Header.Set("Origin", origin)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, req)
	return w
}

// While the sandbox secrets are accepted, only hosts that no attacker's name server can resolve are, and those that the user allows.
func TestHostsAreChecked(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{PublicURL: "https://public.example:8443/base", AllowedHosts: []string{"Allowed.example"}, FFmpegOptional: true})
	for host, allowed := range map[string]bool{
		"127.0.0.1:8765": true, "192.0.2.7": true, "[::1]:8765": true, "[2001:db8::1]": true, "[fe80::1%25eth0]:80": true,
		"localhost": true, "LOCALHOST.:8765": true, "soundstage.localhost": true, "sandbox:8765": true, "sandbox": true,
		"public.example": true, "public.example:8443": true, "allowed.example:1": true, "ALLOWED.EXAMPLE.": true,
		"attacker.example": false, "attacker.example:8765": false, "127.0.0.1.attacker.example": false, "localhost.attacker.example": false,
		"sub.allowed.example": false, "xlocalhost.example": false, "2130706433.example": false, "::1.attacker.example": false, "0x7f.1": false,
	} {
		w := ask(s, "GET", "/v1/spaces", "sk_sandbox_core", host, "")
		if allowed {
			require.Equal(t, 200, w.Code, host)
			continue
		}
		require.Equal(t, 403, w.Code, host)
		var body map[string]string
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body), host)
		require.Len(t, body, 1)
		require.Contains(t, body["error"], "--allowed-host")
		require.Contains(t, w.Header().Get("X-Soundstage-Hint"), "--allowed-host")
	}
}

// Every path is protected, each with its own error format, except the public documents of the control API.
func TestHostsAreCheckedEverywhere(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{FFmpegOptional: true, ControlToken: "t0ken"})
	for path, status := range map[string]int{
		"POST /v1/transcripts": 403, "GET /v1/unknown": 403, "GET /openapi.yaml": 403, "PUT /storage/obj_1?sig=x": 403, "GET /storage/obj_1": 403,
		"POST /_soundstage/reset": 403, "GET /_soundstage/fidelity": 403, "GET /_soundstage/health": 200, "GET /_soundstage/openapi.yaml": 200,
	} {
		method, target, _ := strings.Cut(path, " ")
		w := ask(s, method, target, "t0ken", "attacker.example", "")
		require.Equal(t, status, w.Code, path)
		if strings.HasPrefix(target, "/storage/") {
			require.Contains(t, w.Body.String(), "<Error><Code>AccessDenied</Code>", path)
		}
		if status == 403 {
			require.Contains(t, w.Body.String(), "--allowed-host", path)
			require.Equal(t, `docs/sandbox.md, "Start": Host and Origin are checked while the sandbox secrets are accepted (sandbox only): `+
				`The host "attacker.example" is not allowed; start the server with --allowed-host to allow it.`, w.Header().Get("X-Soundstage-Reason"), path)
		}
	}
}

// Requests from pages of other sites are refused; those of the server's own pages and of this machine's are not.
func TestOriginsAreChecked(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{PublicURL: "https://public.example", AllowedHosts: []string{"allowed.example"}, FFmpegOptional: true})
	for origin, status := range map[string]int{
		"": 200, "http://192.0.2.7:8765": 200, "http://localhost:3000": 200, "http://127.0.0.1:1": 200, "http://[::1]:1": 200,
		"https://public.example": 200, "https://allowed.example": 200,
		"https://attacker.example": 403, "null": 403, "http://192.0.2.8": 403, "http://192.0.2.7:1": 403, "https://allowed.example.attacker.example": 403, "%zz": 403,
	} {
		require.Equal(t, status, ask(s, "GET", "/v1/spaces", "sk_sandbox_core", "192.0.2.7:8765", origin).Code, origin)
	}
}

// With secrets of the user's own, and on a listener that no browser reaches, every host is allowed.
func TestHostsAreNotCheckedWithOwnSecrets(t *testing.T) {
	t.Parallel()
	own := start(t, emulator.Options{Secrets: []emulator.Secret{{Value: "0123456789abcdef", Tier: engine.TierCore}}, FFmpegOptional: true})
	require.Equal(t, 200, ask(own, "GET", "/v1/spaces", "0123456789abcdef", "sandbox.example", "https://other.example").Code)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	inProcess := start(t, emulator.Options{Listener: inProcessListener{l}, FFmpegOptional: true})
	require.Equal(t, 200, ask(inProcess, "GET", "/v1/spaces", "sk_sandbox_core", "sandbox.example", "").Code)
}

// inProcessListener is a listener that is not on a network.
type inProcessListener struct{ net.Listener }

func (inProcessListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "sandbox:80" }

// Invalid names are refused at the start.
func TestAllowedHostsAreNames(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{"", "*", "*.example", "https://a.example", "a.example:80", "a.example/b", "a b"} {
		_, err := emulator.New(t.Context(), emulator.Options{AllowedHosts: []string{wrong}, FFmpegOptional: true})
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), wrong)
	}
	start(t, emulator.Options{AllowedHosts: []string{"a_b.example-1.com"}, FFmpegOptional: true})
}

// Over the network, a foreign host gets the refusal and its hint, not the response of a framing error.
func TestForeignHostOverTheNetwork(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{FFmpegOptional: true})
	for _, method := range []string{"GET", "POST"} {
		req, err := http.NewRequestWithContext(t.Context(), method, s.URL()+"/v1/spaces", strings.NewReader(""))
		require.NoError(t, err)
		req.Host = "attacker.example"
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, 403, resp.StatusCode)
		require.Contains(t, string(body), `The host \"attacker.example\" is not allowed`)
		require.Contains(t, resp.Header.Get("X-Soundstage-Hint"), "--allowed-host")
		require.NotEqual(t, "close", resp.Header.Get("Connection"))
	}
}
