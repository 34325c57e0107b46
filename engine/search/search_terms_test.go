package search_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/search"
)

// The terms of a text are what people type to find it, in every supported language.
func TestSearchTerms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                       nil,
		" -–— …!? \u0301 \ufe0f": nil,
		"Hello, WORLD!":          {"hello", "world"},
		"don't":                  {"dont", "don", "t"},
		"l’Amour":                {"lamour", "l", "amour"},
		"об'єднання":             {"обєднання", "об", "єднання"},
		"İstanbul'da ışık":       {"istanbulda", "istanbul", "da", "isik"},
		"'quoted' rock'n'roll'":  {"quoted", "rocknroll", "rock", "n", "roll"},
		"rockʼ ʼroll":            {"rock", "roll"},
		"Straße STRASSE":         {"strasse", "strasse"},
		"Ærøskøbing œuvre":       {"aeroskobing", "oeuvre"},
		"Łódź Ångström":          {"lodz", "angstrom"},
		"ёлка Йод Київ":          {"елка", "иод", "киів"},
		"co-founder 3.5":         {"co", "founder", "3", "5"},
		"ＡＢＣ１２":                  {"abc12"},
		"ज़मीन १२":               {"जमीन", "12"},
		"हिन्दी":                 {"हिन्दी"},
		"क्\u200dया":             {"क्या"},
		"co\u00adoperate":        {"cooperate"},
		"東京都":                    {"東", "東京", "京", "京都", "都"},
		"AI技術です":                 {"ai", "技", "技術", "術", "術で", "で", "です", "す"},
		"한국어 말":                  {"한", "한국", "국", "국어", "어", "말"},
		"コーヒー":                   {"コ", "コー", "ー", "ーヒ", "ヒ", "ヒー", "ー"},
		"a\xffb":                 {"a", "b"},
		"abc日":                   {"abc", "日"},
		"日'本":                    {"日", "本"},
		"ｶﾞｲﾄﾞ":                  {"ガ", "ガイ", "イ", "イド", "ド"},
		"מֹשֶׁה בֶּן־גּוּרִיּוֹן": {"משה", "בן", "גוריון"},
		"مُحَمَّد العـــربية":     {"محمد", "العربية"},
		"أحمد إلى الآن":           {"احمد", "الي", "الان"},
	} {
		require.Equal(t, want, search.Terms(text), "%q", text)
	}
}

// A letter is found in any Unicode composition and any case.
func TestSearchTermsCompositions(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"caf\u00e9", "cafe\u0301"}, {"\u0439\u0451\u0457", "\u0438\u0306\u0435\u0308\u0456\u0308"}, {"\u0130", "i\u0307"}, {"I", "\u0131"},
		{"\u0958\u093e", "\u0915\u093c\u093e"}, {"\ud55c\uad6d\uc5b4", "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165"},
		{"ガパヴヷヾがぱ", "\u30ab\u3099\u30cf\u309a\u30a6\u3099\u30ef\u3099\u30fd\u3099\u304b\u3099\u306f\u309a"},
		{"\u1ec7", "e\u0323\u0302"}, {"آأؤإئ", "ا\u0653ا\u0654و\u0654ا\u0655ي\u0654"}, {"パーティー", "ﾊﾟｰﾃｨｰ"}, {"Ǆ", "ǆ"}, {"ПРИВЕТ", "привет"}, {"\u0390", "\u03b9\u0308\u0301"},
	} {
		require.Equal(t, search.Terms(c[0]), search.Terms(c[1]), "%q", c)
		require.Equal(t, search.Terms(strings.ToUpper(c[0])), search.Terms(strings.ToLower(c[0])), "%q", c)
	}
}

// Words over 60 bytes are truncated at a character border, in texts and in queries.
func TestSearchTermsAreCut(t *testing.T) {
	t.Parallel()
	for _, letter := range []string{"a", "я", "ह", "𐐀"} {
		terms := search.Terms(strings.Repeat(letter, 100))
		require.Len(t, terms, 1)
		require.Equal(t, 60/len(letter)*len(letter), len(terms[0]))
		require.Equal(t, terms, search.Terms(strings.Repeat(letter, 99)))
	}
}

func FuzzSearchTerms(f *testing.F) {
	for _, seed := range []string{"", "don't stop", "l’amour", "東京都ABC", "한국어\u1100\u1161", "ज़मीन", "İı", "a\xff\xfe'b", "か\u3099\u3099", "'''", "ｶﾞﾞﾟ", "אָ־ب\u064e\u0640", "ŉŐ\u0301\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms := search.Terms(text)
		for _, term := range terms {
			require.NotEmpty(t, term)
			require.LessOrEqual(t, len(term), 60)
			require.True(t, utf8.ValidString(term), "%q", term)
			require.Subset(t, terms, search.Terms(term), "a term finds itself: %q", term)
		}
		require.Equal(t, terms, search.Terms(" "+text+"."), "surrounding punctuation must change nothing")
	})
}
