package captions

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Marks that open may begin a word; a number may begin with a currency or a sign.
func TestFirstMarks(t *testing.T) {
	t.Parallel()
	for r, want := range map[rune]bool{
		'"': true, '«': true, '»': true, '„': true, '‚': true, '(': true, '¿': true, '¡': true, '\u00a0': true, '\u202f': true, ')': false, 'a': false, '.': false,
	} {
		require.Equal(t, want, isOpening(r), string(r))
	}
	p := vocabularyOf("en")
	for word, want := range map[string]bool{"3": true, "$3": true, "-3": true, "−3": true, "+3": true, "±3": true, "~3": true, "€3.50": true, "a3": false, "*3": false} {
		require.Equal(t, want, p.facts(word).digits, word)
	}
	for _, mark := range []string{`"`, "“", "„"} {
		q := quotes{language: "en"}
		require.Equal(t, []int{displayWidth(mark), 1}, []int{q.facts(mark).columns, q.facts(mark).chars})
	}
}

// Words that lost a vowel have the role of what follows it, and clitics belong to the verb after them.
func TestElidedWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		word     string
		want     bool
	}{
		{"fr", "jusqu'au", true}, {"fr", "jusqu’à", true}, {"fr", "d'une", true}, {"fr", "qu'un", true}, {"fr", "ne", true},
		{"fr", "aujourd'hui", false}, {"fr", "quelqu'un", false}, {"fr", "l'homme", false},
		{"it", "dell'un", true}, {"it", "c'è", false}, {"en", "o'the", false}, {"es", "lo", true}, {"es", "cuadro", false},
	} {
		require.Equal(t, c.want, vocabularyOf(c.language).facts(c.word).bound, "%s: %s", c.language, c.word)
	}
	require.True(t, vocabularyOf("fr").facts("qu'il").subject)
	require.True(t, vocabularyOf("de").facts("es").subject)
}

// Vocabularies are built once per supported language, however many other languages transcripts name. What a text sets is its own.
func TestVocabularyIsShared(t *testing.T) {
	t.Parallel()
	first, second := vocabularyOf("sv"), vocabularyOf("sv")
	require.True(t, first.capitalsName)
	second.capitalsName = false
	require.True(t, first.capitalsName)
	require.True(t, vocabularyOf("sv").capitalsName)
	require.Equal(t, reflect.ValueOf(first.roles).Pointer(), reflect.ValueOf(second.roles).Pointer())
	vocabularyOf("sv-x-test")
	_, ok := vocabularies.Load(transcript.Language("sv-x-test"))
	require.False(t, ok)
}
