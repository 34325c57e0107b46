package writer

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/prose"
)

// LLM writes texts without a model. Everything that it says about a recording is a verbatim sentence of the transcript, with speaker and
// time. Only headings and connecting phrases are its own, in the requested language. It ranks sentences by the words that they share
// with the rest of the transcript and with the prompt. It follows only prompts for the kinds of content in dynamic.go, and doesn't
// translate. It is deterministic and safe for concurrent use.
type LLM struct{}

var _ engine.LLM = LLM{}

// ContextTokens returns the context window of a large model, which holds several hours of speech.
func (LLM) ContextTokens() int { return 128_000 }

// Write returns a text as markdown, with the markup in the request's texts escaped. If the passages have no speech, the text says so.
// For an unsupported language, Write uses that of the first passage, or else the default. It returns CodeInvalid for an unknown task,
// and the errors of ctx.
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
		return a.speakerSummary(), nil
	}
	return "", engine.Errorf(engine.CodeInvalid, "Write", "Unknown task %q.", req.Task)
}

// author writes one text.
type author struct {
	lexicon *lexicon // of the language to write in
	corpus  *corpus  // the transcript
	prompt  string
	asked   []string // terms of the prompt, without stop words
	focus   []int    // numbers of the terms of asked that occur in the transcript
}

func newAuthor(req engine.WriteRequest) *author {
	corpus := newCorpus(req.Passages)
	language := req.Language
	if !language.Supported() {
		language = corpus.language
	}
	a := &author{lexicon: lexiconOf(language), corpus: corpus, prompt: prose.Line(req.Prompt)}
	a.focusOn(a.prompt)
	return a
}

// focusOn sets asked and focus to the terms of a text.
func (a *author) focusOn(text string) {
	a.asked, a.focus = a.corpus.terms(text, a.lexicon.language), nil
	for _, term := range a.asked {
		if id, ok := a.corpus.vocabulary[term]; ok {
			a.focus = append(a.focus, id)
		}
	}
}

// generate writes content of a type.
func (a *author) generate(kind engine.OutputType) string {
	if len(a.corpus.sentences) == 0 {
		return a.lexicon.say("silence")
	}
	if kind == engine.OutputDynamic || sections[kind] == nil {
		return a.dynamic()
	}
	a.focus = nil // a built-in's prompt has no topic
	return sections[kind](a, 0)
}

// sections maps each built-in type to its function. n is the number of items; with 0, it depends on the length of the transcript.
var sections = map[engine.OutputType]func(a *author, n int) string{
	engine.OutputOverview:    (*author).overview,
	engine.OutputQuotes:      (*author).quotes,
	engine.OutputKeyTopics:   (*author).keyTopics,
	engine.OutputChapters:    (*author).chapters,
	engine.OutputSocialPosts: (*author).posts,
}
