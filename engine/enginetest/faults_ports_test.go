package enginetest_test

import (
	"context"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/writer"
)

// suite runs a suite on an implementation that has a fault.
type suite func(t *testing.T)

// What is run, in a process of its own, on something that has a fault.
func TestFaultyPort(t *testing.T) {
	t.Parallel()
	if run, ok := portFaults()[os.Getenv(faultName)]; ok {
		run(t)
	}
}

// portFaults is, by the claim that must notice it, what can be wrong with ports other than stores and blobs.
func portFaults() map[string]suite {
	all := map[string]suite{}
	for _, some := range []map[string]suite{textFaults, soundFaults, networkFaults} {
		maps.Copy(all, some)
	}
	return all
}

// faultyLLM changes what an LLM is asked or what it answers.
type faultyLLM struct {
	writer.LLM
	write func(ctx context.Context, req engine.WriteRequest) (string, error)
}

func (f faultyLLM) Write(ctx context.Context, req engine.WriteRequest) (string, error) {
	return f.write(ctx, req)
}

func llmFault(write func(ctx context.Context, req engine.WriteRequest) (string, error)) suite {
	return llmSuite(faultyLLM{write: write})
}

func llmSuite(llm engine.LLM) suite {
	return func(t *testing.T) { enginetest.TestLLM(t, func(*testing.T) engine.LLM { return llm }) }
}

// unbounded is an LLM that suggests one thing more than it may.
type unbounded struct{ writer.LLM }

func (unbounded) Suggest(ctx context.Context, _ engine.Transcript, most int) ([]clips.Suggestion, error) {
	return make([]clips.Suggestion, most+1), ctx.Err()
}

// blind is an LLM that can read nothing.
type blind struct{ writer.LLM }

func (blind) ContextTokens() int { return 0 }

// faultyTranslator changes what a Translator is asked or what it answers.
type faultyTranslator func(ctx context.Context, req engine.TranslateRequest) ([]string, error)

func (f faultyTranslator) Translate(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
	return f(ctx, req)
}

func translatorFault(translate faultyTranslator) suite {
	return func(t *testing.T) {
		enginetest.TestTranslator(t, func(*testing.T) engine.Translator { return translate })
	}
}

// textFaults is what can be wrong with what writes and translates.
var textFaults = map[string]suite{
	"a text is written for every task, type and language, and can be shown": llmFault(func(ctx context.Context, req engine.WriteRequest) (string, error) {
		text, err := writer.LLM{}.Write(ctx, req)
		if req.Language == "pl" && req.Task == engine.TaskSpeaker {
			text = " \n"
		}
		return text, err
	}),
	"an answer cites labels that it was given, or says that nothing supports it": llmFault(func(ctx context.Context, req engine.WriteRequest) (string, error) {
		text, err := writer.LLM{}.Write(ctx, req)
		if req.Task == engine.TaskChat && req.Language == "ko" {
			text += " [3.42]"
		}
		return text, err
	}),
	"passages, prompts and names of any kind are written about or refused, and the text can be shown": llmFault(func(ctx context.Context, req engine.WriteRequest) (string, error) {
		text, err := writer.LLM{}.Write(ctx, req)
		return req.Prompt + text, err
	}),
	"an LLM changes nothing in the passages": llmFault(func(ctx context.Context, req engine.WriteRequest) (string, error) {
		if req.Task == engine.TaskChat {
			slices.Reverse(req.Passages)
		}
		return writer.LLM{}.Write(ctx, req)
	}),
	"an LLM whose context is over writes nothing": llmFault(func(ctx context.Context, req engine.WriteRequest) (string, error) {
		return writer.LLM{}.Write(context.WithoutCancel(ctx), req)
	}),
	"an LLM says how much it can read, the same every time":                            llmSuite(blind{}),
	"an LLM that suggests gives at most so many, and nothing when its context is over": llmSuite(unbounded{}),

	"each text has its translation, in the same order, with its terms exactly as often": translatorFault(func(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
		texts, err := fake.Translator{}.Translate(ctx, req)
		if len(texts) > 1 && req.To == "uk" {
			texts[0], texts[1] = texts[1], texts[0]
		}
		return texts, err
	}),
	"a long list is translated whole": translatorFault(func(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
		req.Texts = req.Texts[:min(len(req.Texts), 100)]
		return fake.Translator{}.Translate(ctx, req)
	}),
	"texts that are in the language already come back as they are": translatorFault(func(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
		if req.From == req.To {
			req.From = ""
		}
		return fake.Translator{}.Translate(ctx, req)
	}),
	"a translator leaves the texts that it is given as they are": translatorFault(func(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
		texts, err := fake.Translator{}.Translate(ctx, req)
		return append(req.Texts[:0], texts...), err
	}),
	"a translator whose context is over translates nothing": translatorFault(func(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
		if req.From == req.To {
			return slices.Clone(req.Texts), nil
		}
		return fake.Translator{}.Translate(ctx, req)
	}),
}
