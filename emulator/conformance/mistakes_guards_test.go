package conformance_test

import "net/http"

// guardMistakes is what it can do wrong about secrets, tiers and users.
func guardMistakes() []mistake {
	return []mistake{
		{name: "no challenge", method: "GET", path: "/v1/spaces$", header: func(h http.Header) { h.Del("WWW-Authenticate") }, fails: []string{"auth.missing-401"}},
		{name: "a wrong secret is 403", method: "GET", path: "/v1/spaces$", status: [2]int{401, 403}, fails: []string{"auth.missing-401", "auth.invalid-401"}},
		{name: "no plan without a sentence", method: "GET", path: "/v1/spaces$", saying: "plan", edit: set("No.", "error"), fails: []string{"auth.no-plan"}},
		{name: "no secret is needed", method: "GET", path: "/v1/spaces$", request: func(r *http.Request) {
			if r.Header.Get("Authorization") == "" {
				r.Header.Set("Authorization", "Bearer sk_sandbox_platform")
			}
		}, fails: []string{"auth.every-endpoint", "auth.missing-401"}},
		{name: "a plan is not needed", method: "POST", path: "/v1/uploads$", request: impersonate("Bearer sk_sandbox_none", "sk_sandbox_core"), fails: []string{"tiers.uploads"}},
		{name: "no tiers", method: "POST", path: "/v1/renders$", request: impersonate("Bearer sk_sandbox_core", "sk_sandbox_platform"),
			fails: []string{"tiers.gate", "tiers.body", "tiers.renders", "errors.order"}},
		{name: "no tier in the refusal", method: "POST", path: "/v1/renders$", edit: drop("required_tier"), fails: []string{"tiers.body"}},
		{name: "a space without language", method: "GET", path: "/v1/spaces$", edit: every("spaces", drop("language")), fails: []string{"space.field.language"}},
		{name: "another user's spaces", method: "GET", path: "/v1/spaces$", request: impersonate("Bearer sk_sandbox_other", "sk_sandbox_platform"),
			fails: []string{"isolation.spaces-list"}},
		{name: "another user's recordings", method: "GET", path: "/v1/recordings/", request: impersonate("Bearer sk_sandbox_other", "sk_sandbox_platform"),
			fails: []string{"isolation.recordings", "isolation.outputs", "isolation.labels"}},
		{name: "another user's list", method: "GET", path: "/v1/recordings$", request: impersonate("Bearer sk_sandbox_other", "sk_sandbox_platform"),
			fails: []string{"isolation.lists"}},
	}
}
