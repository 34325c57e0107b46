package enginetest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// TestLLM checks an implementation of engine.LLM. Each subtest calls open. An LLM that calls a server needs a fake one that
// responds like the real one.
func TestLLM(t *testing.T, open func(t *testing.T) engine.LLM) {
	t.Helper()
	runClaims(t, open, []claim[engine.LLM]{
		{"every task, type, and language yields valid text", writesEverything},
		{"an answer cites given labels or says that nothing supports it", citesLabels},
		{"unusual passages, prompts, and names yield valid text or an error", writesAboutOddTexts},
		{"a recording of many hours yields text or an error", writesAboutLongRecording},
		{"an LLM doesn't modify the passages", leavesPassages},
		{"an LLM supports concurrent calls", writesConcurrently},
		{"an LLM writes nothing when its context has ended", writeEndsWithContext},
		{"ContextTokens is positive and constant", hasContext},
		{"Suggest returns at most the requested number, and none when its context has ended", suggests},
	})
}

// tasks returns a request for every task and output type in a language.
func tasks(passages []transcript.Passage, language transcript.Language, prompt string) (requests []engine.WriteRequest) {
	for _, kind := range []engine.OutputType{
		engine.OutputOverview, engine.OutputQuotes, engine.OutputKeyTopics, engine.OutputChapters, engine.OutputSocialPosts, engine.OutputDynamic,
	} {
		requests = append(requests, engine.WriteRequest{Task: engine.TaskGenerate, Type: kind, Prompt: prompt, Language: language, Passages: passages})
	}
	return append(
		requests, engine.WriteRequest{Task: engine.TaskChat, Prompt: prompt, Language: language, Passages: passages},
		engine.WriteRequest{Task: engine.TaskSpeaker, Prompt: transcript.SpeakerLabel(0), Language: language, Passages: passages},
	)
}

func aboutTask(req engine.WriteRequest) string {
	return fmt.Sprintf("%s %s in %q of %.60q", req.Task, req.Type, req.Language, req.Prompt)
}

// dialogueIn returns the dialogue in a language, or else the first one.
func dialogueIn(language transcript.Language) dialogue {
	return corpus[max(0, slices.IndexFunc(corpus, func(k dialogue) bool { return k.language == language }))]
}

func writesEverything(t *testing.T, llm engine.LLM) {
	for _, language := range transcript.Languages() {
		k := dialogueIn(language)
		for _, req := range tasks(k.passages(), language, k.question) {
			text, err := llm.Write(t.Context(), req)
			require.NoError(t, err, aboutTask(req))
			requireText(t, text, aboutTask(req))
			require.NotEmpty(t, strings.TrimSpace(text), aboutTask(req))
		}
	}
}

// cites matches citations like [1.2, 3.4], which the engine parses alike. A backslash before one escapes it.
var cites = regexp.MustCompile(`\\?\[[ \t]*(\d{1,6}\.\d{1,6}(?:[ \t]*[,;][ \t]*\d{1,6}\.\d{1,6})*)[ \t]*\]`)

// citedLabels returns every label that a text cites.
func citedLabels(text string) (cited []string) {
	for _, found := range cites.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(found[0], "[") {
			cited = append(cited, strings.FieldsFunc(found[1], func(r rune) bool { return strings.ContainsRune(" \t,;", r) })...)
		}
	}
	return cited
}

func citesLabels(t *testing.T, llm engine.LLM) {
	for _, k := range corpus {
		passages := k.passages()
		for i := range passages {
			passages[i].Label = fmt.Sprintf("%d.%d", 3, 40+i)
		}
		for _, question := range []string{k.question, "What does the treaty of Westphalia say about submarines?"} {
			text, err := llm.Write(t.Context(), engine.WriteRequest{Task: engine.TaskChat, Prompt: question, Language: k.language, Passages: passages})
			require.NoError(t, err)
			cited := citedLabels(text)
			require.Subset(t, []string{"3.40", "3.41"}, cited, "%s: %s", question, text)
			require.True(t, len(cited) > 0 || strings.HasSuffix(strings.TrimSpace(text), engine.NoSupport), "%s: %s", question, text)
		}
	}
}

