package api

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// refuseSecret calls Config.Refuse with the secret of a request. For CodeRateLimited it also sets the rate-limit headers.
func (a *api) refuseSecret(w http.ResponseWriter, req *http.Request) error {
	_, secret, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	err := a.refuse("*", strings.TrimSpace(secret))
	if engine.CodeOf(err) == engine.CodeRateLimited {
		h := w.Header()
		h.Set("X-RateLimit-Limit", "1")
		h.Set("X-RateLimit-Remaining", "0")
		h.Set("X-RateLimit-Reset", strconv.FormatInt(a.engine.Now().Unix()+1, 10))
		h.Set("Retry-After", "1")
	}
	return err
}
