package backends

import (
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

var (
	secretPrefix = lazyregexp.New(`^(sk|pk|rk|dg|aai|gsk|ghp|gho|hf|xai|pat|glpat|AIza|Bearer|Token|Basic)[-_ ]?[A-Za-z0-9+/=_.-]{12,}$`)
	secretHex    = lazyregexp.New(`^[0-9a-fA-F]{32,}$`)
	secretLetter = lazyregexp.New(`^[A-Za-z0-9+/=_-]{40,}$`)
	aDigit       = lazyregexp.New(`[0-9]`)
	bothCases    = lazyregexp.New(`[a-z].*[A-Z]|[A-Z].*[a-z]`)
)

// LooksSecret reports whether a text looks like a provider's key: a known prefix, at least 32 hexadecimal digits, or at
// least 40 letters of both cases with digits. It catches mistakes; it doesn't find every secret.
func LooksSecret(s string) bool {
	return secretPrefix.MatchString(s) && aDigit.MatchString(s) || secretHex.MatchString(s) ||
		secretLetter.MatchString(s) && aDigit.MatchString(s) && bothCases.MatchString(s)
}
