package control

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// Without a token, only loopback requests with a loopback host name may use the control API, but neither pages of other sites nor webhooks.
func TestGuard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		token, host, remote, origin, sent, bearer, path, webhook, agent string
		code                                                            engine.Code
	}{
		"local":           {host: "127.0.0.1:8765"},
		"localhost":       {host: "localhost:8765"},
		"IPv6":            {host: "[::1]:8765", remote: "[::1]:5000"},
		"mapped":          {host: "localhost", remote: "[::ffff:127.0.0.1]:5000"},
		"in process":      {host: "soundstage.localhost", remote: "pipe"},
		"rebound":         {host: "evil.example:8765", code: engine.CodeForbidden},
		"rebound, dotted": {host: "127.0.0.1.evil.example", code: engine.CodeForbidden},
		"remote client":   {host: "127.0.0.1", remote: "192.0.2.7:5000", code: engine.CodeForbidden},
		"foreign page":    {host: "127.0.0.1", origin: "https://evil.example", code: engine.CodeForbidden},
		"opaque page":     {host: "127.0.0.1", origin: "null", code: engine.CodeForbidden},
		"local page":      {host: "127.0.0.1", origin: "http://localhost:3000"},
		"webhook":         {host: "127.0.0.1", webhook: "msg_1", code: engine.CodeForbidden},
		"download":        {host: "127.0.0.1", agent: fetch.UserAgent, code: engine.CodeForbidden},
		"webhook, token":  {token: "t0ken", host: "127.0.0.1", sent: "t0ken", webhook: "msg_1"},
		"health":          {host: "evil.example", remote: "192.0.2.7:5000", path: "/_soundstage/health"},
		"token":           {token: "t0ken", host: "sandbox.example", remote: "192.0.2.7:5000", sent: "t0ken"},
		"bearer token":    {token: "t0ken", host: "sandbox.example", remote: "192.0.2.7:5000", bearer: "t0ken"},
		"wrong token":     {token: "t0ken", host: "127.0.0.1", sent: "token", code: engine.CodeUnauthenticated},
		"no token":        {token: "t0ken", host: "127.0.0.1", code: engine.CodeUnauthenticated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := c.path
			if path == "" {
				path = "/_soundstage/fidelity"
			}
			req := httptest.NewRequest("GET", path, nil)
			req.Host, req.RemoteAddr = c.host, c.remote
			if c.remote == "" {
				req.RemoteAddr = "127.0.0.1:5000"
			}
			for header, value := range map[string]string{
				"Origin": c.origin, "X-Soundstage-Token": c.sent, "webhook-id": c.webhook, "User-Agent": c.agent,
			} {
				if value != "" {
					req.Header.Set(header, value)
				}
			}
			if c.bearer != "" {
				req.Header.Set("Authorization", "Bearer "+c.bearer)
			}
			err := Guard{Token: c.token}.check(req)
			if c.code == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, c.code, engine.CodeOf(err))
			var e *engine.Error
			require.ErrorAs(t, err, &e)
			require.NotEmpty(t, e.Hint)
		})
	}
}
