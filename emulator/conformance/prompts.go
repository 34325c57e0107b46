package conformance

import (
	"fmt"
	"slices"
	"time"
)

// aPrompt returns a recurring prompt. The API can't delete it.
func aPrompt(p *probe) answer {
	return once(p, "recurring prompt", func(p *probe) answer {
		return p.post("/v1/prompts", `{"name":"{name}","prompt":"Name the most important sentence.","description":"Made by a conformance run."}`).ok()
	}).reportTo(p)
}

// promptID returns the prompt's id in an answer whose body the specification doesn't define.
func promptID(a answer) string {
	if id, ok := first(a, "prompt.id", "id").(string); ok {
		return id
	}
	return a.text("prompt.id")
}

// promptList returns the space's prompts, including the one of aPrompt.
func promptList(p *probe) answer {
	aPrompt(p)
	return once(p, "list of prompts", func(p *probe) answer { return p.get("/v1/prompts").ok() }).reportTo(p)
}

// builtin returns the id of a built-in prompt.
func builtin(p *probe) string {
	a := promptList(p)
	for _, item := range a.list("prompts") {
		kind, _ := member(item, "type")
		if id, ok := member(item, "id"); ok && kind != "dynamic" && kind != nil {
			return fmt.Sprint(id)
		}
	}
	p.skip("the library has no built-in prompt")
	return ""
}

// promptHas checks a member of the created prompt in the list of prompts.
func promptHas(name string, s shape) func(*probe) {
	return func(p *probe) {
		a, id := promptList(p), promptID(aPrompt(p))
		for _, item := range a.list("prompts") {
			if v, _ := member(item, "id"); v == id {
				v, ok := member(item, name)
				p.want(a, ok && s.fits(v), name+": "+s.name, item)
				return
			}
		}
		p.skip("the created prompt is not in the library")
	}
}

// makeAfterPrompt returns the outputs of a recording created after the recurring prompt, once that prompt has run on it.
func makeAfterPrompt(p *probe) answer {
	id := promptID(aPrompt(p))
	r := p.transcribed(p.named("after-prompt")+".aac", "audio/aac", mediaFile("talk.aac"), "", "")
	deadline := time.Now().Add(p.session.config.Timeout)
	for pause := shortestPoll; ; pause = min(pause*3/2, longestPoll) {
		a := p.get("/v1/recordings/" + r.id + "/outputs").ok()
		ran := slices.ContainsFunc(a.list("outputs"), func(o any) bool {
			of, _ := member(o, "prompt_id")
			status, _ := member(o, "status")
			return of == id && status == "completed"
		})
		if ran {
			return a
		}
		if time.Now().After(deadline) {
			p.fail(a, "an output of the recurring prompt for a new recording", show(a.value))
		}
		p.pause(pause)
	}
}

var promptChecks = []check{
	{"prompts.recurring", func(p *probe) { decides(p, "output of the recurring prompt", makeAfterPrompt) }},
	{"prompts.on-demand", func(p *probe) {
		a := p.post("/v1/recordings/{recording}/generate", fmt.Sprintf(`{"prompt_id":%q}`, promptID(aPrompt(p)))).accepted()
		w := p.watch(a, "/v1/outputs/"+a.text("output_id"), "status", "completed", "failed", "canceled")
		p.want(w.last, slices.Contains(w.seen, "completed"), "a completed output", w.last.value)
	}},
	{"prompts.list.space", all(has(promptList, "space", object), has(promptList, "space.id", text), has(promptList, "space.name", text))},
	{"prompts.list.prompts", has(promptList, "prompts", arrayOf(object))},
	{"prompts.list.count", func(p *probe) {
		a := promptList(p)
		a.is("count", equal(fmt.Sprint(len(a.list("prompts")))))
	}},
	{"prompts.list.default-space", func(p *probe) { promptList(p).is("space.id", equal(p.expand("{space}"))) }},
	{"prompts.list.library", func(p *probe) {
		a := promptList(p)
		own, built := false, false
		for _, item := range a.list("prompts") {
			kind, _ := member(item, "type")
			id, _ := member(item, "id")
			own = own || id == promptID(aPrompt(p))
			built = built || kind != "dynamic" && kind != nil
		}
		p.want(a, own && built, "built-in prompts and the custom one", a.value)
	}},
	{"prompts.list.space_id", func(p *probe) {
		p.get("/v1/prompts?space_id={space}").accepted().is("space.id", equal(p.expand("{space}")))
	}},
	{"prompts.list.unknown-space", answers("GET", "/v1/prompts?space_id={missing}", "", 404)},
	{"prompt.field.id", func(p *probe) {
		a := promptList(p)
		for i := range a.list("prompts") {
			a.is(fmt.Sprintf("prompts.%d.id", i), filled)
		}
	}},
	{"prompt.field.name", promptHas("name", text)},
	{"prompt.field.type", promptHas("type", text)},
	{"prompt.field.description", promptHas("description", orNull(text))},
	{"prompt.field.prompt", promptHas("prompt", text)},
	{"prompt.field.disabled", promptHas("disabled", boolean)},
	{"prompt.type.dynamic", promptHas("type", equal("dynamic"))},
	{"prompts.create.name-required", refuses("POST", "/v1/prompts", `{"prompt":"Name it."}`)},
	{"prompts.create.prompt-required", refuses("POST", "/v1/prompts", `{"name":"{name}"}`)},
	{"prompts.create.status-201", func(p *probe) {
		aPrompt(p).want(201).is("prompt", object).is("prompt.id", filled).is("prompt.name", filled)
	}},
	{"prompts.create.missing-400", all(answers("POST", "/v1/prompts", `{"prompt":"Name it."}`, 400), answers("POST", "/v1/prompts", `{"name":"{name}"}`, 400))},
	{"prompts.builtin-types", func(p *probe) {
		a := promptList(p)
		var types []string
		for _, item := range a.list("prompts") {
			kind, _ := member(item, "type")
			types = append(types, fmt.Sprint(kind))
		}
		for _, want := range []string{"episode_overview", "quotes", "key_topics", "chapters", "social_posts"} {
			p.want(a, slices.Contains(types, want), "a built-in prompt of type "+want, types)
		}
	}},
}
