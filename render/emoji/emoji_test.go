package emoji_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/render/emoji"
)

// Emoji are found with and without a variation selector or a skin tone; a sequence is at least its first emoji. Text has no drawing.
func TestFind(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"🎉", "❤", "❤️", "🔥", "🇩🇪", "1️⃣", "✅", "🏳️‍🌈"} {
		shapes := emoji.Find(text)
		require.NotEmpty(t, shapes, text)
		for _, s := range shapes {
			require.Regexp(t, `^#[0-9a-f]{6}$`, s.Colour, text)
			require.Regexp(t, `^m( ?-?[0-9]+| [lbm])+$`, s.Path, text)
		}
	}
	require.Equal(t, emoji.Find("👍"), emoji.Find("👍🏽"))
	require.Equal(t, emoji.Find("👩"), emoji.Find("👩‍🚀"))
	require.NotEqual(t, emoji.Find("🏳️"), emoji.Find("🏳️‍🌈"))
	require.Empty(t, emoji.Find("a"))
	require.Empty(t, emoji.Find(""))
}
