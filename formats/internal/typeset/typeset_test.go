package typeset_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gomono"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

func setter(t *testing.T, lang string, useSystem bool) *typeset.Setter {
	t.Helper()
	f, err := typeset.NewFonts(nil, useSystem)
	require.NoError(t, err)
	return typeset.New(f, lang)
}

// text returns the text of a line in visual order.
func text(s *typeset.Setter, l typeset.Line) string {
	var b strings.Builder
	for _, g := range l.Glyphs {
		b.WriteString(s.Glyphs(typeset.Regular)[g.Code].Text)
	}
	return b.String()
}

// set breaks text into lines and returns their text. It skips the test if fonts are missing, but fails it in CI.
func set(t *testing.T, s *typeset.Setter, in string, width float64) []string {
	t.Helper()
	lines, err := s.Lines(in, typeset.Regular, width)
	var missing *typeset.MissingError
	if errors.As(err, &missing) {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v: install %s", err, missing.Debian)
		}
		t.Skip(err)
	}
	require.NoError(t, err)
	var out []string
	for _, l := range lines {
		require.LessOrEqual(t, l.Width, width)
		out = append(out, text(s, l))
	}
	return out
}

// The built-in fonts have every letter of the Latin and Cyrillic languages; system fonts have the rest.
func TestNothingMissing(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "de", "es", "fr", "id", "it", "nl", "no", "pl", "pt", "ru", "sv", "tr", "uk", "hi", "ja", "ko", "zh"} {
		passage, err := os.ReadFile("../../testdata/languages/" + lang + ".txt")
		require.NoError(t, err)
		s := setter(t, lang, lang == "hi" || lang == "ja" || lang == "ko" || lang == "zh")
		in := strings.TrimSpace(string(passage))
		require.Equal(t, in, strings.Join(set(t, s, in, 40_000), ""), lang)
		require.Zero(t, s.Missing(), lang)
	}
}

// A script without a font is an error that names the script and a package; an emoji without a font isn't.
func TestMissingScript(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]typeset.MissingError{
		"हिन्दी": {Script: "Devanagari", Sample: 'ह', Debian: "fonts-noto-core"},
		"日本":     {Script: "Chinese", Sample: '日', Debian: "fonts-noto-cjk"},
		"のり":     {Script: "Japanese", Sample: 'の', Debian: "fonts-noto-cjk"},
		"한국":     {Script: "Korean", Sample: '한', Debian: "fonts-noto-cjk"},
		"ไทย":    {Script: "Thai", Sample: 'ไ', Debian: "fonts-noto-core"},
		"བོད་":   {Script: "Tibetan", Sample: 'བ', Debian: "fonts-noto-core"},
		"ᱥᱟ":     {Script: "Ol Chiki", Sample: 'ᱥ', Debian: "fonts-noto-core"},
		"。":      {Script: "Chinese", Sample: '。', Debian: "fonts-noto-cjk"},
	} {
		_, err := setter(t, "en", false).Lines("ab "+in, typeset.Regular, 1000)
		var missing *typeset.MissingError
		require.ErrorAs(t, err, &missing)
		require.Equal(t, want, *missing)
	}
	s := setter(t, "en", false)
	require.Equal(t, []string{"\U0001F8FE ok \U0001F8FF"}, set(t, s, "\U0001F8FE ok \U0001F8FF", 9000)) // not assigned
	require.Equal(t, 2, s.Missing())
}

