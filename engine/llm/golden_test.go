package llm_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/golden"
)

// same compares a text with a golden file.
func same(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	require.Equal(t, golden.Read(t, file, []byte(got)), got, file)
}

// asked formats the only request that a stub got.
func asked(t *testing.T, s *stub) string {
	t.Helper()
	require.Len(t, s.asked, 1)
	r := s.asked[0]
	return fmt.Sprintf("max tokens %d, json %v\n--- system\n%s\n--- user\n%s", r.MaxTokens, r.JSON, r.System, r.User)
}

// The prompts don't change by accident: a change must update the golden files.
func TestGoldenPrompts(t *testing.T) {
	t.Parallel()
	for _, req := range []engine.WriteRequest{
		{Task: engine.TaskGenerate, Type: engine.OutputOverview, Prompt: "Write an overview.", Language: "en"},
		{Task: engine.TaskGenerate, Type: engine.OutputQuotes, Prompt: "Choose quotes.", Language: "de"},
		{Task: engine.TaskGenerate, Type: engine.OutputKeyTopics, Prompt: "List topics.", Language: "ja"},
		{Task: engine.TaskGenerate, Type: engine.OutputChapters, Prompt: "Divide it.", Language: "hi"},
		{Task: engine.TaskGenerate, Type: engine.OutputSocialPosts, Prompt: "Write posts.", Language: "pt"},
		{Task: engine.TaskGenerate, Type: engine.OutputDynamic, Prompt: "A poem about Maria.", Language: "uk", Context: "An episode of a\nshow by the sea."},
		{Task: engine.TaskChat, Prompt: "Who repaired the lighthouse?", Language: "no"},
		{Task: engine.TaskSpeaker, Prompt: "Mara", Language: "zh"},
	} {
		s := says("An answer.")
		req.Passages = spoken(2, talk...)
		_, err := model(t, s, 0).Write(t.Context(), req)
		if req.Type == engine.OutputQuotes { // how it is asked again
			require.Len(t, s.asked, 2)
			require.Error(t, err)
			same(t, "generate-quotes-again.golden", asked(t, &stub{asked: s.asked[1:]}))
		}
		s.asked = s.asked[:1]
		same(t, strings.Trim(string(req.Task)+"-"+string(req.Type), "-")+".golden", asked(t, s))
	}
	s := says(`{"suggestions":[]}`)
	_, err := model(t, s, 0).Suggest(t.Context(), engine.Transcript{ContextPrompt: "A show.", Transcript: transcript.Transcript{Language: "fr", Utterances: spoken(9, talk...)[0].Utterances, Duration: time.Minute}}, 12)
	require.NoError(t, err)
	same(t, "suggest.golden", asked(t, s))

	s = says(`{"translations":[{"id":1,"text":"…"},{"id":2,"text":"…"}]}`)
	_, err = model(t, s, 0).Translate(t.Context(), engine.TranslateRequest{From: "en", To: "ko", Texts: []string{"Thank you, [[T0]]!", "<b>\"Why?\"</b>"}})
	require.NoError(t, err)
	same(t, "translate.golden", asked(t, s))
}
