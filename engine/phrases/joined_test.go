package phrases

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// These pairs of characters never part, and those may, whatever the model says.
func TestJoined(t *testing.T) {
	t.Parallel()
	for _, pair := range []string{"コン", "ター", "ン・", "4o", "T-", "3.", "2年", "3円", "5％", "「あ", "（中", "“好", "あ」", "は、", "た。", "た！", "人々", "きょ", "か\u3099", "あ ", "¥3", "👨\u200d", "\u200d👩"} {
		runes := []rune(pair)
		require.True(t, joined(runes, kindsOf(runes), 1), pair)
	}
	for _, pair := range []string{"はコ", "ンは", "は2", "年2", "A社", "社A", "た「", "、あ", "。あ", " あ", "5「", "食べ", "中国"} {
		runes := []rune(pair)
		require.False(t, joined(runes, kindsOf(runes), 1), pair)
	}
	number := []rune("3,500")
	require.True(t, joined(number, kindsOf(number), 1))
	require.True(t, joined(number, kindsOf(number), 2))
}