// Installed fonts are found for rarer scripts as well, also those whose name isn't that of the script, and in both weights.
func TestRareScripts(t *testing.T) {
	t.Parallel()
	for script, in := range map[string]string{
		"Tibetan": "བོད་སྐད", "Javanese": "ꦧꦱꦗꦮ", "Balinese": "ᬩᬲᬩᬮᬶ", "Runic": "ᚠᚢᚦ", "Coptic": "ⲘⲉⲧⲢ", "Gothic": "𐌲𐌿𐍄", "Yi": "ꆈꌠꉙ", "Vai": "ꕙꔤ",
		"Adlam": "𞤆𞤵𞤤", "Ol Chiki": "ᱥᱟᱱ", "Samaritan": "ࠀࠁࠂ", "Deseret": "𐐀𐐁", "Egyptian": "𓀀𓁐", "Hmong": "𞄀𞄁", "N’Ko": "ߒߞߏ", "Phags-pa": "ꡖꡍ",
	} {
		s := setter(t, "en", true)
		lines := set(t, s, in, 20_000)
		require.Len(t, lines, 1, script)
		_, err := s.Lines(in, typeset.Bold, 20_000)
		require.NoError(t, err, script)
		require.Zero(t, s.Missing(), script)
	}
}

// Every emoji is drawn, as one glyph that copies the whole sequence: skin tones, families, flags, and keycaps. Symbols that are
// in the text fonts too come from these.
func TestEmoji(t *testing.T) {
	t.Parallel()
	s := setter(t, "en", false)
	for _, emoji := range []string{"😀", "☃", "✅", "⭐", "❤️", "☎️", "👍🏽", "👩‍👩‍👧", "👨🏿‍💻", "🧑🏻‍🤝‍🧑🏾", "🏃‍♀️", "🏳️‍🌈", "🏴‍☠️", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🇫🇷", "🇯🇵", "🇺🇳", "1️⃣", "#️⃣", "🫠", "🫨", "👁️‍🗨️"} {
		for w, width := range map[typeset.Weight]float64{typeset.Regular: 20_000, typeset.Bold: 500} {
			lines, err := s.Lines("a "+emoji, w, width)
			require.NoError(t, err)
			last := lines[len(lines)-1].Glyphs
			placed := last[len(last)-1]
			glyph := s.Glyphs(w)[placed.Code]
			require.Equal(t, emoji, glyph.Text)
			require.NotEmpty(t, glyph.Outline().Contours, emoji)
			require.False(t, placed.Fake, emoji)
			require.Less(t, glyph.Width, 1400, emoji) // one picture, not its parts side by side
		}
	}
	require.Zero(t, s.Missing())
	_, err := s.Lines("♥", typeset.Regular, 9000)
	require.NoError(t, err)
	glyphs := s.Glyphs(typeset.Regular)
	require.Less(t, glyphs[len(glyphs)-1].Width, 1000, "♥ is that of the Go fonts")
}

// The main blocks of emoji are complete: only the 131 characters that are no emoji, such as U+1F322, are drawn as rings.
func TestEmojiBlock(t *testing.T) {
	t.Parallel()
	s := setter(t, "en", false)
	missing := 0
	for r := rune(0x1f300); r <= 0x1f64f; r++ {
		before := s.Missing()
		_, err := s.Lines(string(r), typeset.Regular, 9000)
		require.NoError(t, err)
		missing += s.Missing() - before
	}
	require.Equal(t, 131, missing)
}

// Chinese and Japanese lines don't start with closing or end with opening punctuation.
func TestKinsoku(t *testing.T) {
	t.Parallel()
	in := strings.Repeat("「自由」、（尊厳）。ちょっと、きゃー！", 20)
	for width := 4000.0; width < 9000; width += 777 {
		s := setter(t, "ja", true)
		lines := set(t, s, in, width)
		require.Equal(t, in, strings.Join(lines, ""))
		for _, l := range lines {
			first, _ := utf8.DecodeRuneInString(l)
			last, _ := utf8.DecodeLastRuneInString(l)
			require.NotContains(t, "」、）。！ょっゃー", string(first), l)
			require.NotContains(t, "「（", string(last), l)
		}
	}
}

// Korean breaks at spaces only, also in Latin words with Korean endings.
func TestKoreanBreaks(t *testing.T) {
	t.Parallel()
	in := strings.TrimSpace(strings.Repeat("모든 인간은 자유로우며 AI는 동등하다. ", 10))
	words := map[string]bool{}
	for _, w := range strings.Fields(in) {
		words[w] = true
	}
	lines := set(t, setter(t, "ko", true), in, 7000)
	require.Greater(t, len(lines), 5)
	for _, l := range lines {
		for _, w := range strings.Fields(l) {
			require.True(t, words[w], "%q in %q", w, l)
		}
	}
}

