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

// TestTranslator checks an implementation of engine.Translator. Each subtest calls open.
func TestTranslator(t *testing.T, open func(t *testing.T) engine.Translator) {
	t.Helper()
	runClaims(t, open, []claim[engine.Translator]{
		{"texts are translated in order with their terms preserved", translatesEach},
		{"a long list is translated completely", translatesMany},
		{"texts already in the target language are returned unchanged", keepsSameLanguage},
		{"an empty list has no translations", translatesNone},
		{"unusual texts are translated or rejected", translatesOddTexts},
		{"a translator doesn't modify the given texts", leavesTexts},
		{"a translator supports concurrent calls", translatesConcurrently},
		{"a translator translates nothing when its context has ended", translateEndsWithContext},
	})
}

// termTokens matches the placeholders that a translation must preserve.
var termTokens = regexp.MustCompile(`\[\[T[0-9]+\]\]`)

// textsWithTerms returns n texts with terms. Each has [[T0]] and a term of its own; every third has that term twice.
func textsWithTerms(k dialogue, n int) (texts []string) {
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

// requireTranslated fails the test unless each text has a valid, non-empty translation with the same terms.
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
	for _, k := range corpus {
		for _, to := range transcript.Languages() {
			if to == k.language {
				continue
			}
			texts := append(textsWithTerms(k, 3), k.turns...)
			got, err := tr.Translate(t.Context(), engine.TranslateRequest{From: k.language, To: to, Texts: texts})
			require.NoError(t, err)
			requireTranslated(t, texts, got)
		}
	}
}

func translatesMany(t *testing.T, tr engine.Translator) {
	texts := textsWithTerms(corpus[0], 400)
	got, err := tr.Translate(t.Context(), engine.TranslateRequest{From: "en", To: "de", Texts: texts})
	require.NoError(t, err)
	requireTranslated(t, texts, got)
}

func keepsSameLanguage(t *testing.T, tr engine.Translator) {
	for _, k := range corpus {
		texts := append(textsWithTerms(k, 2), k.turns...)
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
	odd := slices.DeleteFunc(oddTexts(), func(s string) bool { return checkText(s) != nil }) // the engine never sends invalid text
	for _, texts := range append([][]string{odd, {strings.Join(odd, "\n")}}, slices.Collect(slices.Chunk(odd, 1))...) {
		got, err := tr.Translate(t.Context(), engine.TranslateRequest{From: "en", To: "ja", Texts: texts})
		if err != nil {
			requireMessage(t, err, fmt.Sprintf("%.60q", texts[0]))
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
		texts := textsWithTerms(corpus[0], 5)
		got, err := tr.Translate(t.Context(), engine.TranslateRequest{From: "en", To: to, Texts: texts})
		require.NoError(t, err)
		require.Len(t, got, 5)
		got[0] = "the caller changes the result"
		require.Equal(t, textsWithTerms(corpus[0], 5), texts)
	}
}

func translatesConcurrently(t *testing.T, tr engine.Translator) {
	require.NoError(t, concurrently(16, func(i int) error {
		k := corpus[i%len(corpus)]
		texts := textsWithTerms(k, 4+i)
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

func translateEndsWithContext(t *testing.T, tr engine.Translator) {
	for _, to := range []transcript.Language{"de", "en"} {
		requireCanceled(t, func(ctx context.Context) error {
			_, err := tr.Translate(ctx, engine.TranslateRequest{From: "en", To: to, Texts: corpus[0].turns})
			return err
		})
	}
}
