package llm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/llm"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// many are n utterances of about 40 tokens.
func many(n int) (texts []string) {
	for range n {
		texts = append(texts, strings.Repeat("so it goes on and on ", 8))
	}
	return texts
}

func about(passages []transcript.Passage) engine.WriteRequest {
	return engine.WriteRequest{Task: engine.TaskChat, Prompt: "What goes on?", Language: "en", Passages: passages}
}

// A Config that can't work is refused with a sentence, and one that says little is completed.
func TestNew(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]llm.Config{
		"There is no language model": {},
		"context_tokens is -1":       {Completer: says("x"), ContextTokens: -1},
		"context_tokens is 2047":     {Completer: says("x"), ContextTokens: 2047},
		"answer_tokens is 5":         {Completer: says("x"), AnswerTokens: 5},
	} {
		_, err := llm.New(c)
		requireError(t, err, engine.CodeInvalid, false, want)
	}
	m, err := llm.New(llm.Config{Completer: says("x")})
	require.NoError(t, err)
	require.Equal(t, llm.DefaultContextTokens, m.ContextTokens())
}

// An answer is given the room that the context has, and what has no room for one isn't sent.
func TestRoom(t *testing.T) {
	t.Parallel()
	s := says("An answer.")
	_, err := model(t, s, 8192).Write(t.Context(), about(spoken(10, many(110)...)))
	require.NoError(t, err)
	require.Less(t, s.asked[0].MaxTokens, 3000)
	require.Greater(t, s.asked[0].MaxTokens, 1500)

	s = says("An answer.")
	_, err = model(t, s, 8192).Write(t.Context(), about(spoken(20, many(190)...)))
	requireError(t, err, engine.CodeUnavailable, false, "longer than the language model can read")
	require.Empty(t, s.asked)
}

// What a user says that a recording is about leaves room for the recording, in whatever script it is.
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

// A server that counts far fewer tokens than a request has, or just as many as contexts have, has cut it; in no script is a model that
// knows it well taken for one that cuts.
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
		{"just a context of Ollama", "so it goes ", 2000, 4096, true},
		{"just that, but of a request that may have it", "so it goes ", 1100, 4096, false},
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
		requireError(t, err, engine.CodeUnavailable, false, "did not read all of the request")
		var e *engine.Error
		require.ErrorAs(t, err, &e)
		require.Contains(t, e.Hint, "num_ctx", c.says)
		require.Contains(t, e.Hint, "context_tokens", c.says)
	}
}

// An answer that is cut off is asked for once more, with more tokens for it, and of fewer passages where they leave no room; then it is an
// error.
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
		{"all went into thinking", spoken(10, many(20)...), llm.Answer{Text: "<think>Hm", Finish: llm.FinishLength}, false},
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

// A refusal is for good and says so; nothing said may be tried again.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	_, err := model(t, &stub{answers: []llm.Answer{{Text: "I can't", Finish: llm.FinishRefused}}}, 0).Write(t.Context(), about(spoken(2, talk...)))
	requireError(t, err, engine.CodeUnavailable, false, "declined")
	for _, answer := range []string{"", " \n", "<think>Well.</think>", "<THINK>\nnever ends", "\x00", "```\n```"} {
		_, err := model(t, says(answer), 0).Write(t.Context(), about(spoken(2, talk...)))
		requireError(t, err, engine.CodeUnavailable, true, "")
	}
	_, err = model(t, says("x"), 0).Write(t.Context(), engine.WriteRequest{Task: "sing", Passages: spoken(2, talk...)})
	requireError(t, err, engine.CodeInvalid, false, `no task "sing"`)
}

// What models put around an answer is taken off: what they think, and a block of code that all of it stands in.
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
