package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// aSpeaker returns a speaker created with every field.
func aSpeaker(p *probe) answer { return once(p, "speaker", makeSpeaker).reportTo(p) }

func makeSpeaker(p *probe) answer {
	return p.post("/v1/spaces/{space}/speakers", `{"name":"{name} Ada","email":"ada@example.com","bio":"Counts.","pronouns":"she/her","role":"Host","emoji":"🎙"}`).ok()
}

// speakerList returns the space's speakers, including the one of aSpeaker.
func speakerList(p *probe) answer {
	aSpeaker(p)
	return once(p, "list of speakers", func(p *probe) answer { return p.get("/v1/spaces/{space}/speakers").ok() }).reportTo(p)
}

// changedSpeaker returns another speaker after an update of every field.
func changedSpeaker(p *probe) answer {
	return once(p, "changed speaker", func(p *probe) answer {
		a := p.post("/v1/spaces/{space}/speakers", `{"name":"{name} before"}`).ok()
		return p.patch("/v1/speakers/"+speakerID(a), `{"name":"{name} after","email":"b@example.com","bio":"Writes.","pronouns":"they/them","emoji":"✒"}`).ok()
	}).reportTo(p)
}

// speakerID returns the speaker's id in an answer whose body the specification doesn't define.
func speakerID(a answer) string {
	if id, ok := first(a, "speaker.id", "id").(string); ok {
		return id
	}
	return a.text("speaker.id")
}

// listed returns the created speaker as it appears in the list.
func listed(p *probe) (answer, any) {
	a, id := speakerList(p), speakerID(aSpeaker(p))
	for _, s := range a.list("speakers") {
		if v, _ := member(s, "id"); v == id {
			return a, s
		}
	}
	p.fail(a, "the speaker in the list of its space", "not in the list")
	return a, nil
}

// speakerHas checks a member of the listed speaker.
func speakerHas(name string, s shape) func(*probe) {
	return func(p *probe) {
		a, speaker := listed(p)
		v, ok := member(speaker, name)
		p.want(a, ok && s.fits(v), name+": "+s.name, speaker)
	}
}

var speakerChecks = []check{
	{"speakers.list.speaker", func(p *probe) { listed(p) }},
	{"speakers.list.space", all(has(speakerList, "space", object), has(speakerList, "space.id", text), has(speakerList, "space.name", text))},
	{"speakers.list.speakers", has(speakerList, "speakers", arrayOf(object))},
	{"speakers.list.count", func(p *probe) {
		a := speakerList(p)
		a.is("count", equal(fmt.Sprint(len(a.list("speakers")))))
	}},
	{"speakers.list.without-emoji", func(p *probe) {
		a := speakerList(p)
		for _, s := range a.list("speakers") {
			p.want(a, !slices.Contains(keys(s), "emoji"), "no emoji", s)
		}
	}},
	{"speakers.list.unknown-space", answers("GET", "/v1/spaces/{missing}/speakers", "", 404)},
	{"speaker.field.id", speakerHas("id", text)},
	{"speaker.field.name", speakerHas("name", text)},
	{"speaker.field.email", speakerHas("email", orNull(text))},
	{"speaker.field.bio", speakerHas("bio", orNull(text))},
	{"speaker.field.pronouns", speakerHas("pronouns", orNull(text))},
	{"speaker.field.role", speakerHas("role", orNull(text))},
	{"speaker.field.ai_summary", speakerHas("ai_summary", orNull(text))},
	{"speaker.field.emoji", func(p *probe) {
		p.post("/v1/spaces/{space}/speakers", `{"name":"{name} emoji","emoji":"🎧"}`).accepted()
	}},
	{"speakers.create", func(p *probe) {
		aSpeaker(p).accepted()
		_, s := listed(p)
		name, _ := member(s, "name")
		p.want(speakerList(p), name == p.expand("{name} Ada"), p.expand("{name} Ada"), name)
	}},
	{"speakers.create.name-required", refuses("POST", "/v1/spaces/{space}/speakers", `{"email":"nobody@example.com"}`)},
	{"speakers.create.role", speakerHas("role", equal("Host"))},
	{"speakers.create.status-201", func(p *probe) { aSpeaker(p).want(201).is("speaker", object).is("speaker.id", filled) }},
	{"speakers.create.unknown-role", answers("POST", "/v1/spaces/{space}/speakers", `{"name":"{name} role","role":"No Such Role"}`, 400)},
	{"speakers.create.roles", func(p *probe) {
		for _, role := range []string{"Host", "Guest", "Producer", "Panelist"} {
			p.post("/v1/spaces/{space}/speakers", fmt.Sprintf(`{"name":%q,"role":%q}`, p.named(strings.ToLower(role)), role)).accepted()
		}
	}},
	{"speakers.update", func(p *probe) {
		id := speakerID(changedSpeaker(p))
		a := p.get("/v1/spaces/{space}/speakers").ok()
		for _, s := range a.list("speakers") {
			if v, _ := member(s, "id"); v != id {
				continue
			}
			for name, want := range map[string]string{"name": p.expand("{name} after"), "email": "b@example.com", "bio": "Writes.", "pronouns": "they/them"} {
				got, _ := member(s, name)
				p.want(a, got == want, name+": "+want, got)
			}
			return
		}
		p.fail(a, "the changed speaker in the list", "not in the list")
	}},
	{"speakers.update.foreign-role", refuses("PATCH", "/v1/speakers/{speaker}", `{"speaker_role_id":"{missing}"}`)},
	{"speakers.update.status-200", func(p *probe) {
		changedSpeaker(p).want(200).is("speaker", object).is("speaker.name", equal(p.expand("{name} after")))
	}},
	{"speakers.update.foreign-role-400", answers("PATCH", "/v1/speakers/{speaker}", `{"speaker_role_id":"{missing}"}`, 400)},
	{"speakers.update.unknown", answers("PATCH", "/v1/speakers/{missing}", `{"name":"{name}"}`, 404)},
}