// Thai, Lao, Khmer, and Burmese break before syllables, so that lines are full, and never in one that a line has room for.
func TestSyllableBreaks(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"รัฐบาลประกาศว่าโรงเรียนทั่วประเทศจะเปิดเรียนในวันจันทร์ที่สิบห้าพฤษภาคมหลังจากปิดไปเป็นเวลานาน", "ນະຄອນຫຼວງວຽງຈັນຂອງສາທາລະນະລັດປະຊາທິປະໄຕປະຊາຊົນລາວ",
		"ប្រទេសកម្ពុជាបានបើកសាលារៀនឡើងវិញនៅថ្ងៃចន្ទ", "မြန်မာနိုင်ငံတွင်ကျောင်းများပိတ်ထားသည်",
	} {
		for width := 3500.0; width < 9000; width += 500 {
			lines := set(t, setter(t, "en", true), in, width)
			whole := []rune(in)
			require.Equal(t, in, strings.Join(lines, ""))
			require.Greater(t, len(lines), 1)
			at := 0
			for _, line := range lines[:len(lines)-1] {
				at += utf8.RuneCountInString(line)
				require.False(t, transcript.TearsSyllable(whole, at), "%q", lines)
			}
		}
	}
	require.Equal(t, []string{"โรงเรียน", "เปิด"}, set(t, setter(t, "en", true), "โรงเรียนเปิด", 4800))
}

// A word of 300 letters is broken, and no letter is lost.
func TestLongWord(t *testing.T) {
	t.Parallel()
	in := "see " + strings.Repeat("long", 75) + " there"
	lines := set(t, setter(t, "en", false), in, 20_000)
	require.Greater(t, len(lines), 3)
	require.Equal(t, in, strings.Join(lines, ""))
}

// The last line isn't a short word: the word before comes along if it fits.
func TestLastLine(t *testing.T) {
	t.Parallel()
	s := setter(t, "en", false)
	for width, want := range map[float64][]string{
		7500:  {"the quick brown ", "fox jumped ", "over it"},
		20000: {"the quick brown fox jumped over it"},
	} {
		require.Equal(t, want, set(t, s, "the quick brown fox jumped over it", width), width)
	}
	require.Equal(t, []string{"unbelievable ", "so"}, set(t, s, "unbelievable so", 6000)) // nothing to move
}

// Invalid bytes are drawn as U+FFFD, and the text around them is complete.
func TestInvalidText(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"é\uFFFDb c\uFFFD"}, set(t, setter(t, "en", false), "é\xff\xfeb c\xed", 9000))
}

// Clusters are copied whole: conjuncts, ligatures and letters with marks are one glyph with all their characters.
func TestClusters(t *testing.T) {
	t.Parallel()
	s := setter(t, "hi", true)
	require.Equal(t, []string{"क्षत्रिय कि"}, set(t, s, "क्षत्रिय कि", 20_000))
	var clusters []string
	for _, g := range s.Glyphs(typeset.Regular)[1:] {
		clusters = append(clusters, g.Text)
	}
	require.Equal(t, []string{"क्ष", "त्रि", "य", " ", "कि"}, clusters)
}

// Right-to-left words run from right to left in both kinds of paragraph, with spaces in the right places.
func TestRightToLeft(t *testing.T) {
	t.Parallel()
	s := setter(t, "en", true)
	require.Equal(t, []string{"ab בא םולש cd"}, set(t, s, "ab שלום אב cd", 20_000))
	require.Equal(t, []string{"ד xy ג בא"}, set(t, s, "אב ג xy ד", 20_000))
}

