package transcript_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// The parts of a word become one, as the text writes it, and its times are those of all parts.
func TestJoinedWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language            transcript.Language
		text, tokens, words string
	}{
		{"zh", "他在2024年发布了GPT-4o。", "他 在 2 0 2 4 年 发 布 了 G P T - 4 o 。", "他 在 2024 年 发 布 了 GPT-4o 。"},
		{"ja", "コンピューターを3,500円で", "コ ン ピ ュ ー タ ー を 3 , 5 0 0 円 で", "コンピューター を 3,500 円 で"},
		{"zh", "看 YouTube 吧", "看 Y o u T u b e 吧", "看 YouTube 吧"},
		{"en", "Hello, I don't know.", "Hello , I do n't know .", "Hello, I don't know."},
		{"en", "a well-known word", "a well- known word", "a well- known word"},
		{"fr", "Oui\u00a0?", "Oui ?", "Oui\u00a0?"},
		{"en", "another text", "some words", "some words"},
		{"en", "one two", "one", "one"},
	} {
		tr := transcript.Transcript{Language: c.language, Utterances: []transcript.Utterance{{Text: c.text}}}
		for i, text := range strings.Fields(c.tokens) {
			start := time.Duration(i) * time.Second
			tr.Utterances[0].Words = append(tr.Utterances[0].Words, transcript.Word{Text: text, Start: start, End: start + time.Second, Confidence: 1 / float64(i+1)})
		}
		var texts []string
		var at time.Duration
		for _, w := range tr.JoinedWords() {
			require.Equal(t, at, w.Start, c.text)
			at = w.End
			texts = append(texts, w.Text)
		}
		require.Equal(t, c.words, strings.Join(texts, " "))
		require.Equal(t, tr.Utterances[0].Words[len(tr.Utterances[0].Words)-1].End, at)
	}
	two := transcript.Transcript{Language: "en", Utterances: []transcript.Utterance{{Text: "Hello,", Words: []transcript.Word{
		{Text: "Hello", Start: 0, End: 1, Speaker: "Speaker 0"}, {Text: ",", Start: 1, End: 2, Speaker: "Speaker 1"}}}}}
	require.Len(t, two.JoinedWords(), 2, "words of two speakers stay apart")
}
