package writer

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/prose"
)

// LLM writes without a model: whatever it says of a recording is a sentence of its transcript, verbatim, with who said it
// and when; only headings and connecting words are its own, in the language that was asked for. It ranks sentences by how
// much they share with the rest of the transcript and with the prompt. The same request gives the same text, byte for
// byte, on every machine. It can't follow instructions beyond the kinds of content in dynamic.go, and it doesn't
// translate. It is safe for concurrent use.
type LLM struct{}

var _ engine.LLM = LLM{}

// ContextTokens is that of a large model: an hour of speech many times over.
func (LLM) ContextTokens() int { return 128_000 }

// Write carries a request out and returns markdown: characters of the request's texts that would be markup are escaped.
// Without speech in the passages it says so. A language that is not supported becomes that of the first passage, else the
// default. An unknown Task is CodeInvalid; else its errors are those of ctx.
func (LLM) Write(ctx context.Context, req engine.WriteRequest) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	a := newAuthor(req)
	switch req.Task {
	case engine.TaskGenerate:
		return a.generate(req.Type), nil
	case engine.TaskChat:
		return a.answer(), nil
	case engine.TaskSpeaker:
		return a.portray(), nil
	}
	return "", engine.Errorf(engine.CodeInvalid, "Write", "There is no task %q.", req.Task)
}

// author writes one text.
type author struct {
	tongue *tongue // in which to write
	talk   *talk   // of what to write
	prompt string
	asked  []string // what the prompt is about: its terms, without those that say nothing
	focus  []int    // those of asked that occur in the talk, as their numbers
}

func newAuthor(req engine.WriteRequest) *author {
	talk := newTalk(req.Passages)
	language := req.Language
	if !language.Supported() {
		language = talk.language
	}
	a := &author{tongue: tongueOf(language), talk: talk, prompt: prose.Line(req.Prompt)}
	a.focusOn(a.prompt)
	return a
}

// focusOn makes a text what the author looks for.
func (a *author) focusOn(text string) {
	a.asked, a.focus = a.talk.terms(text, a.tongue.language), nil
	for _, term := range a.asked {
		if id, ok := a.talk.vocabulary[term]; ok {
			a.focus = append(a.focus, id)
		}
	}
}

// generate writes content of a type.
func (a *author) generate(kind engine.OutputType) string {
	if len(a.talk.remarks) == 0 {
		return a.tongue.say("silence")
	}
	if kind == engine.OutputDynamic || sections[kind] == nil {
		return a.dynamic()
	}
	a.focus = nil // the built-in's prompt says how to write, not what about
	return sections[kind](a, 0)
}

// sections has what writes each built-in: n is how many of its parts are wanted, 0 for as many as suit the length.
var sections = map[engine.OutputType]func(a *author, n int) string{
	engine.OutputOverview:    (*author).overview,
	engine.OutputQuotes:      (*author).quotes,
	engine.OutputKeyTopics:   (*author).keyTopics,
	engine.OutputChapters:    (*author).chapters,
	engine.OutputSocialPosts: (*author).posts,
}
