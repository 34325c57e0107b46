package phrases_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/phrases"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// cut returns a text with a bar at each boundary.
func cut(text string, l transcript.Language) string {
	var b strings.Builder
	from := 0
	for _, x := range phrases.Boundaries(text, l) {
		b.WriteString(text[from:x.Offset] + "|")
		from = x.Offset
	}
	return b.String() + text[from:]
}

// Nothing breaks inside numbers, Latin words, and katakana words, before closing marks, or after opening marks.
func TestNeverInside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		text     string
		whole    []string // each is in one piece
	}{
		{"ja", "新しいコンピューターを買いました。", []string{"コンピューター"}},
		{"ja", "「ジョン・スミス」さんはGPT-4oを2024年に使った。", []string{"「ジョン・スミス」", "GPT-4o", "2024年"}},
		{"ja", "価格は3,500円で、割引は12.5％です！", []string{"3,500円", "12.5％", "です！"}},
		{"ja", "人々がちょっと待って、きゃっと叫んだ。", []string{"人々", "ちょっ", "きゃっ"}},
		{"zh", "我们在2024年用GPT-4o做了《新闻》。", []string{"2024年", "GPT-4o", "《新闻》。"}},
		{"zh", "他说：“好的。”然后走了（真的）。", []string{"说：", "“好的。”", "（真的）。"}},
		{"zh", "价格是¥35，涨了3.5%。", []string{"¥35，", "3.5%。"}},
	} {
		got := cut(c.text, c.language)
		require.Equal(t, c.text, strings.ReplaceAll(got, "|", ""))
		for _, w := range c.whole {
			require.Contains(t, got, w, got)
		}
	}
}

// Spaced languages break after spaces only. A text without boundaries has none.
func TestSpaced(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Who |wrote |the |first-ever |program?", cut("Who wrote the first-ever program?", "en"))
	require.Empty(t, phrases.Boundaries("", "ja"))
	require.Empty(t, phrases.Boundaries("コンピューター", "ja"))
}
