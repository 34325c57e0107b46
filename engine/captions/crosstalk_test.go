package captions_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// spoken is what people say in a meeting; real turns are filled with it.
var spoken = strings.Fields("Right. So I think we should move the button to the side, because nobody finds it there. Mm-hmm. Yeah. But then the battery has to go " +
	"somewhere else, doesn't it? Exactly. Okay. What about the price? We said 25 euros, and that was before Dr. Weiss saw the new case. No. Well, we could ask her " +
	"again on Monday. Sure. I mean, the remote is only useful if people like how it feels in the hand. Hm. That's true.")

// meeting returns the turns of a file of testdata/crosstalk, with words at the speed of talk: 60 ms per column and more.
func meeting(t *testing.T, file string) transcript.Transcript {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	tr, next := transcript.Transcript{Language: "en"}, 0
	for line := range strings.Lines(string(data)) {
		row := strings.Fields(line)
		if len(row) < 8 || row[0] != "SPEAKER" {
			continue
		}
		start, length := seconds(t, row[3]), seconds(t, row[4])
		u := transcript.Utterance{Speaker: row[7], Start: start, End: start + length}
		for at := start; at < u.End; next++ {
			w := spoken[next%len(spoken)]
			end := min(at+time.Duration(len(w)+1)*60*time.Millisecond, u.End)
			u.Words = append(u.Words, transcript.Word{Text: w, Start: at, End: end})
			at = end
		}
		u.Text = transcript.JoinWords(u.Words, "en")
		tr.Utterances = append(tr.Utterances, u)
	}
	return tr
}

func seconds(t *testing.T, s string) time.Duration {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	require.NoError(t, err)
	return time.Duration(f * float64(time.Second))
}

// In the meetings of real people, who talk at the same time for up to half of it, at most 5 % of the cues are shorter than 5/6 s, no three are
// shown together, none overlap if they are to be flat, and no word is lost.
func TestRealCrosstalkIsReadable(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/crosstalk/*.rttm")
	require.NoError(t, err)
	require.Len(t, files, 6)
	for _, o := range []captions.Options{{Dialogues: true}, {Dialogues: true, Flat: true}, {Dialogues: true, Flat: true, SpeakerPrefix: true}} {
		short, all := 0, 0
		for _, file := range files {
			tr, words := meeting(t, file), 0
			cues := captions.Build(tr, nil, o)
			brief := 0
			for i, c := range cues {
				if c.End-c.Start < 833*time.Millisecond {
					brief++
				}
				require.LessOrEqual(t, len(c.Lines), 2)
				require.True(t, i == 0 || cues[i-1].Start <= c.Start, "order in %s", file)
				for _, l := range c.Lines {
					words += len(l.Words)
				}
				if i > 1 {
					require.LessOrEqual(t, min(cues[i-2].End, cues[i-1].End), c.Start, "three at once in %s", file)
				}
				require.True(t, i == 0 || !o.Flat || cues[i-1].End <= c.Start, "overlap in %s", file)
			}
			require.Equal(t, len(tr.Words()), words, file)
			t.Logf("%s: flat %v, names %v: %d of %d cues are brief", file, o.Flat, o.SpeakerPrefix, brief, len(cues))
			short, all = short+brief, all+len(cues)
		}
		require.LessOrEqual(t, float64(short)/float64(all), 0.05, "%+v", o)
	}
}
