package captions_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// turn makes an utterance whose words last 60 ms per column.
func turn(speaker string, start time.Duration, text string) transcript.Utterance {
	u := utteranceOf("en", text, strings.Fields(text)...).Utterances[0]
	u.Speaker, u.Start, u.End = speaker, u.Start+start, u.End+start
	for i := range u.Words {
		u.Words[i].Start += start
		u.Words[i].End += start
	}
	return u
}

// interview makes people talk quickly: short answers and remarks, many of them while another person talks.
func interview(r *rand.Rand, n int) transcript.Transcript {
	brief := []string{"No.", "Hm.", "Yes.", "Right.", "Oh, really?", "I see.", "Of course.", "Wait.", "Exactly.", "Why not?"}
	long := []string{
		"And then we went all the way back to the old harbour.", "I told them that nobody had ever seen the letter, and they believed me.",
		"What did you say?", "It was the best thing that we had ever done, and we knew it.", "That is not what I remember about it.",
		"She bought the house, sold the boat, and moved to the mountains with her two dogs and a piano.",
	}
	t := transcript.Transcript{Language: "en"}
	var at time.Duration
	speaker := 0
	for range n {
		texts := long
		if r.IntN(2) == 0 {
			texts = brief
		}
		u := turn(transcript.SpeakerLabel(speaker), at, texts[r.IntN(len(texts))])
		t.Utterances = append(t.Utterances, u)
		speaker = (speaker + 1 + r.IntN(2)) % 3
		if at = u.End + time.Duration(r.IntN(500))*time.Millisecond; r.IntN(3) == 0 {
			at = max(u.Start+50*time.Millisecond, u.End-time.Duration(r.IntN(900))*time.Millisecond) // before the turn ends
		}
	}
	return t
}

// In quick talk of three people with interruptions, at most 5 % of the cues are shorter than 5/6 s, no three are shown together, and no
// two are if they are to be flat. No word is lost.
func TestCrosstalkIsReadable(t *testing.T) {
	t.Parallel()
	for _, o := range []captions.Options{{Dialogues: true}, {Dialogues: true, Flat: true}, {Dialogues: true, Flat: true, SpeakerPrefix: true}} {
		short, all, dialogues := 0, 0, 0
		for seed := range uint64(20) {
			tr := interview(rand.New(rand.NewPCG(seed, 1)), 100)
			words := 0
			cues := captions.Build(tr, nil, o)
			for i, c := range cues {
				if all++; c.End-c.Start < 833*time.Millisecond {
					short++
				}
				if c.Dialogue() {
					dialogues++
				}
				require.LessOrEqual(t, len(c.Lines), 2)
				for _, l := range c.Lines {
					require.LessOrEqual(t, columnsOf(l.Text), 42, l.Text)
					words += len(l.Words)
				}
				if i > 1 {
					require.LessOrEqual(t, min(cues[i-2].End, cues[i-1].End), c.Start)
				}
				require.True(t, i == 0 || !o.Flat || cues[i-1].End <= c.Start)
			}
			require.Equal(t, len(tr.Words()), words)
		}
		t.Logf("%+v: %d cues, %d of two speakers, %.1f %% brief", o, all, dialogues, float64(short)/float64(all)*100)
		require.LessOrEqual(t, float64(short)/float64(all), 0.05)
	}
}

// A brief remark shares a cue with what is said before or after it. A long neighbour is cut between its lines.
func TestDialogues(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		in   []transcript.Utterance
		o    captions.Options
		want string
	}{
		"two":     {[]transcript.Utterance{turn("A", 0, "No."), turn("B", 300*ms, "Hm.")}, captions.Options{}, "- No./- Hm."},
		"names":   {[]transcript.Utterance{turn("Ann", 0, "No."), turn("Bob", 300*ms, "Hm.")}, captions.Options{SpeakerPrefix: true}, "- Ann: No./- Bob: Hm."},
		"no room": {[]transcript.Utterance{turn("Anna Maria", 0, "No."), turn("Bob", 300*ms, "Hm.")}, captions.Options{SpeakerPrefix: true, Columns: 14}, "Anna Maria:/No.|Bob: Hm."},
		"time":    {[]transcript.Utterance{turn("A", 0, "No."), turn("B", 1500*ms, "Hm.")}, captions.Options{}, "No.|Hm."},
		"last":    {[]transcript.Utterance{turn("A", 0, "Why did nobody ask us?"), turn("B", 1500*ms, "Hm."), turn("B", 1800*ms, "I don't know it.")}, captions.Options{}, "- Why did nobody ask us?/- Hm.|I don't know it."},
		"long": {[]transcript.Utterance{turn("A", 0, "No."), turn("B", 300*ms, "I thought so because nobody has ever asked us about it.")}, captions.Options{},
			"- No./- I thought so because nobody|has ever asked us about it."},
		"pause": {[]transcript.Utterance{turn("A", 0, "No."), turn("B", 700*ms, "Hm.")}, captions.Options{MaxPause: 200 * ms}, "No.|Hm."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.o.Dialogues = true
			cues := captions.Build(transcript.Transcript{Language: "en", Utterances: c.in}, nil, c.o)
			require.Equal(t, c.want, shown(cues))
			for _, cue := range cues {
				if cue.Dialogue() {
					require.Equal(t, []string{c.in[0].Speaker, c.in[1].Speaker}, []string{cue.Lines[0].Label, cue.Lines[1].Label})
				}
			}
		})
	}
}

// When three people talk at once, the cue of the first ends as the third begins.
func TestAtMostTwoAtOnce(t *testing.T) {
	t.Parallel()
	const text = "I was going to say something about it."
	cues := captions.Build(transcript.Transcript{Language: "en", Utterances: []transcript.Utterance{
		turn("A", 0, text), turn("B", 900*time.Millisecond, text), turn("C", 1800*time.Millisecond, text),
	}}, nil, captions.Options{})
	require.Len(t, cues, 3)
	require.Greater(t, cues[0].End, cues[1].Start)
	require.Equal(t, cues[2].Start, cues[0].End)
	require.Greater(t, cues[1].End, cues[2].Start)
}
