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

// TestTranslator runs every claim about a Translator, each on one that open has just made.
func TestTranslator(t *testing.T, open func(t *testing.T) engine.Translator) {
	t.Helper()
	uphold(t, open, []claim[engine.Translator]{
		{"each text has its translation, in the same order, with its terms exactly as often", translatesEach},
		{"a long list is translated whole", translatesMany},
		{"texts that are in the language already come back as they are", translatesNothing},
		{"no texts have no translations", translatesNone},
		{"texts of any kind are translated or refused, one for one", translatesOddTexts},
		{"a translator leaves the texts that it is given as they are", leavesTexts},
		{"a translator works for many at once", translatesAtOnce},
		{"a translator whose context is over translates nothing", translatesNothingWhenOver},
	})
}

// termTokens matches what must come back unchanged.
var termTokens = regexp.MustCompile(`\[\[T[0-9]+\]\]`)

// termed returns n texts of a talk, each with a term of its own, which every third text has twice, and one that all have.
func termed(k talk, n int) (texts []string) {
	for i := range n {
		text := fmt.Sprintf("[[T%d]] %s [[T0]]", i+1, k.turns[i%len(k.turns)])
		if i%3 == 0 {
			text += fmt.Sprintf(" [[T%d]]?", i+1)
		}
		texts = append(texts, text)
	}
	return texts
}

// termsOf returns the terms of a text, sorted.
func termsOf(text string) []string {
	terms := termTokens.FindAllString(text, -1)
	slices.Sort(terms)
	return terms
}

// requireTranslated claims that there is a text for each text, which can be shown and has its terms.
func requireTranslated(t *testing.T, texts, got []string) {
	t.Helper()
	require.Len(t, got, len(texts))
	for i, text := range texts {
		requireText(t, got[i], text)
		require.NotEmpty(t, strings.TrimSpace(got[i]), text)
		require.Equal(t, termsOf(text), termsOf(got[i]), "%s\n%s", text, got[i])
	}
}

func translatesEach(t *testing.T, tr engine.Translator) {
	for _, k := range talks {
		for _, to := range transcript.Languages() {
			if to == k.language {
				continue
			}
			texts := append(termed(k, 3), k.turns...)
			got, err := tr.Translate(t.Context(), engine.TranslateRequest{From: k.language, To: to, Texts: texts})
			require.NoError(t, err)
			requireTranslated(t, texts, got)
		}
	}
}

func translatesMany(t *testing.T, tr engine.Translator) {
	texts := termed(talks[0], 400)
	got, err := tr.Translate(t.Context(), engine.TranslateRequest{From: "en", To: "de", Texts: texts})
	require.NoError(t, err)
	requireTranslated(t, texts, got)
}

func translatesNothing(t *testing.T, tr engine.Translator) {
	for _, k := range talks {
		texts := append(termed(k, 2), k.turns...)
		got, err := tr.Translate(t.Context(), engine.TranslateRequest{From: k.language, To: k.language, Texts: texts})
		require.NoError(t, err)
		require.Equal(t, texts, got)
	}
}

func translatesNone(t *testing.T, tr engine.Translator) {
	for _, texts := range [][]string{nil, {}} {
		for _, to := range []transcript.Language{"de", "en"} {
			got, err := tr.Translate(t.Context(), engine.TranslateRequest{From: "en", To: to, Texts: texts})
			require.NoError(t, err)
			require.Empty(t, got)
		}
	}
}

func translatesOddTexts(t *testing.T, tr engine.Translator) {
	odd := slices.DeleteFunc(oddTexts(), func(s string) bool { return checkText(s) != nil }) // the engine never has those
	for _, texts := range append([][]string{odd, {strings.Join(odd, "\n")}}, slices.Collect(slices.Chunk(odd, 1))...) {
		got, err := tr.Translate(t.Context(), engine.TranslateRequest{From: "en", To: "ja", Texts: texts})
		if err != nil {
			requireRefused(t, err, fmt.Sprintf("%.60q", texts[0]))
			continue
		}
		require.Len(t, got, len(texts))
		for i, text := range texts {
			requireText(t, got[i], fmt.Sprintf("%.60q", text))
			require.Equal(t, termsOf(text), termsOf(got[i]))
		}
	}
}

func leavesTexts(t *testing.T, tr engine.Translator) {
	for _, to := range []transcript.Language{"de", "en"} {
		texts := termed(talks[0], 5)
		got, err := tr.Translate(t.Context(), engine.TranslateRequest{From: "en", To: to, Texts: texts})
		require.NoError(t, err)
		require.Len(t, got, 5)
		got[0] = "somebody changes what came back"
		require.Equal(t, termed(talks[0], 5), texts)
	}
}

func translatesAtOnce(t *testing.T, tr engine.Translator) {
	require.NoError(t, together(16, func(i int) error {
		k := talks[i%len(talks)]
		texts := termed(k, 4+i)
		got, err := tr.Translate(t.Context(), engine.TranslateRequest{From: k.language, To: "sv", Texts: texts})
		if err != nil {
			return err
		}
		if len(got) != len(texts) || !slices.Equal(termsOf(texts[1]), termsOf(got[1])) {
			return fmt.Errorf("%q became %q", texts, got)
		}
		return nil
	}))
}

func translatesNothingWhenOver(t *testing.T, tr engine.Translator) {
	for _, to := range []transcript.Language{"de", "en"} {
		requireOver(t, func(ctx context.Context) error {
			_, err := tr.Translate(ctx, engine.TranslateRequest{From: "en", To: to, Texts: talks[0].turns})
			return err
		})
	}
}
