package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/render"
)

// What is drawn in lines that are read from right to left, with the marks of direction as < and >.
func TestForeignWordsInLinesToLeft(t *testing.T) {
	t.Parallel()
	marks := strings.NewReplacer("\u200f", "<", "\u200e", ">")
	for line, want := range map[string]struct{ line, alone string }{
		// The full stop of a last foreign word is on its left.
		"שלום מן Ada.":     {"שלום מן Ada.", "שלום מן <Ada."},
		"שלום «API», שלום": {"שלום «API», שלום", "שלום <«API», שלום"},
		"בשעה 12:30.":      {"בשעה 12:30.", "בשעה <12:30."},
		// That of several foreign words stays with the last word where each is drawn alone.
		"על Kubernetes (v1.29).": {"על Kubernetes (v1.29)>.", "על Kubernetes (v1.29)."},
		// Brackets stay a pair.
		"על API (v2) שלום": {"על API (v2)> שלום", "על API (v2) שלום"},
		"שלום (API) על":    {"שלום (API) על", "שלום <(API) על"},
		// Words with a direction of their own, and foreign words without marks, need nothing.
		"מ-API. שלום": {"מ-API. שלום", "מ-API. שלום"},
		"שלום Ada על": {"שלום Ada על", "שלום Ada על"},
	} {
		words := strings.Split(line, " ")
		require.Equal(t, want.line, marks.Replace(strings.Join(render.Balanced(words), " ")), line)
		require.Equal(t, want.alone, marks.Replace(strings.Join(render.Alone(words), " ")), line)
	}
	require.Equal(t, "<Kubernetes (v1)>: שלום", marks.Replace(render.Directed("Kubernetes (v1): שלום", true)))
	require.Equal(t, "<Kubernetes:", marks.Replace(render.Directed("Kubernetes:", true)), "a line of a title without a letter of its language")
	require.Equal(t, "Kubernetes (v1).", render.Directed("Kubernetes (v1).", false))
}

// The spaces beside an emoji are pieces of their own: libass draws none at the end of a text.
func TestSpacesBesideEmoji(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Hello 👋 world":   {"Hello", " ", "👋", " ", "world"},
		"a b👋":            {"a b", "👋"},
		"👋 👋":             {"👋", " ", "👋"},
		"\u200f👋 שלום":    {"👋", " ", "שלום"},
		"no emoji at all": {"no emoji at all"},
	} {
		require.Equal(t, want, render.Pieces(text), text)
	}
}
