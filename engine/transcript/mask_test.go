package transcript

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// Terms are masked as whole words, longest first, case-sensitively. Chinese and Japanese terms are masked anywhere.
func TestMask(t *testing.T) {
	t.Parallel()
	terms := ProtectedTerms([]Spelling{{From: []string{"x"}, To: "Go"}}, []string{"Go Time", "声音", " Go ", "C++"})
	require.Equal(t, []string{"Go Time", "声音", "C++", "Go"}, terms)
	for text, want := range map[string]string{
		"Go":                      "[[T0]]",
		"Gopher, go, ergo Go!":    "Gopher, go, ergo [[T0]]!",
		"Go Time is not Go-Time.": "[[T0]] is not [[T1]]-Time.",
		"我喜欢声音和声音。":               "我喜欢[[T0]]和[[T0]]。",
		"C++ or C++?":             "[[T0]] or [[T0]]?",
		"[[T5]] Go":               "[[T0]] [[T1]]",
		"":                        "",
	} {
		m := Mask(text, terms)
		require.Equal(t, want, m.Text)
		back, ok := m.Unmask(m.Text)
		require.True(t, ok)
		require.Equal(t, text, back)
	}
}

// A translation is accepted if it has every term, and some text unless the text is blank.
func TestAccept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, translated, want string
		ok                     bool
	}{
		{"Hello Go", " Hallo\n[[T0]] ", "Hallo Go", true},
		{"Hello Go", "Hallo", "", false},
		{"Hello", " \n", "", false},
		{" ", "", "", true},
		{" ", "Hallo", "Hallo", true},
	} {
		got, ok := Mask(c.text, []string{"Go"}).Accept(c.translated)
		require.Equal(t, c.ok, ok, c.text)
		if ok {
			require.Equal(t, c.want, got)
		}
	}
}

// For any text and terms, Unmask restores the text, and the pieces contain the whole text.
func FuzzMask(f *testing.F) {
	for _, seed := range [][2]string{{"Hello Go", "Go"}, {"[[T0]] [[T1]]", "T0"}, {"[[T[[T0]]]]", "]]"}, {"声音 Go声", "声"}, {"a\xffb", "\xff"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, term string) {
		terms := ProtectedTerms(nil, []string{term, text[:min(3, len(text))]})
		m := Mask(text, terms)
		back, ok := m.Unmask(m.Text)
		require.True(t, ok)
		require.Equal(t, text, back)
		pieces, between := m.Pieces()
		require.Len(t, pieces, len(between)+1)
		var b strings.Builder
		for i, p := range pieces {
			b.WriteString(p)
			if i < len(between) {
				b.WriteString(between[i])
			}
		}
		require.Equal(t, text, b.String())
	})
}

// Custom spellings replace single and consecutive words, longest match first, but not across punctuation or speakers.
func TestApplySpellings(t *testing.T) {
	t.Parallel()
	spellings := []Spelling{{From: []string{"sound stage", "soundstage"}, To: "Soundstage"}, {From: []string{"sound"}, To: "SOUND"}, {From: []string{"音声"}, To: "オンセイ"},
		{From: []string{"C++", "c plus plus"}, To: "C plus plus"}, {From: []string{"st."}, To: "Who"}, {From: []string{"...", " "}, To: "X"}}
	for _, c := range []struct {
		words    string
		language Language
		want     string
	}{
		{"the Sound stage, here", "en", "the Soundstage, here"},
		{"“sound stage”", "en", "“Soundstage”"},
		{"sound, stage sound", "en", "SOUND, stage SOUND"},
		{"Soundstages SOUNDSTAGE!", "en", "Soundstages Soundstage!"},
		{"音 声 です", "ja", "オンセイ です"},
		{"音 声です", "ja", "音 声です"},
		{"a c, “c++!” c#", "en", "a c, “C plus plus!” c#"},
		{"st st. St.?", "en", "st Who Who?"},
		{"... x", "en", "... x"},
		{"", "en", ""},
	} {
		var words []Word
		for i, text := range strings.Fields(c.words) {
			at := time.Duration(i) * time.Second
			words = append(words, Word{Text: text, Start: at, End: at + 900*time.Millisecond, Confidence: 1 - float64(i)/10})
		}
		var got []string
		for _, w := range ApplySpellings(words, spellings, c.language) {
			got = append(got, w.Text)
		}
		require.Equal(t, c.want, strings.Join(got, " "))
	}
	merged := ApplySpellings([]Word{{Text: "sound", Start: 1, End: 2, Confidence: 0.9, Speaker: "A"}, {Text: "stage", Start: 3, End: 4, Confidence: 0.5, Speaker: "A"}}, spellings, "en")
	require.Equal(t, []Word{{Text: "Soundstage", Start: 1, End: 4, Confidence: 0.5, Speaker: "A"}}, merged)
	apart := ApplySpellings([]Word{{Text: "sound", Speaker: "A"}, {Text: "stage", Speaker: "B"}}, spellings, "en")
	require.Len(t, apart, 2)
}

// A translated utterance keeps its times: its words are consecutive, from its start to its end, and at least 1 ms long.
func TestRetext(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		language Language
		words    int
		length   time.Duration
	}{
		{"one two three", "en", 3, time.Second},
		{"one two three four five", "en", 2, 2 * time.Millisecond},
		{"私は「はい」と言った。Go 1.26です", "ja", 12, time.Second},
		{"", "en", 0, time.Second},
		{"vraiment\u00a0?", "fr", 1, time.Second},
	} {
		u := Retext(Utterance{Speaker: "Speaker 1", Start: time.Second, End: time.Second + c.length, Confidence: 0.5}, c.text, c.language)
		require.Len(t, u.Words, c.words, "%v", u.Words)
		at := u.Start
		for _, w := range u.Words {
			require.Equal(t, at, w.Start)
			require.Greater(t, w.End, w.Start)
			require.Zero(t, w.End%time.Millisecond)
			require.True(t, utf8.ValidString(w.Text))
			at = w.End
		}
		if c.words > 0 {
			require.Equal(t, u.End, at)
			require.Equal(t, c.text, JoinWords(u.Words, c.language))
		}
	}
}