// Numbers and foreign words in right-to-left text run from left to right, brackets and full stops go where UAX #9 puts them, and
// several neighbours keep their own order.
func TestBidirectional(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"אב 2023 ו2024.":                       ".2024ו 2023 בא",
		"ב-1,234 ש״ח, 50%.":                    ".50% ,ח״ש 1,234-ב",
		"ב-iPhone (ב-Google).":                 ".)Google-ב( iPhone-ב",
		"אב the big apple גד":                  "דג the big apple בא",
		"ל-03-5551234, 25.12.24":               "25.12.24 ,03-5551234-ל",
		"في 2023 و ب500.":                      ".500ب و 2023 يف",
		"عام ٢٠٢٣ و٢٠٢٤":                       "٢٠٢٤و ٢٠٢٣ ماع",
		"1. אב":                                "בא .1",
		"He said “שלום 12, אב” and left.":      "He said “בא ,12 םולש” and left.",
		"I said שלום 12 abc":                   "I said 12 םולש abc", // levels 0, 1, 2, and 0
		"at ٣ ع.":                              "at ع ٣.",
		"a \u2067אב \u2066C++\u2069 ג\u2069 b": "a \u2067ג \u2066C++\u2069 בא\u2069 b",
	} {
		s := setter(t, "en", true)
		lines := set(t, s, in, 40_000)
		require.Len(t, lines, 1)
		require.Equal(t, strip(want), strip(lines[0]), in)
	}
}

// strip removes the marks of isolates, which may be anywhere.
func strip(s string) string {
	return strings.NewReplacer("\u2066", "", "\u2067", "", "\u2069", "").Replace(s)
}

// Each line of a paragraph is reordered alone: the first one has the beginning of the text, and spaces hang over at its end. A long
// word loses nothing where it is cut.
func TestBidirectionalLines(t *testing.T) {
	t.Parallel()
	s := setter(t, "he", true)
	require.Equal(t, []string{" 2023 בא", "xy וה דג"}, set(t, s, "אב 2023 גד הו xy", 5000))
	require.Equal(t, []string{" the big בא", "דג apple"}, set(t, s, "אב the big apple גד", 5500))
	long := strings.Repeat("אבגד", 30)
	var joined []rune
	for _, line := range set(t, s, long, 9000) {
		letters := []rune(line)
		slices.Reverse(letters)
		joined = append(joined, letters...)
	}
	require.Equal(t, long, string(joined))
}

// A paragraph that is longer than any person’s is set as well, in time that grows with its length, and with line separators in it.
func TestBidirectionalLong(t *testing.T) {
	t.Parallel()
	s := setter(t, "he", true)
	for _, hard := range []string{"()", "\u2066", "1 ", "1"} {
		in := "אב " + strings.Repeat(hard, 20_000)
		lines, err := s.Lines(in, typeset.Regular, 40_000)
		require.NoError(t, err)
		length := 0
		for _, l := range lines {
			length += len(text(s, l))
		}
		require.Equal(t, len(in), length)
	}
	require.Equal(t, []string{"34 דג\u202812 בא"}, set(t, s, "אב 12\u2028גד 34", 9000))
}

// Given fonts take precedence over the built-in ones; an invalid font is rejected.
func TestGivenFonts(t *testing.T) {
	t.Parallel()
	f, err := typeset.NewFonts([]typeset.Family{{Regular: gomono.TTF}}, false)
	require.NoError(t, err)
	s := typeset.New(f, "en")
	lines, err := s.Lines("iiiWWW", typeset.Regular, 9000)
	require.NoError(t, err)
	for _, g := range lines[0].Glyphs {
		require.InDelta(t, 600, g.Advance, 1)
	}
	lines, err = s.Lines("bold", typeset.Bold, 9000)
	require.NoError(t, err)
	require.True(t, lines[0].Glyphs[0].Fake)
	for _, bad := range []typeset.Family{{}, {Regular: []byte("no font")}} {
		_, err = typeset.NewFonts([]typeset.Family{bad}, false)
		require.Error(t, err)
	}
}