// requireWritten fails the test unless a request returns valid text or an error with a message.
func requireWritten(t *testing.T, llm engine.LLM, req engine.WriteRequest) {
	t.Helper()
	text, err := llm.Write(t.Context(), req)
	if err != nil {
		requireMessage(t, err, aboutTask(req))
		return
	}
	requireText(t, text, aboutTask(req))
}

func writesAboutOddTexts(t *testing.T, llm engine.LLM) {
	plain := corpus[0].passages()
	for i, odd := range oddTexts() {
		said := transcript.Utterance{Speaker: odd, Text: odd, End: sampleLong}
		for _, text := range strings.Fields(odd) {
			said.Words = append(said.Words, transcript.Word{Text: text, End: 1, Speaker: odd})
		}
		strange := []transcript.Passage{{Label: "1.1", Title: odd, Language: transcript.Language([]string{"", "en", "xx"}[i%3]), Utterances: []transcript.Utterance{said, {Text: odd}, {}}}}
		for _, task := range []engine.Task{engine.TaskGenerate, engine.TaskChat, engine.TaskSpeaker} {
			requireWritten(t, llm, engine.WriteRequest{Task: task, Type: engine.OutputDynamic, Prompt: odd, Context: odd, Language: "en", Passages: plain})
			requireWritten(t, llm, engine.WriteRequest{Task: task, Type: engine.OutputOverview, Prompt: odd, Context: odd, Language: "", Passages: strange})
		}
	}
}

func writesAboutLongRecording(t *testing.T, llm engine.LLM) {
	var much []transcript.Passage
	for i := range 500 {
		p := corpus[i%2].passages()[i/2%2]
		p.Label = fmt.Sprintf("1.%d", i+1)
		much = append(much, p)
	}
	for _, task := range []engine.Task{engine.TaskGenerate, engine.TaskChat, engine.TaskSpeaker} {
		requireWritten(t, llm, engine.WriteRequest{Task: task, Type: engine.OutputOverview, Prompt: corpus[0].question, Language: "en", Passages: much})
	}
}

func leavesPassages(t *testing.T, llm engine.LLM) {
	for _, k := range corpus {
		passages := k.passages()
		for _, req := range tasks(passages, k.language, k.question) {
			_, err := llm.Write(t.Context(), req)
			require.NoError(t, err)
		}
		require.Equal(t, k.passages(), passages)
	}
}

func writesConcurrently(t *testing.T, llm engine.LLM) {
	require.NoError(t, concurrently(16, func(i int) error {
		k := corpus[i%len(corpus)]
		text, err := llm.Write(t.Context(), engine.WriteRequest{Task: engine.TaskChat, Prompt: k.question, Language: k.language, Passages: k.passages()})
		if err == nil && text == "" {
			err = fmt.Errorf("no text in %s", k.language)
		}
		return err
	}))
}

func writeEndsWithContext(t *testing.T, llm engine.LLM) {
	for _, req := range tasks(corpus[0].passages(), "en", corpus[0].question) {
		requireCanceled(t, func(ctx context.Context) error {
			text, err := llm.Write(ctx, req)
			require.Empty(t, text)
			return err
		})
	}
}

func hasContext(t *testing.T, llm engine.LLM) {
	n := llm.ContextTokens()
	require.Positive(t, n)
	require.Equal(t, n, llm.ContextTokens())
}

func suggests(t *testing.T, llm engine.LLM) {
	s, ok := llm.(engine.Suggester)
	if !ok {
		return // Suggester is optional
	}
	for _, most := range []int{1, 3, 20} {
		suggested, err := s.Suggest(t.Context(), corpus[0].transcript(), most)
		require.NoError(t, err)
		require.LessOrEqual(t, len(suggested), most)
		for _, g := range suggested {
			requireText(t, g.Title+g.Excerpt, "a suggestion")
		}
	}
	requireCanceled(t, func(ctx context.Context) error {
		_, err := s.Suggest(ctx, corpus[0].transcript(), 3)
		return err
	})
}
