package render_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/render"
)

// southeastTitles are titles without spaces, with bars where lines may break.
var southeastTitles = []string{
	"การประชุม|เศรษฐกิจ|โลกที่กรุง|เทพมหานคร|เริ่ม|แล้ว",
	"น้ำ|ท่วม|ใหญ่ภาค|เหนือ|และการช่วย|เหลือ",
	"ทำ|งานทุกๆ|วัน",
	"ກອງປະຊຸມ|ເສດຖະກິດ|ໂລກທີ່ນະຄອນຫຼວງ|ໄດ້|ເລີ່ມ|ແລ້ວ",
	"ព្រះ|រា|ជា|ណាចក្រកម្ពុ|ជា",
	"ภาษา|ไทย (Thai) 2026และ|ເພງລາວ",
	"Nothing of it, 日本語です.",
	"",
}

// Thai, Lao, and Khmer break before syllables only.
func TestSyllables(t *testing.T) {
	t.Parallel()
	for _, want := range southeastTitles {
		require.Equal(t, want, strings.Join(render.Syllables(strings.ReplaceAll(want, "|", "")), "|"))
	}
}

// A title of these languages that is wider than a line gets two lines rather than smaller letters and an ellipsis.
func TestSoutheastTitles(t *testing.T) {
	t.Parallel()
	for _, title := range southeastTitles[:5] {
		title = strings.ReplaceAll(title, "|", "")
		width := render.TextWidth(title)
		lines, ok := render.TwoLines(title, width*0.8, "en")
		require.True(t, ok, title)
		require.Equal(t, title, strings.Join(lines, ""))
		require.Len(t, lines, 2)
	}
}

// Syllables never tear a character from its marks, and are the whole text.
func FuzzSyllables(f *testing.F) {
	for _, title := range southeastTitles {
		f.Add(strings.ReplaceAll(title, "|", ""))
	}
	f.Add("เเ\u0e31แ\u17d2ក\u17d2ខ\u200d\u0ec0")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		parts := render.Syllables(text)
		require.Equal(t, text, strings.Join(parts, ""))
		var ends []int
		at := 0
		for g := uniseg.NewGraphemes(text); g.Next(); {
			at += len(g.Str())
			ends = append(ends, at)
		}
		at = 0
		for _, part := range parts {
			at += len(part)
			require.True(t, text == "" || slices.Contains(ends, at), "%q torn at %d", text, at)
		}
	})
}
