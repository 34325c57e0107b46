package conformance

func usageNow(p *probe) answer {
	audioRecording(p)
	return once(p, "usage", func(p *probe) answer { return p.get("/v1/usage").ok() }).reportTo(p)
}

var usageChecks = []check{
	{"usage.plan", all(has(usageNow, "plan_status", text), has(usageNow, "api_tier", oneOf("none", "core", "automation", "platform")))},
	{"usage.api-tier", has(usageNow, "api_tier", equal("platform"))},
	{"usage.minutes", all(has(usageNow, "usage", object), has(usageNow, "usage.unit", equal("minute")), has(usageNow, "usage.used", number), has(usageNow, "usage.limit", orNull(number)),
		has(usageNow, "usage.unlimited", boolean), has(usageNow, "usage.percentage", orNull(number)))},
	{"usage.cumulative", func(p *probe) {
		if _, ok := usageNow(p).at("usage.cumulative"); !ok {
			p.fail(usageNow(p), "usage.cumulative", "no such member")
		}
	}},
	{"usage.period", all(has(usageNow, "usage.period_start", orNull(stamp)), has(usageNow, "usage.period_end", orNull(stamp)))},
	{"usage.storage", all(has(usageNow, "storage", object), has(usageNow, "storage.used_bytes", integer), has(usageNow, "storage.soft_limit_bytes", orNull(integer)),
		has(usageNow, "storage.hard_limit_bytes", orNull(integer)), has(usageNow, "storage.unlimited", boolean), has(usageNow, "storage.percentage", orNull(number)))},
	{"usage.storage.counts", func(p *probe) {
		a := usageNow(p)
		least := float64(len(mediaFile("talk.m4a")))
		p.want(a, a.number("storage.used_bytes") >= least, "at least the bytes of the uploaded recording", a.number("storage.used_bytes"))
	}},
}
