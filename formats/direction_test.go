package formats

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// Text is split where its direction changes. Neutral characters join what precedes them, and at the start the paragraph.
func TestDirections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text      string
		paragraph bool
		want      []directed
	}{
		{"abc 12.", false, []directed{{"abc 12.", false}}},
		{"abc שלום 12 d", false, []directed{{"abc ", false}, {"שלום 12 ", true}, {"d", false}}},
		{"שלום abc", false, []directed{{"שלום ", true}, {"abc", false}}},
		{"abc שלום", true, []directed{{"abc ", false}, {"שלום", true}}},
		{"12 abc", true, []directed{{"12 ", true}, {"abc", false}}},
		{"12.", true, []directed{{"12.", true}}},
		{"العربية", true, []directed{{"العربية", true}}},
	} {
		require.Equal(t, c.want, directions(c.text, c.paragraph), "%q %t", c.text, c.paragraph)
	}
}

// Letters have a strong direction. Digits, punctuation, and the signs between letters have none.
func TestStrength(t *testing.T) {
	t.Parallel()
	for _, r := range "AZazÀéЖअ日" {
		rtl, strong := strength(r)
		require.Equal(t, [2]bool{false, true}, [2]bool{rtl, strong}, "%c", r)
	}
	for _, r := range "\u0590אתابي" {
		rtl, strong := strength(r)
		require.Equal(t, [2]bool{true, true}, [2]bool{rtl, strong}, "%U", r)
	}
	for _, r := range "@[`{ .09¿©٠、。" {
		rtl, strong := strength(r)
		require.Equal(t, [2]bool{false, false}, [2]bool{rtl, strong}, "%c", r)
	}
}

// A missing font becomes CodeUnavailable with a hint; another error stays what it is.
func TestFontError(t *testing.T) {
	t.Parallel()
	other := errors.New("other")
	require.ErrorIs(t, fontError(other), other)
	err := fontError(&typeset.MissingError{Script: "Thai", Debian: "fonts-thai"})
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
	require.Equal(t, "No font found for Thai text.", fault.Message(err))
}
