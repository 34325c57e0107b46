package captions_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A bar is the break. Titles, initials, and given names belong to what follows; nouns of German and words in capitals don't.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		text     string
		want     bool
	}{
		{"en", "then I saw Ada|Lovelace again", true},
		{"en", "we asked Dr.|Okonkwo about it", true},
		{"en", "Dr.|Okonkwo came", true},
		{"en", "a book by J.|Smith", true},
		{"en", "we talked to Ludwig|van Beethoven", false}, // the particle isn't a capital
		{"en", "Ada|Lovelace came", false},                 // perhaps the first word of a sentence
		{"en", "She left. Then|Ada came", false},
		{"en", "the staff of NASA|Headquarters", false},
		{"en", "it was I|Ada saw", false},
		{"en", "and Ada,|Lovelace and Bob", false},
		{"en", "and Ada|came", false},
		{"de", "dann ging die Frau|Meier nach Hause", true}, // a title
		{"de", "das Haus|Nummer drei", false},
		{"de", "dann kam Anna|Meier nach Hause", true}, // a given name
		{"fr", "on a vu Mme|Dupont hier", true},
		{"es", "llamamos a la Dra.|García ayer", true},
		{"", "we asked Dr.|Okonkwo", true},
		{"en", "|Ada", false},
		{"en", "Ada|", false},
	} {
		before, after, _ := strings.Cut(c.text, "|")
		require.Equal(t, c.want, captions.NewNames(c.language).Split(before, after), "%s: %s", c.language, c.text)
	}
}
