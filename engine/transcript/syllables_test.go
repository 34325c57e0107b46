package transcript_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Syllables of Thai, Lao, Khmer, and Burmese are split where one begins for certain (|). Vowels, marks, and silent consonants stay with the
// letters that they belong to (–).
func TestSyllables(t *testing.T) {
	t.Parallel()
	for _, want := range []string{
		"การประชุม|เศรษฐกิจ|โลกที่กรุง|เทพมหานคร|เริ่ม|แล้ว",
		"ทำ|งานทุกๆ|วัน",
		"ກອງປະຊຸມ|ເສດຖະກິດ|ໂລກທີ່ນະຄອນຫຼວງ|ໄດ້|ເລີ່ມ|ແລ້ວ",
		"ព្រះ|រា|ជា|ណាចក្រកម្ពុ|ជា",
		"မြန်|မာ|နိုင်|ငံ|တွင်|ကျောင်း|များ|ပိတ်|ထား|သည်။",
		"ဘုန်း|မင်္ဂ|လာ|ပါ", // a stack of three
		"ကို့|သောက်|ခဲ့|သည်",
		"日本語です. Nothing of it.", "",
	} {
		require.Equal(t, want, strings.Join(transcript.Syllables(strings.ReplaceAll(want, "|", "")), "|"))
	}
	for text, want := range map[string]string{
		"ประเทศจะเปิด": "ป ร–ะ|เ–ท ศ จ–ะ|เ–ป–ิ ด",
		"วันศุกร์นี้":  "ว–ั น ศ–ุ ก–ร–์ น–ี–้",
		"ນະຄອນ":        "ນ–ະ ຄ ອ ນ",
		"ក្រុម":        "ក–្–រ–ុ ម",
		"မြန်မာ":       "မ–ြ–န–်|မ–ာ",
		"a日本":          "a 日 本",
	} {
		runes := []rune(text)
		got := string(runes[0])
		for i := 1; i < len(runes); i++ {
			switch {
			case transcript.TearsSyllable(runes, i):
				got += "–"
				require.False(t, transcript.BeginsSyllable(runes, i), text)
			case transcript.BeginsSyllable(runes, i):
				got += "|"
			default:
				got += " "
			}
			got += string(runes[i])
		}
		require.Equal(t, want, got, text)
	}
}
