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

// suite runs a conformance suite on an implementation with a fault.
type suite func(t *testing.T)

// TestFaultyPort does nothing unless TestSuitesNoticeFaults runs it in a child process with a fault.
func TestFaultyPort(t *testing.T) {
	t.Parallel()
	if run, ok := portFaults()[os.Getenv(faultName)]; ok {
		run(t)
	}
}

// portFaults maps a claim to a fault in a port other than Store and Blobs.
func portFaults() map[string]suite {
	all := map[string]suite{}
	for _, some := range []map[string]suite{textFaults, soundFaults, networkFaults} {
		maps.Copy(all, some)
	}
	return all
}

// faultyLLM changes the request or the response of an LLM.
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

// excessiveSuggester is an LLM that returns one suggestion too many.
type excessiveSuggester struct{ writer.LLM }

func (excessiveSuggester) Suggest(ctx context.Context, _ engine.Transcript, most int) ([]clips.Suggestion, error) {
	return make([]clips.Suggestion, most+1), ctx.Err()
}

// zeroContextLLM is an LLM with a context of 0 tokens.
type zeroContextLLM struct{ writer.LLM }

func (zeroContextLLM) ContextTokens() int { return 0 }

// faultyTranslator changes the request or the response of a Translator.
type faultyTranslator func(ctx context.Context, req engine.TranslateRequest) ([]string, error)

func (f faultyTranslator) Translate(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
	return f(ctx, req)
}

func translatorFault(translate faultyTranslator) suite {
	return func(t *testing.T) {
		enginetest.TestTranslator(t, func(*testing.T) engine.Translator { return translate })
	}
}

// textFaults maps a claim to a fault in an LLM or a Translator.
var textFaults = map[string]suite{
	"every task, type, and language yields valid text": llmFault(func(ctx context.Context, req engine.WriteRequest) (string, error) {
		text, err := writer.LLM{}.Write(ctx, req)
		if req.Language == "pl" && req.Task == engine.TaskSpeaker {
			text = " \n"
		}
		return text, err
	}),
	"an answer cites given labels or says that nothing supports it": llmFault(func(ctx context.Context, req engine.WriteRequest) (string, error) {
		text, err := writer.LLM{}.Write(ctx, req)
		if req.Task == engine.TaskChat && req.Language == "ko" {
			text += " [3.42]"
		}
		return text, err
	}),
	"unusual passages, prompts, and names yield valid text or an error": llmFault(func(ctx context.Context, req engine.WriteRequest) (string, error) {
		text, err := writer.LLM{}.Write(ctx, req)
		return req.Prompt + text, err
	}),
	"an LLM doesn't modify the passages": llmFault(func(ctx context.Context, req engine.WriteRequest) (string, error) {
		if req.Task == engine.TaskChat {
			slices.Reverse(req.Passages)
		}
		return writer.LLM{}.Write(ctx, req)
	}),
	"an LLM writes nothing when its context has ended": llmFault(func(ctx context.Context, req engine.WriteRequest) (string, error) {
		return writer.LLM{}.Write(context.WithoutCancel(ctx), req)
	}),
	"ContextTokens is positive and constant":                                            llmSuite(zeroContextLLM{}),
	"Suggest returns at most the requested number, and none when its context has ended": llmSuite(excessiveSuggester{}),

	"texts are translated in order with their terms preserved": translatorFault(func(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
		texts, err := fake.Translator{}.Translate(ctx, req)
		if len(texts) > 1 && req.To == "uk" {
			texts[0], texts[1] = texts[1], texts[0]
		}
		return texts, err
	}),
	"a long list is translated completely": translatorFault(func(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
		req.Texts = req.Texts[:min(len(req.Texts), 100)]
		return fake.Translator{}.Translate(ctx, req)
	}),
	"texts already in the target language are returned unchanged": translatorFault(func(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
		if req.From == req.To {
			req.From = ""
		}
		return fake.Translator{}.Translate(ctx, req)
	}),
	"a translator doesn't modify the given texts": translatorFault(func(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
		texts, err := fake.Translator{}.Translate(ctx, req)
		return append(req.Texts[:0], texts...), err
	}),
	"a translator translates nothing when its context has ended": translatorFault(func(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
		if req.From == req.To {
			return slices.Clone(req.Texts), nil
		}
		return fake.Translator{}.Translate(ctx, req)
	}),
}
