package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// labelAssignment holds the answers while the video recording's first label is assigned, reassigned, and unassigned.
type labelAssignment struct {
	label         string
	first, second string // ids of the speakers
	before        answer // labels before any assignment
	assigned      answer // to the first assignment
	listed        answer // labels after the first assignment
	caption       answer // txt transcript after the first assignment
	replaced      answer // to the second assignment
	listedAgain   answer // labels after the second assignment
	foreign       answer // to unassigning the first speaker, who is no longer assigned
	unassigned    answer // to unassigning the second speaker
	after         answer // labels after unassigning
}

// assignLabel assigns, reassigns, and unassigns the label.
func assignLabel(p *probe) labelAssignment {
	return once(p, "assignment of a label", func(p *probe) (c labelAssignment) {
		c.before = p.get("/v1/recordings/{video}/speakers").ok()
		c.label = p.get("/v1/recordings/{video}/transcript").ok().text("utterances.0.speaker")
		c.first = speakerID(aSpeaker(p))
		c.second = speakerID(p.post("/v1/spaces/{space}/speakers", `{"name":"{name} Grace"}`).ok())
		pair := func(id string) string { return fmt.Sprintf(`{"label":%q,"speaker_id":%q}`, c.label, id) }
		c.assigned = p.post("/v1/recordings/{video}/speakers/assign", pair(c.first)).ok()
		c.listed = p.get("/v1/recordings/{video}/speakers").ok()
		c.caption = p.get("/v1/recordings/{video}/transcript?format=txt").ok()
		c.replaced = p.post("/v1/recordings/{video}/speakers/assign", pair(c.second)).ok()
		c.listedAgain = p.get("/v1/recordings/{video}/speakers").ok()
		c.foreign = p.post("/v1/recordings/{video}/speakers/unassign", pair(c.first))
		c.unassigned = p.post("/v1/recordings/{video}/speakers/unassign", pair(c.second)).ok()
		c.after = p.get("/v1/recordings/{video}/speakers").ok()
		return c
	})
}

// labelsBefore returns the list of labels before any is assigned.
func labelsBefore(p *probe) answer { return assignLabel(p).before.reportTo(p) }

// assignee returns the id of the speaker assigned to a label in a list of labels, or "".
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
		for _, u := range p.get("/v1/recordings/{video}/transcript").ok().list("utterances") {
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
		c := assignLabel(p)
		for _, item := range c.listed.reportTo(p).list("speakers") {
			if l, _ := member(item, "label"); l == c.label {
				s, _ := member(item, "speaker")
				for _, name := range []string{"id", "name", "email", "bio", "pronouns", "role", "ai_summary"} {
					p.want(c.listed, slices.Contains(keys(s), name), "a speaker with "+name, s)
				}
			}
		}
	}},
	{"labels.list.shape", func(p *probe) {
		a := labelsBefore(p).is("recording_id", equal(videoRecording(p).id)).is("speakers", arrayOf(object))
		a.is("count", equal(fmt.Sprint(len(a.list("speakers")))))
	}},
	{"labels.list.before-completion", func(p *probe) {
		a := p.get("/v1/recordings/{failed}/speakers").want(200)
		p.want(a, len(a.list("speakers")) == 0, "no labels", a.value)
	}},
	{"labels.list.unknown", answers("GET", "/v1/recordings/{missing}/speakers", "", 404)},
	{"labels.assign", func(p *probe) {
		c := assignLabel(p)
		p.want(c.listed, assignee(c.listed.reportTo(p), c.label) == c.first, "the first speaker assigned to the label", c.listed.value)
	}},
	{"labels.assign.replaces", func(p *probe) {
		c := assignLabel(p)
		p.want(c.listedAgain, assignee(c.listedAgain.reportTo(p), c.label) == c.second, "the second speaker assigned to the label", c.listedAgain.value)
	}},
	{"labels.assign.label-required", refuses("POST", "/v1/recordings/{video}/speakers/assign", `{"speaker_id":"{speaker}"}`)},
	{"labels.assign.speaker-required", refuses("POST", "/v1/recordings/{video}/speakers/assign", `{"label":"Speaker 0"}`)},
	{"labels.assign.label-of-transcript", refuses("POST", "/v1/recordings/{video}/speakers/assign", noSuchLabel)},
	{"labels.assign.speaker-of-space", refuses("POST", "/v1/recordings/{video}/speakers/assign", `{"label":"Speaker 0","speaker_id":"{other-speaker}"}`)},
	{"labels.assign.body", func(p *probe) {
		c := assignLabel(p)
		c.assigned.reportTo(p).want(200).is("recording_id", equal(videoRecording(p).id)).is("label", equal(c.label)).is("speaker", object)
	}},
	{"labels.assign.unknown-label-400", answers("POST", "/v1/recordings/{video}/speakers/assign", noSuchLabel, 400)},
	{"labels.assign.foreign-speaker-404", answers("POST", "/v1/recordings/{video}/speakers/assign", `{"label":"Speaker 0","speaker_id":"{other-speaker}"}`, 404)},
	{"labels.unassign", func(p *probe) {
		c := assignLabel(p)
		p.want(c.after, assignee(c.after.reportTo(p), c.label) == "", "no speaker assigned to the label", c.after.value)
	}},
	{"labels.unassign.body", func(p *probe) {
		c := assignLabel(p)
		c.unassigned.reportTo(p).want(200).is("recording_id", equal(videoRecording(p).id)).is("label", equal(c.label))
	}},
	{"labels.unassign.unknown-label-400", answers("POST", "/v1/recordings/{video}/speakers/unassign", noSuchLabel, 400)},
	{"labels.unassign.not-assigned-404", func(p *probe) { assignLabel(p).foreign.reportTo(p).want(404) }},
	{"labels.names-in-exports", func(p *probe) {
		a := assignLabel(p).caption.reportTo(p)
		p.want(a, strings.Contains(string(a.body), p.expand("{name} Ada")), "the assigned speaker's name", p.session.shown(a.body))
	}},
}
