package phrases_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

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

// Phrases are found in common sentences, whatever their script.
func TestPhrases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		want     string
	}{
		{"ja", "今日は|新しい|コンピューターの|使い方を|説明します。"},
		{"ja", "ちょっと|待ってください。|すぐに|行きますから。"},
		{"zh", "我们|可以|一起|讨论|这个|问题。"},
	} {
		require.Equal(t, c.want, cut(strings.ReplaceAll(c.want, "|", ""), c.language))
	}
}

// katakana reports whether a text begins with katakana.
func katakana(s string) bool { return s != "" && unicode.Is(unicode.Katakana, []rune(s)[0]) }

// Nothing breaks inside katakana, Latin letters, and numbers with their units, wherever it is cut from its context.
func TestNeverInsideRuns(t *testing.T) {
	t.Parallel()
	runs := []string{"コンピューターネットワーク", "マイクロソフト", "アナウンサー", "スマートフォン", "ノートパソコン", "ヨーロッパ", "データベース", "GPT-4o", "3.5", "2024年", "１２３"}
	frames := []string{"%s", "私は%s", "%sを使う", "この%sは新しい", "我们用%s工作", "在%s的", "は%sと", "し%sに"}
	for _, run := range runs {
		for _, frame := range frames {
			for _, l := range []transcript.Language{"ja", "zh"} {
				require.Contains(t, cut(strings.Replace(frame, "%s", run, 1), l), run)
			}
		}
	}
}

// Boundaries are in order, inside the text, between characters, and none is after punctuation that opens.
func FuzzBoundaries(f *testing.F) {
	for _, s := range []string{"今日は晴れ。", "GPT-4oは3,500円", "「あ」い", "我们在2024年", "か\u3099", "\xff\xfe日", "a b", "，，", "👨\u200d👩", ""} {
		f.Add(s, "ja")
		f.Add(s, "zh")
		f.Add(s, "en")
	}
	f.Fuzz(func(t *testing.T, text, language string) {
		last := 0
		all := phrases.Breaks(text, transcript.Language(language))
		require.True(t, slices.IsSortedFunc(all, func(a, b phrases.Boundary) int { return a.Offset - b.Offset }))
		for _, b := range phrases.Boundaries(text, transcript.Language(language)) {
			require.Contains(t, all, b)
			require.Greater(t, b.Offset, last)
			require.Less(t, b.Offset, len(text))
			require.True(t, !utf8.ValidString(text) || utf8.RuneStart(text[b.Offset]))
			before, after := transcript.LastRune(text[:b.Offset]), text[b.Offset:]
			require.False(t, strings.ContainsRune("「『（“", []rune(before)[0]), "%s", before)
			require.False(t, katakana(before) && katakana(after), "%s|%s", text[:b.Offset], after)
			require.False(t, unicode.IsDigit([]rune(before)[0]) && unicode.IsLetter([]rune(after)[0]), "%s|%s", text[:b.Offset], after)
			require.GreaterOrEqual(t, b.Score, 1)
			require.LessOrEqual(t, b.Score, 100)
			last = b.Offset
		}
	})
}

// BenchmarkBoundaries measures one sentence.
func BenchmarkBoundaries(b *testing.B) {
	for b.Loop() {
		phrases.Boundaries("今日は新しいコンピューターの使い方を、できるだけわかりやすく説明したいと思います。", "ja")
	}
}

// A text that grows in pieces has the same scores as the whole, also after another text.
func TestText(t *testing.T) {
	t.Parallel()
	text := phrases.NewText("ja")
	for _, pieces := range [][]string{
		{"今日は", "コン", "ピューターの", "話を", "します。"},
		{"価格は", "3", ",", "500円", "です！", " ", "ちょっと", "待って", "すぐに行きますから"},
	} {
		whole := strings.Join(pieces, "")
		text.Reset()
		for _, p := range pieces {
			text.Append(p)
		}
		require.Equal(t, utf8.RuneCountInString(whole), text.Len())
		scores := map[int]int{}
		for _, b := range phrases.Breaks(whole, "ja") {
			scores[utf8.RuneCountInString(whole[:b.Offset])] = b.Score
		}
		require.NotEmpty(t, scores)
		for i := -1; i <= text.Len()+1; i++ {
			require.Equal(t, scores[i], text.Score(i), "%s before character %d", whole, i)
		}
	}
}

// Words end at all boundaries, and at some places between them, but not inside words of the lexicon.
func TestBreaks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		want     string
	}{
		{"zh", "修|这|条|隧道|要|花|很|长时间。"},
		{"ja", "学者たちは、|さんごの|半分が|もとに|戻ると|考えています。"},
		{"en", "Who |wrote |it?"},
		{"zh", ""},
	} {
		text := strings.ReplaceAll(c.want, "|", "")
		var b strings.Builder
		from := 0
		for _, x := range phrases.Breaks(text, c.language) {
			b.WriteString(text[from:x.Offset] + "|")
			from = x.Offset
		}
		require.Equal(t, c.want, b.String()+text[from:])
	}
}
