package speech_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Split follows the rules of each language. The cases mark the splits with |.
func TestSplit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		text     string
		want     string
	}{
		{"en", "", ""},
		{"en", " \n\t ", ""},
		{"en", "Hello, world.", "Hello,|world."},
		{"en", "Don't  stop—3.5\u2028times", "Don't|stop—3.5|times"},
		{"en", "a\x00b \u0007 c\xff", "ab|c\uFFFD"},
		{"en", "yes - no", "yes\u00a0-|no"},
		{"en", "- Hello", "-|Hello"},
		{"en", "5 + 5", "5|+|5"},
		{"fr", "Ça va ? 10\u00a0000 !", "Ça|va\u00a0?|10\u00a0000\u00a0!"},
		{"fr", "Il dit « bonjour ».", "Il|dit|«\u00a0bonjour\u00a0»."},
		{"es", "¿ Qué ?", "¿\u00a0Qué\u00a0?"},
		{"en", "open (", "open\u00a0("},
		{"ko", "안녕하세요 여러분.", "안녕하세요|여러분."},
		{"zh", "你好，世界。", "你|好，|世|界。"},
		{"zh", "我用 iPhone 15打电话。", "我|用|iPhone|15|打|电|话。"},
		{"zh", "《红楼梦》很好", "《红|楼|梦》|很|好"},
		{"ja", "今日は、いい天気です。「はい」", "今|日は、|いい|天|気です。|「はい」"},
		{"ja", "コーヒーを飲む。", "コーヒー|を|飲む。"},
		{"ja", "人々", "人々"},
		{"ja", "。\u00a0a", "。\u00a0a"},
		{"zh", "你\u00a0好吗", "你\u00a0好|吗"},
		{"ja", "don't 3.5点 open-source", "don't|3.5|点|open-source"},
	} {
		require.Equal(t, c.want, strings.Join(speech.Split(c.text, c.language), "|"), "%q", c.text)
	}
}

// For any text and language, no word is empty or has a space at its edge, and no visible character is lost.
func TestSplitProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("ab 。、「」食べるーカ々世界?« »\u00a0\n'-.3(")))).Draw(t, "text")
		words := speech.Split(text, rapid.SampledFrom(transcript.Languages()).Draw(t, "language"))
		for _, w := range words {
			require.NotEmpty(t, w)
			require.True(t, utf8.ValidString(w))
			require.Equal(t, strings.TrimSpace(w), w)
		}
		bare := func(s string) string {
			return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool { return r <= ' ' || r >= 0x7f && r <= 0xa0 || speechBlank(r) }), "")
		}
		require.Equal(t, bare(text), bare(strings.Join(words, "")), "%q", words)
	})
}

// speechBlank reports whether a character is non-ASCII white space or invisible.
func speechBlank(r rune) bool { return r == '\uFEFF' || strings.TrimSpace(string(r)) == "" }
