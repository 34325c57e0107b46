package api

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// BearerSecret returns the bearer secret in a request's Authorization header, or "".
func BearerSecret(req *http.Request) string {
	sent := req.Header["Authorization"] // not Get, because each request asks four times
	if len(sent) == 0 {
		return ""
	}
	scheme, secret, _ := strings.Cut(sent[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(secret)
}

// authenticate returns the caller (specification, "Authentication"; RFC 6750, section 2.1). CodeUnauthenticated, CodeNoPlan. The caller without
// a plan is returned, too, for the log.
func (a *api) authenticate(req *http.Request) (engine.Caller, error) {
	secret := BearerSecret(req)
	if secret == "" {
		return engine.Caller{}, engine.Errorf(engine.CodeUnauthenticated, "authenticate",
			"An API secret is required in the Authorization header.").WithRule("secret.required").
			WithHint("Send the header: Authorization: Bearer <API_SECRET>")
	}
	caller, err := a.engine.Authenticate(req.Context(), secret)
	if err != nil {
		return engine.Caller{}, err
	}
	if caller.Tier == engine.TierNone {
		return caller, engine.Errorf(engine.CodeNoPlan, "authenticate", "Your plan does not include API access.")
	}
	return caller, nil
}

// tierError holds the tiers for the body of a 403.
type tierError struct{ required, current engine.Tier }

func (e tierError) Error() string { return fmt.Sprintf("needs tier %s, has %s", e.required, e.current) }

func requireTier(c engine.Caller, tier engine.Tier) error {
	if c.Tier.Includes(tier) {
		return nil
	}
	return engine.Errorf(engine.CodeTier, "authenticate", "This operation requires the %s tier; your plan has %s.", tier, c.Tier).
		Because(tierError{required: tier, current: c.Tier})
}
