package conformance

import "slices"

// tierOrder lists the tiers, lowest first.
var tierOrder = []role{core, automation, platform}

// requiresTier checks that an endpoint is granted to a tier and those above it, and refused to those below it.
func requiresTier(from role, method, path, body string) func(*probe) {
	return func(p *probe) {
		decided := false
		for i, tier := range tierOrder {
			if p.session.secrets[tier] == "" || p.session.secrets[tier] == p.session.secrets[platform] && tier != platform {
				continue
			}
			granted := i >= slices.Index(tierOrder, from)
			decided = decided || !granted || tier != platform
			a := p.as(tier).call(method, path, body)
			p.want(a, granted == (a.status != 403), map[bool]string{true: "granted to " + string(tier), false: "refused to " + string(tier)}[granted], show(a.status))
		}
		if p.session.secrets[noPlan] != "" {
			decided = true
			a := p.as(noPlan).call(method, path, body)
			p.want(a, a.status == 403, "refused without a plan", show(a.status))
		}
		if !decided {
			p.skip("the run has no secrets of lower tiers")
		}
	}
}

// tierRefusal returns the refusal of an endpoint of the tier platform to the tier core.
func tierRefusal(p *probe) answer {
	return once(p, "refusal of a tier", func(p *probe) answer {
		return p.as(core).post("/v1/renders", `{}`)
	}).reportTo(p)
}

const aSearch = "/v1/search?query=speech"

var tierChecks = []check{
	{"tiers.gate", func(p *probe) {
		granted := p.post("/v1/renders", `{}`)
		a := tierRefusal(p).refused()
		p.want(a, a.status != granted.status, "a status other than the one for an incomplete request", show(a.status))
	}},
	{"tiers.uploads", requiresTier(core, "POST", "/v1/uploads", `{"filename":"{name}.wav","content_type":"audio/wav","content_size":1000}`)},
	{"tiers.imports", requiresTier(core, "POST", "/v1/imports", `{"title":"no url"}`)},
	{"tiers.speakers.list", requiresTier(core, "GET", "/v1/spaces/{space}/speakers", "")},
	{"tiers.speakers.create", requiresTier(automation, "POST", "/v1/spaces/{space}/speakers", `{"email":"no name"}`)},
	{"tiers.speakers.update", requiresTier(automation, "PATCH", "/v1/speakers/{speaker}", `{"bio":"Counts."}`)},
	{"tiers.labels.list", requiresTier(core, "GET", "/v1/recordings/{recording}/speakers", "")},
	{"tiers.labels.assign", requiresTier(automation, "POST", "/v1/recordings/{recording}/speakers/assign", `{"label":"Speaker 99","speaker_id":"{speaker}"}`)},
	{"tiers.labels.unassign", requiresTier(automation, "POST", "/v1/recordings/{recording}/speakers/unassign", `{"label":"Speaker 99","speaker_id":"{speaker}"}`)},
	{"tiers.prompts.list", requiresTier(core, "GET", "/v1/prompts", "")},
	{"tiers.prompts.create", requiresTier(automation, "POST", "/v1/prompts", `{"name":"no prompt"}`)},
	{"tiers.generate", requiresTier(automation, "POST", "/v1/recordings/{recording}/generate", `{}`)},
	{"tiers.renders", requiresTier(platform, "POST", "/v1/renders", `{}`)},
	{"tiers.spaces", requiresTier(core, "GET", "/v1/spaces", "")},
	{"tiers.cumulative", func(p *probe) {
		p.as(automation).get("/v1/spaces").accepted()
		p.as(platform).post("/v1/prompts", `{}`).refused()
	}},
	{"tiers.core", all(requiresTier(core, "GET", "/v1/recordings", ""), requiresTier(core, "GET", "/v1/recordings/{recording}", ""),
		requiresTier(core, "GET", "/v1/recordings/{recording}/transcript", ""), requiresTier(core, "GET", "/v1/recordings/{recording}/outputs", ""),
		requiresTier(core, "POST", "/v1/recordings", "{}"), requiresTier(core, "POST", "/v1/transcripts", "{}"))},
	{"tiers.core.search", requiresTier(core, "GET", aSearch, "")},
	{"tiers.automation.outputs", requiresTier(automation, "GET", "/v1/outputs/{output}", "")},
	{"tiers.automation.chat", all(requiresTier(automation, "POST", "/v1/chat", "{}"), requiresTier(automation, "GET", "/v1/chat/{chat}", ""))},
	{"tiers.automation.webhooks", all(requiresTier(automation, "POST", "/v1/webhooks", "{}"), requiresTier(automation, "GET", "/v1/webhooks", ""))},
	{"tiers.platform.suggestions", requiresTier(platform, "GET", "/v1/recordings/{recording}/clip-suggestions", "")},
	{"tiers.platform.renders", requiresTier(platform, "GET", "/v1/renders/{missing}", "")},
	{"tiers.platform.usage", requiresTier(platform, "GET", "/v1/usage", "")},
	{"tiers.body", func(p *probe) {
		tierRefusal(p).want(403).is("error", filled).is("required_tier", equal("platform")).is("current_tier", equal("core"))
	}},
}
