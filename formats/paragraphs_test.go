package formats_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// monologue returns an hour of one speaker in one utterance, as some tools return it.
func monologue(t *testing.T, l transcript.Language) transcript.Transcript {
	t.Helper()
	long := talk(t, l, 1)
	words := long.Words()
	for i := range words {
		words[i].Speaker = "Speaker 0"
	}
	u := transcript.Utterance{Speaker: "Speaker 0", Start: words[0].Start, End: words[len(words)-1].End, Words: words}
	return spoken(l, u)
}

// An hour without a change of speaker has paragraphs of at most 90 s with all of the text, whether words have times or not.
func TestParagraphsOfMonologue(t *testing.T) {
	t.Parallel()
	for _, l := range transcript.Languages() {
		timed := monologue(t, l)
		untimed := timed
		untimed.Utterances = []transcript.Utterance{timed.Utterances[0]}
		untimed.Utterances[0].Words = nil
		for _, tr := range []transcript.Transcript{timed, untimed} {
			out := string(write(t, "txt", tr, formats.Options{}))
			var text []string
			last := time.Duration(0)
			for p := range strings.SplitSeq(strings.TrimSuffix(out, "\n"), "\n\n") {
				head, body, _ := strings.Cut(p, "\n")
				text = append(text, body)
				at, err := time.Parse("[15:04:05]", head[:len("[15:04:05]")])
				require.NoError(t, err, head)
				start := at.Sub(at.Truncate(24 * time.Hour))
				require.LessOrEqual(t, start-last, 91*time.Second, "%s: %s", l, head)
				last = start
			}
			require.True(t, letters(timed.Utterances[0].Text) == letters(strings.Join(text, "")), l)
			require.Greater(t, last, 58*time.Minute, l)
		}
	}
}

// Documents count unnamed speakers from 1, in their language. Files that count from 1 keep their numbers.
func TestSpeakersCountFromOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		labels   [2]string
		want     [2]string
	}{
		{"en", [2]string{"Speaker 0", "Speaker 1"}, [2]string{"Speaker 1", "Speaker 2"}},
		{"de", [2]string{"Speaker 0", "Speaker 1"}, [2]string{"Sprecher 1", "Sprecher 2"}},
		{"zh", [2]string{"Speaker 1", "Speaker 2"}, [2]string{"发言人 1", "发言人 2"}},
		{"fr", [2]string{"Speaker 01", "Chair"}, [2]string{"Speaker 01", "Chair"}},
	} {
		tr := spoken(c.language, say(c.labels[0], 0, "a"), say(c.labels[1], time.Second, "b"))
		require.Equal(t, "[00:00:00] "+c.want[0]+":\na\n\n[00:00:01] "+c.want[1]+":\nb\n", string(write(t, "txt", tr, formats.Options{})))
	}
}
