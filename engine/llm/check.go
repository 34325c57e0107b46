package llm

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/answer"
)

// faults returns what is wrong with generated content. The engine itself checks the citations of chats.
func faults(req engine.WriteRequest, text string) []answer.Fault {
	if req.Task != engine.TaskGenerate {
		return nil
	}
	var found []answer.Fault
	for _, mark := range unknownMarks(text, req.Passages) {
		found = append(found, answer.Fault{Kind: answer.FaultCitation, Text: mark + " is not the mark of a line."})
	}
	source := answer.NewSource(req.Passages, req.Context)
	text = withTimes(text, req.Passages)
	switch req.Type {
	case engine.OutputQuotes:
		return append(found, source.CheckQuotes(text)...)
	case engine.OutputChapters:
		return append(found, source.CheckChapters(text)...)
	case engine.OutputOverview, engine.OutputKeyTopics, engine.OutputSocialPosts:
		return append(found, source.CheckProse(text, inOtherLanguage(req))...)
	}
	return append(found, source.CheckCitations(text)...)
}

// inOtherLanguage reports whether the text may be in another language than its passages.
func inOtherLanguage(req engine.WriteRequest) bool {
	for _, p := range req.Passages {
		if p.Language != languageOf(req) {
			return true
		}
	}
	return false
}

// refutations say what a model did, for people.
var refutations = map[answer.FaultKind]string{
	answer.FaultCitation: "cited places that it was not given",
	answer.FaultQuote:    "quoted words that nobody says in the recording, or not as they are said",
	answer.FaultChapter:  "returned chapters without times at which they begin",
	answer.FaultOrder:    "returned chapters that are not in order",
	answer.FaultNothing:  "returned nothing of what it was asked for",
	answer.FaultSubject:  "wrote about something else than the recording",
}

// refuted returns the error for content that is still wrong when it was asked for again. It is permanent: a model that made the same kind of
// mistake twice makes it again.
func (m *Model) refuted(wrong []answer.Fault) error {
	var all []string
	for _, f := range wrong {
		all = append(all, f.Text)
	}
	return m.errorf("%s %s, also when it was asked again.", m.name, refutations[wrong[0].Kind]).
		Because(faultList(strings.Join(all, " "))).
		WithHint("Generate it again, or use a larger model: small ones often invent quotes and places.")
}

// faultList is the cause of an error of refuted.
type faultList string

func (l faultList) Error() string { return line(string(l)) }

// correction is an answer that is wrong, and why.
type correction struct {
	draft  string // "" if the context has no room for it
	faults []answer.Fault
}

func (c *correction) list() string {
	var b strings.Builder
	for _, f := range c.faults {
		b.WriteString("- " + line(f.Text) + "\n")
	}
	return b.String()
}

// write adds the parts of the correction, and returns the instruction. What is wrong may quote the answer, so it is between fences too.
func (c *correction) write(f fence, parts *strings.Builder) string {
	f.part(parts, "draft", c.draft)
	f.part(parts, "faults", c.list())
	s := "\n\nAn earlier answer of yours was wrong"
	if c.draft != "" {
		s += `: it is in the part "draft"`
	}
	return s + `. The part "faults" lists what was wrong with it. Write a new, complete answer in which nothing of this is wrong. Leave out what the transcript doesn't have.`
}

// fit makes room for a correction in the context: first without the draft, then with fewer passages.
func (m *Model) fit(w writing, req engine.WriteRequest, fix *correction) (engine.WriteRequest, *correction) {
	if m.room(w.request(req, fix)) < m.answer {
		fix = &correction{faults: fix.faults}
	}
	if m.room(w.request(req, fix)) < MinAnswerTokens {
		req.Passages = thin(req.Passages)
	}
	return req, fix
}
