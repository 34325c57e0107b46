package fake_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// translate calls the Translator.
func translate(t require.TestingT, from, to transcript.Language, texts ...string) []string {
	out, err := fake.Translator{}.Translate(context.Background(), engine.TranslateRequest{From: from, To: to, Texts: texts})
	require.NoError(t, err)
	require.Len(t, out, len(texts))
	return out
}

var survives = regexp.MustCompile(`\[\[T\d+\]\]|\d+(?:[.,:/]\d+)*`)

// Between any two languages, a translation has sentences in the target language, questions for questions, and each term and number as
// often as the text.
func TestTranslateProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom(transcript.Languages()).Draw(t, "from")
		to := rapid.SampledFrom(transcript.Languages()).Filter(func(l transcript.Language) bool { return l != from }).Draw(t, "to")
		whole, carriers := lines(t, from)
		sentence := rapid.OneOf(
			rapid.SampledFrom(whole),
			rapid.Custom(func(t *rapid.T) string {
				term := rapid.SampledFrom([]string{"[[T0]]", "[[T1]]", "[[T12]]", "42", "3.5", "1,000"}).Draw(t, "term")
				return strings.Replace(rapid.SampledFrom(carriers).Draw(t, "carrier"), "{}", term, 1)
			}),
		)
		text := strings.Join(rapid.SliceOfN(sentence, 1, 6).Draw(t, "sentences"), " ")
		got := translate(t, from, to, text)[0]

		require.ElementsMatch(t, survives.FindAllString(text, -1), survives.FindAllString(got, -1), "%s\n%s", text, got)
		require.Equal(t, strings.ContainsAny(text, "?？"), strings.ContainsAny(got, "?？"), "%s\n%s", text, got)
		w := writingOf(to)
		for _, r := range survives.ReplaceAllString(got, "") {
			require.True(t, !unicode.IsLetter(r) || unicode.In(r, w.scripts...) || unicode.Is(unicode.Latin, r) || r == 'ー', "%q in %s", r, got)
		}
		last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(got, "»”’\"」』"))
		require.Contains(t, w.ends, string(last), got)
	})
}

// A translation takes about as long to speak as the text.
func TestTranslateLength(t *testing.T) {
	t.Parallel()
	for _, to := range transcript.Languages() {
		whole, _ := lines(t, "en")
		for from := 0; from+5 <= len(whole); from += 15 {
			text := strings.Join(whole[from:from+5], " ")
			got := translate(t, "en", to, text)[0]
			length := len(strings.Fields(text))
			switch {
			case !to.Spaced():
				require.InDelta(t, 2*length, utf8.RuneCountInString(got), float64(length)*1.2, "%s: %s\n%s", to, text, got)
			default:
				require.InDelta(t, length, len(strings.Fields(got)), float64(length)/2, "%s: %s\n%s", to, text, got)
			}
		}
	}
}

// The translation of a text doesn't depend on the other texts of the request. Different texts usually have different translations.
func TestTranslateIsDeterministic(t *testing.T) {
	t.Parallel()
	for _, to := range transcript.Languages() {
		if to == "en" {
			continue
		}
		whole, _ := lines(t, "en")
		together := translate(t, "en", to, whole[:30]...)
		seen := map[string]bool{}
		for i, text := range whole[:30] {
			require.Equal(t, together[i], translate(t, "en", to, text)[0], text)
			seen[together[i]] = true
		}
		require.Greater(t, len(seen), 15, to)
	}
}

// A text in the target language or without words is unchanged. An unsupported target language is CodeInvalid.
func TestTranslateEdges(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"Hello.", ""}, translate(t, "en", "en", "Hello.", ""))
	still := []string{"", " ", "…", "[[T1]]", "42!", "[[T0]] 3.5"}
	require.Equal(t, still, translate(t, "en", "de", still...))
	require.Empty(t, translate(t, "en", "de"))
	require.True(t, utf8.ValidString(translate(t, "", "de", "a\xffb")[0]))

	_, err := fake.Translator{}.Translate(t.Context(), engine.TranslateRequest{From: "en", To: "tlh", Texts: []string{"Hello."}})
	require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = fake.Translator{}.Translate(ctx, engine.TranslateRequest{From: "en", To: "de", Texts: []string{"Hello."}})
	require.ErrorIs(t, err, context.Canceled)
}
