package conformance_test

import "net/http"

// guardMistakes returns mistakes about secrets, tiers, and users.
func guardMistakes() []mistake {
	return []mistake{
		{name: "no WWW-Authenticate header", method: "GET", path: "/v1/spaces$", header: func(h http.Header) { h.Del("WWW-Authenticate") }, fails: []string{"auth.missing-401"}},
		{name: "a wrong secret returns 403", method: "GET", path: "/v1/spaces$", status: [2]int{401, 403}, fails: []string{"auth.missing-401", "auth.invalid-401"}},
		{name: "another message without a plan", method: "GET", path: "/v1/spaces$", bodyContains: "plan", edit: set("No.", "error"), fails: []string{"auth.no-plan"}},
		{name: "a secret is optional", method: "GET", path: "/v1/spaces$", request: func(r *http.Request) {
			if r.Header.Get("Authorization") == "" {
				r.Header.Set("Authorization", "Bearer sk_sandbox_platform")
			}
		}, fails: []string{"auth.every-endpoint", "auth.missing-401"}},
		{name: "a plan is optional", method: "POST", path: "/v1/uploads$", request: impersonate("Bearer sk_sandbox_none", "sk_sandbox_core"), fails: []string{"tiers.uploads"}},
		{name: "tiers are ignored", method: "POST", path: "/v1/renders$", request: impersonate("Bearer sk_sandbox_core", "sk_sandbox_platform"),
			fails: []string{"tiers.gate", "tiers.body", "tiers.renders", "errors.order"}},
		{name: "the refusal omits required_tier", method: "POST", path: "/v1/renders$", edit: drop("required_tier"), fails: []string{"tiers.body"}},
		{name: "a space has no language", method: "GET", path: "/v1/spaces$", edit: every("spaces", drop("language")), fails: []string{"space.field.language"}},
		{name: "spaces lists another user's", method: "GET", path: "/v1/spaces$", request: impersonate("Bearer sk_sandbox_other", "sk_sandbox_platform"),
			fails: []string{"isolation.spaces-list"}},
		{name: "another user's recordings are readable", method: "GET", path: "/v1/recordings/", request: impersonate("Bearer sk_sandbox_other", "sk_sandbox_platform"),
			fails: []string{"isolation.recordings", "isolation.outputs", "isolation.labels"}},
		{name: "recordings lists another user's", method: "GET", path: "/v1/recordings$", request: impersonate("Bearer sk_sandbox_other", "sk_sandbox_platform"),
			fails: []string{"isolation.lists"}},
	}
}
