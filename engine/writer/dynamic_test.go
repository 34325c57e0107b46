package writer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Each kind of content that a prompt names has a heading and the requested number of items. The prompt can be in the transcript's
// language or in English.
func TestLLMCarriesOutPrompts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		prompt   string
		headings []string
		part     string // text that occurs parts times
		parts    int
	}{
		{"en", "Give me 3 quotes", []string{"Quotes"}, "> — ", 3},
		{"en", "Write a summary in four bullet points", []string{"Summary"}, "\n- ", 4},
		{"en", "Two tweets about the launch, please.", []string{"Posts"}, "**Post ", 2},
		{"en", "Suggest six titles", []string{"Title ideas"}, "\n", 7},
		{"en", "What are the chapters? Then list 2 key topics.", []string{"Chapters", "Key topics"}, "\n- **", 2},
		{"en", "List the questions that were asked", []string{"Questions"}, "?", 8},
		{"en", "What are the action items?", []string{"Action items"}, "", 0},
		{"de", "Schreibe drei Zitate und eine Zusammenfassung", []string{"Zitate", "Zusammenfassung"}, "> — ", 3},
		{"de", "Give me 2 quotes", []string{"Zitate"}, "> — ", 2},
		{"es", "Dame cuatro citas", []string{"Citas"}, "> — ", 4},
		{"fr", "Propose trois titres", []string{"Idées de titres"}, "\n", 4},
		{"hi", "तीन उद्धरण दीजिए", []string{"उद्धरण"}, "> — ", 3},
		{"id", "Tuliskan tiga kutipan", []string{"Kutipan"}, "> — ", 3},
		{"it", "Scrivi due citazioni", []string{"Citazioni"}, "> — ", 2},
		{"ja", "引用を三つください", []string{"引用"}, "> — ", 3},
		{"ko", "인용문 세 개를 알려 줘", []string{"인용문"}, "> — ", 3},
		{"nl", "Geef me drie citaten", []string{"Citaten"}, "> — ", 3},
		{"no", "Gi meg tre sitater", []string{"Sitater"}, "> — ", 3},
		{"pl", "Podaj trzy cytaty", []string{"Cytaty"}, "> — ", 3},
		{"pt", "Escreva três citações", []string{"Citações"}, "> — ", 3},
		{"ru", "Дай две цитаты", []string{"Цитаты"}, "> — ", 2},
		{"sv", "Ge mig tre citat", []string{"Citat"}, "> — ", 3},
		{"tr", "Üç alıntı yaz", []string{"Alıntılar"}, "> — ", 3},
		{"uk", "Напиши три цитати", []string{"Цитати"}, "> — ", 3},
		{"zh", "给我三条金句", []string{"金句"}, "> — ", 3},
		{"hi", "Write ५ quotes", []string{"उद्धरण"}, "> — ", 5},
		{"en", "Give me 999 quotes", []string{"Quotes"}, "> — ", 20},
	} {
		text := write(t, engine.WriteRequest{
			Task: engine.TaskGenerate, Type: engine.OutputDynamic, Prompt: c.prompt, Language: c.language, Passages: conversation(t, c.language),
		})
		var headings []string
		for row := range strings.Lines(text) {
			if h, ok := strings.CutPrefix(strings.TrimSuffix(row, "\n"), "## "); ok {
				headings = append(headings, h)
			}
		}
		require.Equal(t, c.headings, headings, "%s: %s", c.prompt, text)
		if c.part == "\n" {
			text = strings.ReplaceAll(text, "\n\n", "\n")
			require.Equal(t, c.parts-1, strings.Count(text, c.part), "%s: %s", c.prompt, text)
		} else if c.part != "" {
			require.Equal(t, c.parts, strings.Count(text, c.part), "%s: %s", c.prompt, text)
		}
	}
}

// A prompt that names no kind of content gets the most relevant sentences, or the most important ones.
func TestLLMFindsWhatAPromptIsAbout(t *testing.T) {
	t.Parallel()
	p := passages([]transcript.Utterance{
		{Speaker: "A", Text: "The bakery closed in winter. We sold bread for nine years."}, {Speaker: "B", Text: "My brother fixed the oven twice."},
	}, "en", 1)
	text := write(t, engine.WriteRequest{Task: engine.TaskGenerate, Type: engine.OutputDynamic, Prompt: "Tell the story of the oven.", Language: "en", Passages: p})
	require.Equal(t, "## What was said about it\n\n- My brother fixed the oven twice. (B, 0:00)", text)
	text = write(t, engine.WriteRequest{Task: engine.TaskGenerate, Type: engine.OutputDynamic, Prompt: "Compose a haiku.", Language: "en", Passages: p})
	require.True(t, strings.HasPrefix(text, "## Highlights\n\n- "), text)
}

// If the transcript has nothing of a kind, the text says so.
func TestLLMSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	p := passages([]transcript.Utterance{{Speaker: "A", Text: "The bakery closed in winter."}}, "en", 1)
	for prompt, want := range map[string]string{
		"List the questions": "## Questions\n\nNo questions are asked in this recording.",
		"List action items":  "## Action items\n\nNo action items come up in this recording.",
	} {
		require.Equal(t, want, write(t, engine.WriteRequest{
			Task: engine.TaskGenerate, Type: engine.OutputDynamic, Prompt: prompt, Language: "en", Passages: p,
		}))
	}
}
