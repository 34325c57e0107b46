package llm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/llm"
)

type item struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

// textsOf returns the texts in a translation request.
func textsOf(t *testing.T, r llm.Request) (list []item) {
	t.Helper()
	_, rest, ok := strings.Cut(r.User, ">>>\n")
	require.True(t, ok)
	rest, _, _ = strings.Cut(rest, "\n<<<end")
	require.NoError(t, json.Unmarshal([]byte(rest), &list))
	return list
}

// translator returns a stub that upper-cases each text; change modifies its answer.
func translator(t *testing.T, change func(list []item) llm.Answer) *stub {
	return &stub{reply: func(r llm.Request) llm.Answer {
		list := textsOf(t, r)
		for i := range list {
			list[i].Text = strings.ToUpper(list[i].Text)
		}
		return change(list)
	}}
}

func answering(list []item) llm.Answer {
	b, _ := json.Marshal(map[string]any{"translations": list})
	return llm.Answer{Text: string(b)}
}

func numbered(n int) (texts []string) {
	for i := range n {
		texts = append(texts, fmt.Sprint("text ", i))
	}
	return texts
}

func translate(t *testing.T, s *stub, texts ...string) ([]string, error) {
	t.Helper()
	return model(t, s, 0).Translate(t.Context(), engine.TranslateRequest{From: "en", To: "de", Texts: texts})
}

// Ids are matched one to one. A text whose id is missing, repeated, or without text is "", for the engine to request
// alone. Unknown ids are ignored.
func TestTranslateIDs(t *testing.T) {
	t.Parallel()
	s := translator(t, func(list []item) llm.Answer {
		list[1].Text = " "
		list[2].ID = 99
		list = append(list, item{4, "AGAIN"}, item{0, "ZERO"}, item{-1, "MINUS"}, item{6, "SIX"})
		return answering(list)
	})
	got, err := translate(t, s, numbered(5)...)
	require.NoError(t, err)
	require.Equal(t, []string{"TEXT 0", "", "", "", "TEXT 4"}, got)
	require.Len(t, s.asked, 1)
}

// Batches are limited, and texts without letters or digits aren't sent.
func TestTranslateBatches(t *testing.T) {
	t.Parallel()
	texts := append(numbered(100), "", "…", strings.Repeat("long ", 2000), "[[T0]] and [[T1]]")
	s := translator(t, answering)
	got, err := translate(t, s, texts...)
	require.NoError(t, err)
	for i, text := range texts {
		require.Equal(t, strings.TrimSpace(strings.ToUpper(text)), got[i])
	}
	require.Len(t, s.asked, 5)
	for _, r := range s.asked {
		require.True(t, r.JSON)
		require.LessOrEqual(t, len(textsOf(t, r)), 40)
	}
	_, err = model(t, s, 0).Translate(t.Context(), engine.TranslateRequest{From: "en", To: "tlh", Texts: texts})
	requireError(t, err, engine.CodeInvalid, false, `Unknown language "tlh"`)
}

// After a truncated answer, the missing texts are requested again, together. A single text that doesn't fit is an error.
func TestTranslateCutOff(t *testing.T) {
	t.Parallel()
	cut := func(list []item) llm.Answer {
		a := answering(list)
		if len(list) > 3 {
			a.Text, a.Finish = a.Text[:len(a.Text)*2/3], llm.FinishLength
		}
		return a
	}
	s := translator(t, cut)
	got, err := translate(t, s, numbered(12)...)
	require.NoError(t, err)
	for i, text := range got {
		require.Equal(t, fmt.Sprint("TEXT ", i), text)
	}
	require.Less(t, len(s.asked), 6)

	s = translator(t, func([]item) llm.Answer { return llm.Answer{Text: "{", Finish: llm.FinishLength} })
	_, err = translate(t, s, "one")
	requireError(t, err, engine.CodeUnavailable, false, "cut off")
}

// A batch whose answer isn't JSON is requested in halves. If those fail too, there are no more requests.
func TestTranslateUnreadable(t *testing.T) {
	t.Parallel()
	s := translator(t, func(list []item) llm.Answer {
		if len(list) > 6 {
			return llm.Answer{Text: "Sure! " + list[0].Text}
		}
		return answering(list)
	})
	got, err := translate(t, s, numbered(12)...)
	require.NoError(t, err)
	require.NotContains(t, got, "")
	require.Len(t, s.asked, 3)

	s = says("Sure!")
	_, err = translate(t, s, numbered(12)...)
	requireError(t, err, engine.CodeUnavailable, true, "could not be parsed")
	require.Len(t, s.asked, 3)

	got, err = translate(t, says("Sure!"), "one")
	require.NoError(t, err)
	require.Equal(t, []string{""}, got)
}
