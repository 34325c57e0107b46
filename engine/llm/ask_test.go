package llm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/llm"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// many returns n utterances of about 40 tokens.
func many(n int) (texts []string) {
	for range n {
		texts = append(texts, strings.Repeat("so it goes on and on ", 8))
	}
	return texts
}

func about(passages []transcript.Passage) engine.WriteRequest {
	return engine.WriteRequest{Task: engine.TaskChat, Prompt: "What goes on?", Language: "en", Passages: passages}
}

// New refuses an invalid Config, and fills in defaults.
func TestNew(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]llm.Config{
		"Completer must not be nil":                      {},
		"ContextTokens must be at least 2048 (got -1)":   {Completer: says("x"), ContextTokens: -1},
		"ContextTokens must be at least 2048 (got 2047)": {Completer: says("x"), ContextTokens: 2047},
		"AnswerTokens must be at least 256 (got 5)":      {Completer: says("x"), AnswerTokens: 5},
	} {
		_, err := llm.New(c)
		requireError(t, err, engine.CodeInvalid, false, want)
	}
	m, err := llm.New(llm.Config{Completer: says("x")})
	require.NoError(t, err)
	require.Equal(t, llm.DefaultContextTokens, m.ContextTokens())
}

// The answer's token limit fits the context. A request that leaves no room for an answer isn't sent.
func TestRoom(t *testing.T) {
	t.Parallel()
	s := says("An answer.")
	_, err := model(t, s, 8192).Write(t.Context(), about(spoken(10, many(110)...)))
	require.NoError(t, err)
	require.Less(t, s.asked[0].MaxTokens, 3000)
	require.Greater(t, s.asked[0].MaxTokens, 1500)

	s = says("An answer.")
	_, err = model(t, s, 8192).Write(t.Context(), about(spoken(20, many(190)...)))
	requireError(t, err, engine.CodeUnavailable, false, "does not fit in the language model's context")
	require.Empty(t, s.asked)
}

// A long context prompt leaves room for the recording, in any script.
func TestLongContext(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"lighthouse ", "灯", "बात "} {
		s := says("An answer.", `{"suggestions":[]}`)
		m := model(t, s, 8192)
		req := about(spoken(10, many(100)...))
		req.Context = strings.Repeat(word, 10_000)
		_, err := m.Write(t.Context(), req)
		require.NoError(t, err)
		tr := recorded(100)
		tr.ContextPrompt = req.Context
		_, err = m.Suggest(t.Context(), tr, 3)
		require.NoError(t, err)
		for _, r := range s.asked {
			_, shown, ok := strings.Cut(r.User, ">>>\n")
			require.True(t, ok)
			shown, _, ok = strings.Cut(shown, "…\n<<<end context")
			require.True(t, ok)
			n := transcript.EstimateTokens(shown)
			require.LessOrEqual(t, n, 1025, word)
			require.Greater(t, n, 500, word)
		}
	}
}

// A truncated request is detected by a token count that is far too low or equals a common context size. Models that need
// few tokens for a script are not affected.
func TestCutContext(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		says    string
		text    string
		times   int
		counted int
		cut     bool
	}{
		{"a server that doesn't count", "so it goes ", 3000, 0, false},
		{"all of it", "so it goes ", 3000, 9500, false},
		{"somewhat fewer", "so it goes ", 3000, 6000, false},
		{"less than half", "so it goes ", 3000, 4000, true},
		{"exactly a context of Ollama", "so it goes ", 2000, 4096, true},
		{"the same count of a request that has about as many", "so it goes ", 1100, 4096, false},
		{"all of the context", "बात ", 1000, 131_072, true},
		{"few, of a short request", "so it goes ", 10, 20, false},
		{"Hindi, a token for four letters", "बात आगे चलती रहती है ", 1500, 8000, false},
		{"Hindi, cut", "बात आगे चलती रहती है ", 1500, 2000, true},
		{"Russian, a token for six letters", "и так оно и идёт дальше ", 1500, 6000, false},
		{"Japanese, two characters a token", "話はどんどん続きます。", 1500, 8300, false},
		{"Japanese, cut", "話はどんどん続きます。", 1500, 2048, true},
	} {
		s := &stub{answers: []llm.Answer{{Text: "An answer.", Usage: llm.Usage{Prompt: c.counted}}}}
		_, err := model(t, s, 131_072).Write(t.Context(), about(spoken(1, strings.Repeat(c.text, c.times))))
		if !c.cut {
			require.NoError(t, err, c.says)
			continue
		}
		requireError(t, err, engine.CodeUnavailable, false, "truncated the request")
		var e *engine.Error
		require.ErrorAs(t, err, &e)
		require.Contains(t, e.Hint, "num_ctx", c.says)
		require.Contains(t, e.Hint, "--llm-context-tokens", c.says)
	}
}

