package writer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/answer"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Everything that the LLM writes passes the checks of a model's texts, in every language, for short and long recordings.
func TestLLMPassesChecks(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		for _, n := range []int{1, 4} {
			p := repeat(conversation(t, language), n)
			s := answer.NewSource(p, "")
			checks := map[engine.OutputType]func(string) []answer.Fault{
				engine.OutputQuotes: s.CheckQuotes, engine.OutputChapters: s.CheckChapters, engine.OutputDynamic: s.CheckCitations,
			}
			for _, kind := range append(builtIns, engine.OutputDynamic) {
				text := write(t, engine.WriteRequest{Task: engine.TaskGenerate, Type: kind, Prompt: "Quotes, chapters, and a summary", Language: language, Passages: p})
				check := checks[kind]
				if check == nil {
					check = func(text string) []answer.Fault { return s.CheckProse(text, false) }
				}
				require.Empty(t, check(text), "%s %s: %s", language, kind, text)
			}
		}
	}
}
