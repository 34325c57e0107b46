package node

import (
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// minControlToken is the least length of a control token: it can't be guessed then.
const minControlToken = 32

// checkControlToken returns CodeInvalid for a token that could be guessed, or that a header can't have.
func checkControlToken(token string) error {
	for _, r := range token {
		if r <= ' ' || r > '~' {
			return engine.Errorf(engine.CodeInvalid, "node.New", "A control token must not have spaces, control characters, or letters outside ASCII.").WithHint(tokenHint)
		}
	}
	if n := len(token); n > 0 && n < minControlToken {
		return engine.Errorf(engine.CodeInvalid, "node.New", "A control token must have at least %d characters (got %d).", minControlToken, n).WithHint(tokenHint)
	}
	return nil
}

const tokenHint = "Create one: (umask 077; openssl rand -hex 32 >control.token)."

// Beyond these, failures get 429 and are not logged.
const (
	failureBurst = 10
	failureEvery = 6 * time.Second
)

// tokenGuard lets requests with the token pass. Failures are limited for all clients together: behind a proxy, they have one address. The right
// token always passes, because a limit on it would let anybody lock the operators out, and a long token can't be guessed anyway.
type tokenGuard struct {
	sum [sha256.Size]byte
	log *slog.Logger

	mu   sync.Mutex
	left float64 // failures that are still allowed
	at   time.Time
	now  func() time.Time
}

func newTokenGuard(token string, log *slog.Logger) *tokenGuard {
	return &tokenGuard{sum: sha256.Sum256([]byte(token)), log: log, left: failureBurst, at: time.Now(), now: time.Now}
}

// protect returns next behind the guard.
func (g *tokenGuard) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		sent := sentToken(req)
		sum := sha256.Sum256([]byte(sent))
		if subtle.ConstantTimeCompare(sum[:], g.sum[:]) == 1 {
			next.ServeHTTP(w, req)
			return
		}
		if wait := g.failed(); wait > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
			writeOperatorError(w, engine.Errorf(engine.CodeRateLimited, "operators", "There were too many requests without the control token."))
			return
		}
		if sent != "" {
			g.log.Warn("wrong control token", "remote", req.RemoteAddr, "path", req.URL.Path)
		}
		w.Header().Set("WWW-Authenticate", `Bearer realm="soundstage"`)
		writeOperatorError(w, engine.Errorf(engine.CodeUnauthenticated, "operators", "The operators' console requires the control token.").
			WithHint("Send the content of --control-token-file in the header X-Soundstage-Token."))
	})
}

// failed counts a failure. It returns how long to wait before the next one, or 0 if this one is still allowed.
func (g *tokenGuard) failed() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	g.left = min(failureBurst, g.left+max(0, now.Sub(g.at).Seconds())/failureEvery.Seconds())
	g.at = now
	if g.left >= 1 {
		g.left--
		return 0
	}
	return time.Duration((1 - g.left) * float64(failureEvery))
}

// sentToken returns the token of a request: in X-Soundstage-Token, or else as a bearer token.
func sentToken(req *http.Request) string {
	if sent := req.Header.Get("X-Soundstage-Token"); sent != "" {
		return sent
	}
	scheme, token, ok := strings.Cut(req.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