// Write requests a truncated answer once more, with more tokens, and with fewer passages if they leave no room. A second
// truncation is an error.
func TestCutAnswer(t *testing.T) {
	t.Parallel()
	cut := llm.Answer{Text: "It goes", Finish: llm.FinishLength}
	for _, c := range []struct {
		says     string
		passages []transcript.Passage
		first    llm.Answer
		fewer    bool
	}{
		{"there is room", spoken(10, many(20)...), cut, false},
		{"many passages fill the context", spoken(10, many(90)...), cut, true},
		{"one passage fills the context", spoken(100, many(90)...), cut, true},
		{"the server's context is smaller", spoken(10, many(20)...), llm.Answer{Text: "It", Finish: llm.FinishLength, Usage: llm.Usage{Answer: 7}}, true},
		{"thinking used all tokens", spoken(10, many(20)...), llm.Answer{Text: "<think>Hm", Finish: llm.FinishLength}, false},
	} {
		context := 8192
		if !c.fewer {
			context = 32_000
		}
		s := &stub{answers: []llm.Answer{c.first, {Text: "It goes on."}}}
		text, err := model(t, s, context).Write(t.Context(), about(c.passages))
		require.NoError(t, err, c.says)
		require.Equal(t, "It goes on.", text)
		require.Len(t, s.asked, 2)
		require.Greater(t, s.asked[1].MaxTokens, s.asked[0].MaxTokens, c.says)
		lines := func(r llm.Request) int { return strings.Count(r.User, "\n") }
		if c.fewer {
			require.Less(t, lines(s.asked[1]), lines(s.asked[0])*2/3, c.says)
			require.Greater(t, lines(s.asked[1]), lines(s.asked[0])/3, c.says)
		} else {
			require.Equal(t, lines(s.asked[0]), lines(s.asked[1]), c.says)
		}

		s = &stub{answers: []llm.Answer{c.first}}
		_, err = model(t, s, context).Write(t.Context(), about(c.passages))
		requireError(t, err, engine.CodeUnavailable, false, "was cut off")
		require.Len(t, s.asked, 2)
	}
}

// The error for a refusal is permanent; for an empty answer it is retryable.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	_, err := model(t, &stub{answers: []llm.Answer{{Text: "I can't", Finish: llm.FinishRefused}}}, 0).Write(t.Context(), about(spoken(2, talk...)))
	requireError(t, err, engine.CodeUnavailable, false, "declined")
	for _, answer := range []string{"", " \n", "<think>Well.</think>", "<THINK>\nnever ends", "\x00", "```\n```"} {
		_, err := model(t, says(answer), 0).Write(t.Context(), about(spoken(2, talk...)))
		requireError(t, err, engine.CodeUnavailable, true, "")
	}
	_, err = model(t, says("x"), 0).Write(t.Context(), engine.WriteRequest{Task: "sing", Passages: spoken(2, talk...)})
	requireError(t, err, engine.CodeInvalid, false, `Unknown task "sing"`)
}

// Write removes thoughts, and a code block around the whole answer.
func TestTidy(t *testing.T) {
	t.Parallel()
	req := engine.WriteRequest{Task: engine.TaskGenerate, Type: engine.OutputDynamic}
	for answer, want := range map[string]string{
		"<think>Hm <b>.\n</think>\n\nIt is so.":       "It is so.",
		"Hm.</think>It is so.":                        "It is so.",
		"<thinking>A</thinking>It<think>B</think> is": "It is",
		"```markdown\n# It\n\nis so\n```":             "# It\n\nis so",
		"```\nIt is so.\n```":                         "It is so.",
		"```html\n<b>It</b>\n```":                     "```html\n<b>It</b>\n```",
		"```md\nA\n```\nB\n```\nC\n```":               "```md\nA\n```\nB\n```\nC\n```",
	} {
		require.Equal(t, want, written(t, req, answer), answer)
	}
}
