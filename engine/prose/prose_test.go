package prose_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/prose"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Sentences splits a text only after punctuation that ends a sentence.
func TestSentences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		text     string
		want     []string
	}{
		{"en", "Dr. Smith paid 3.50. “Why?” Nobody knows… He left", []string{"Dr. Smith paid 3.50.", "“Why?”", "Nobody knows…", "He left"}},
		{"de", "Am 3. Mai kam z. B. niemand. Schade!", []string{"Am 3. Mai kam z. B. niemand.", "Schade!"}},
		{"ja", "彼は「待って。行くよ。」と言った。本当？", []string{"彼は「待って。行くよ。」と言った。", "本当？"}},
		{"hi", "यह ठीक है। चलो।", []string{"यह ठीक है।", "चलो।"}},
		{"en", " … ", nil},
	} {
		var got []string
		for _, p := range prose.Sentences(c.text, c.language) {
			got = append(got, c.text[p.From:p.To])
		}
		require.Equal(t, c.want, got, c.text)
	}
}

// Line removes control characters and repeated spaces, and keeps no-break spaces.
func TestLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a b\u00a0c \uFFFDd", prose.Line(" a\n\t b\u00a0c\x00 \xffd\r\n"))
}
