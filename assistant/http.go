package assistant

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler serves a server over streamable HTTP. It keeps no sessions: each request stands for itself, so nothing stays behind when a client
// disappears. The caller decides who may use it.
func Handler(s *mcp.Server, log *slog.Logger) http.Handler {
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, Logger: log, MaxRequestBodyBytes: maxMessage, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // the caller has a guard, which knows the token, too
	})
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), goneKey{}, req.Context())))
	})
}

type goneKey struct{}

// untilGone returns a context that also ends when the HTTP request of a call does. The library ends calls of older protocol versions only
// when the client says so, which it can't without a session.
func untilGone(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	request, ok := ctx.Value(goneKey{}).(context.Context)
	if !ok {
		return ctx, cancel
	}
	stop := context.AfterFunc(request, cancel)
	return ctx, func() { stop(); cancel() }
}
