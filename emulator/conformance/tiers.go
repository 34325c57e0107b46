package conformance

import "slices"

// tierOrder are the tiers, the lowest first.
var tierOrder = []role{core, automation, platform}

// gated checks that an endpoint is granted from a tier on and refused below it.
func gated(from role, method, path, body string) func(*probe) {
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
			p.skip("no secrets of lower tiers were given")
		}
	}
}

// lowTier is the refusal of an endpoint of the tier platform to the tier core.
func lowTier(p *probe) answer {
	return once(p, "refusal of a tier", func(p *probe) answer {
		return p.as(core).post("/v1/renders", `{}`)
	}).on(p)
}

const aSearch = "/v1/search?query=speech"

var tierChecks = []check{
	{"tiers.gate", func(p *probe) {
		granted := p.post("/v1/renders", `{}`)
		a := lowTier(p).refused()
		p.want(a, a.status != granted.status, "another refusal than the one for what is missing in the request", show(a.status))
	}},
	{"tiers.uploads", gated(core, "POST", "/v1/uploads", `{"filename":"{name}.wav","content_type":"audio/wav","content_size":1000}`)},
	{"tiers.imports", gated(core, "POST", "/v1/imports", `{"title":"no url"}`)},
	{"tiers.speakers.list", gated(core, "GET", "/v1/spaces/{space}/speakers", "")},
	{"tiers.speakers.create", gated(automation, "POST", "/v1/spaces/{space}/speakers", `{"email":"no name"}`)},
	{"tiers.speakers.update", gated(automation, "PATCH", "/v1/speakers/{speaker}", `{"bio":"Counts."}`)},
	{"tiers.labels.list", gated(core, "GET", "/v1/recordings/{recording}/speakers", "")},
	{"tiers.labels.assign", gated(automation, "POST", "/v1/recordings/{recording}/speakers/assign", `{"label":"Speaker 99","speaker_id":"{speaker}"}`)},
	{"tiers.labels.unassign", gated(automation, "POST", "/v1/recordings/{recording}/speakers/unassign", `{"label":"Speaker 99","speaker_id":"{speaker}"}`)},
	{"tiers.prompts.list", gated(core, "GET", "/v1/prompts", "")},
	{"tiers.prompts.create", gated(automation, "POST", "/v1/prompts", `{"name":"no prompt"}`)},
	{"tiers.generate", gated(automation, "POST", "/v1/recordings/{recording}/generate", `{}`)},
	{"tiers.renders", gated(platform, "POST", "/v1/renders", `{}`)},
	{"tiers.spaces", gated(core, "GET", "/v1/spaces", "")},
	{"tiers.cumulative", func(p *probe) {
		p.as(automation).get("/v1/spaces").accepted()
		p.as(platform).post("/v1/prompts", `{}`).refused()
	}},
	{"tiers.core", all(gated(core, "GET", "/v1/recordings", ""), gated(core, "GET", "/v1/recordings/{recording}", ""),
		gated(core, "GET", "/v1/recordings/{recording}/transcript", ""), gated(core, "GET", "/v1/recordings/{recording}/outputs", ""),
		gated(core, "POST", "/v1/recordings", "{}"), gated(core, "POST", "/v1/transcripts", "{}"))},
	{"tiers.core.search", gated(core, "GET", aSearch, "")},
	{"tiers.automation.outputs", gated(automation, "GET", "/v1/outputs/{output}", "")},
	{"tiers.automation.chat", all(gated(automation, "POST", "/v1/chat", "{}"), gated(automation, "GET", "/v1/chat/{chat}", ""))},
	{"tiers.automation.webhooks", all(gated(automation, "POST", "/v1/webhooks", "{}"), gated(automation, "GET", "/v1/webhooks", ""))},
	{"tiers.platform.suggestions", gated(platform, "GET", "/v1/recordings/{recording}/clip-suggestions", "")},
	{"tiers.platform.renders", gated(platform, "GET", "/v1/renders/{missing}", "")},
	{"tiers.platform.usage", gated(platform, "GET", "/v1/usage", "")},
	{"tiers.body", func(p *probe) {
		lowTier(p).want(403).is("error", filled).is("required_tier", equal("platform")).is("current_tier", equal("core"))
	}},
}
