package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// casting is what happened to the first label of the video's recording: assigned to one speaker, to another, and to nobody.
type casting struct {
	label         string
	first, second string // ids of the speakers
	before        answer // list of the labels, of no assignment
	assigned      answer // of the first assignment
	listed        answer
	caption       answer // txt while it is assigned
	replaced      answer // of the second assignment
	listedAgain   answer
	foreign       answer // unassigning the speaker who isn't assigned any more
	unassigned    answer
	after         answer
}

// aCasting does it.
func aCasting(p *probe) casting {
	return once(p, "assignment of a label", func(p *probe) (c casting) {
		c.before = p.get("/v1/recordings/{film}/speakers").ok()
		c.label = p.get("/v1/recordings/{film}/transcript").ok().text("utterances.0.speaker")
		c.first = speakerID(aSpeaker(p))
		c.second = speakerID(p.post("/v1/spaces/{space}/speakers", `{"name":"{name} Grace"}`).ok())
		pair := func(id string) string { return fmt.Sprintf(`{"label":%q,"speaker_id":%q}`, c.label, id) }
		c.assigned = p.post("/v1/recordings/{film}/speakers/assign", pair(c.first)).ok()
		c.listed = p.get("/v1/recordings/{film}/speakers").ok()
		c.caption = p.get("/v1/recordings/{film}/transcript?format=txt").ok()
		c.replaced = p.post("/v1/recordings/{film}/speakers/assign", pair(c.second)).ok()
		c.listedAgain = p.get("/v1/recordings/{film}/speakers").ok()
		c.foreign = p.post("/v1/recordings/{film}/speakers/unassign", pair(c.first))
		c.unassigned = p.post("/v1/recordings/{film}/speakers/unassign", pair(c.second)).ok()
		c.after = p.get("/v1/recordings/{film}/speakers").ok()
		return c
	})
}

// labelsBefore is the list of labels while none is assigned.
func labelsBefore(p *probe) answer { return aCasting(p).before.on(p) }

// assignee is the id of the speaker whom a list of labels gives a label to, or "".
func assignee(a answer, label string) string {
	for _, item := range a.list("speakers") {
		if l, _ := member(item, "label"); l == label {
			id, _ := member(item, "speaker.id")
			s, _ := id.(string)
			return s
		}
	}
	return ""
}

const noSuchLabel = `{"label":"Speaker 99","speaker_id":"{speaker}"}`

var labelChecks = []check{
	{"labels.list.every-label", func(p *probe) {
		a := labelsBefore(p)
		var want, got []string
		for _, u := range p.get("/v1/recordings/{film}/transcript").ok().list("utterances") {
			if l, _ := member(u, "speaker"); l != nil && !slices.Contains(want, fmt.Sprint(l)) {
				want = append(want, fmt.Sprint(l))
			}
		}
		for _, item := range a.list("speakers") {
			l, _ := member(item, "label")
			got = append(got, fmt.Sprint(l))
		}
		slices.Sort(want)
		slices.Sort(got)
		p.want(a, slices.Equal(want, got), strings.Join(want, ", "), strings.Join(got, ", "))
	}},
	{"labels.list.null-when-unassigned", func(p *probe) {
		a := labelsBefore(p)
		for i := range a.list("speakers") {
			a.is(fmt.Sprintf("speakers.%d.speaker", i), null)
		}
	}},
	{"labels.list.raw-labels", has(labelsBefore, "speakers.0.label", like("Speaker and a number", `^Speaker \d+$`))},
	{"labels.list.speaker-shape", func(p *probe) {
		c := aCasting(p)
		for _, item := range c.listed.on(p).list("speakers") {
			if l, _ := member(item, "label"); l == c.label {
				s, _ := member(item, "speaker")
				for _, name := range []string{"id", "name", "email", "bio", "pronouns", "role", "ai_summary"} {
					p.want(c.listed, slices.Contains(keys(s), name), "a speaker with "+name, s)
				}
			}
		}
	}},
	{"labels.list.shape", func(p *probe) {
		a := labelsBefore(p).is("recording_id", equal(film(p).id)).is("speakers", arrayOf(object))
		a.is("count", equal(fmt.Sprint(len(a.list("speakers")))))
	}},
	{"labels.list.before-completion", func(p *probe) {
		a := p.get("/v1/recordings/{broken}/speakers").want(200)
		p.want(a, len(a.list("speakers")) == 0, "no labels", a.value)
	}},
	{"labels.list.unknown", answers("GET", "/v1/recordings/{missing}/speakers", "", 404)},
	{"labels.assign", func(p *probe) {
		c := aCasting(p)
		p.want(c.listed, assignee(c.listed.on(p), c.label) == c.first, "the speaker with the label", c.listed.value)
	}},
	{"labels.assign.replaces", func(p *probe) {
		c := aCasting(p)
		p.want(c.listedAgain, assignee(c.listedAgain.on(p), c.label) == c.second, "the second speaker with the label", c.listedAgain.value)
	}},
	{"labels.assign.label-required", refuses("POST", "/v1/recordings/{film}/speakers/assign", `{"speaker_id":"{speaker}"}`)},
	{"labels.assign.speaker-required", refuses("POST", "/v1/recordings/{film}/speakers/assign", `{"label":"Speaker 0"}`)},
	{"labels.assign.label-of-transcript", refuses("POST", "/v1/recordings/{film}/speakers/assign", noSuchLabel)},
	{"labels.assign.speaker-of-space", refuses("POST", "/v1/recordings/{film}/speakers/assign", `{"label":"Speaker 0","speaker_id":"{other-speaker}"}`)},
	{"labels.assign.body", func(p *probe) {
		c := aCasting(p)
		c.assigned.on(p).want(200).is("recording_id", equal(film(p).id)).is("label", equal(c.label)).is("speaker", object)
	}},
	{"labels.assign.unknown-label-400", answers("POST", "/v1/recordings/{film}/speakers/assign", noSuchLabel, 400)},
	{"labels.assign.foreign-speaker-404", answers("POST", "/v1/recordings/{film}/speakers/assign", `{"label":"Speaker 0","speaker_id":"{other-speaker}"}`, 404)},
	{"labels.unassign", func(p *probe) {
		c := aCasting(p)
		p.want(c.after, assignee(c.after.on(p), c.label) == "", "nobody with the label", c.after.value)
	}},
	{"labels.unassign.body", func(p *probe) {
		c := aCasting(p)
		c.unassigned.on(p).want(200).is("recording_id", equal(film(p).id)).is("label", equal(c.label))
	}},
	{"labels.unassign.not-assigned-404", func(p *probe) { aCasting(p).foreign.on(p).want(404) }},
	{"labels.names-in-exports", func(p *probe) {
		a := aCasting(p).caption.on(p)
		p.want(a, strings.Contains(string(a.body), p.expand("{name} Ada")), "the assigned speaker's name", p.session.shown(a.body))
	}},
}
