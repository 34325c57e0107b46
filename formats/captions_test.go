package formats_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/width"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// columns computes the width of text independently of the implementation.
func columns(s string) int {
	n := 0
	for _, r := range s {
		switch k := width.LookupRune(r).Kind(); {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case k == width.EastAsianWide || k == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

func maxColumns(language transcript.Language) int {
	switch language {
	case "ja":
		return 26
	case "ko", "zh":
		return 32
	}
	return 42
}

// letters returns text without spaces, which every writer must preserve.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

func lettersOf(t transcript.Transcript) string {
	var b strings.Builder
	for _, u := range t.Utterances {
		b.WriteString(letters(u.Text))
	}
	return b.String()
}

// obeysRules fails if a cue breaks a hard rule. It returns the shares of short cues and of cues that end at punctuation.
func obeysRules(t *testing.T, cues []captions.Cue, language transcript.Language) (short, punctuated float64) {
	t.Helper()
	ends := map[string]time.Duration{}
	for i, c := range cues {
		require.Less(t, c.Start, c.End, "cue %d", i)
		require.Zero(t, c.Start%time.Millisecond)
		require.Zero(t, c.End%time.Millisecond)
		require.LessOrEqual(t, c.End-c.Start, 7*time.Second, "cue %d: %q", i, c.Text())
		require.GreaterOrEqual(t, c.Start, ends[c.Label], "cue %d overlaps the speaker's previous cue", i)
		ends[c.Label] = c.End
		require.LessOrEqual(t, len(c.Lines), 2, "cue %d: %q", i, c.Text())
		for _, l := range c.Lines {
			require.NotEmpty(t, l.Text)
			if len(l.Words) > 1 {
				require.LessOrEqual(t, columns(l.Text), maxColumns(language), "cue %d: %q", i, l.Text)
			}
		}
		if i > 0 {
			require.GreaterOrEqual(t, c.Start, cues[i-1].Start)
			gap := c.Start - cues[i-1].End
			require.False(t, gap >= 0 && gap < 83*time.Millisecond && cues[i-1].End-cues[i-1].Start > 170*time.Millisecond, "gap %v before cue %d", gap, i)
			require.False(t, gap > 85*time.Millisecond && gap < 500*time.Millisecond && cues[i-1].End-cues[i-1].Start < 7*time.Second, "gap %v before cue %d", gap, i)
		}
		if c.End-c.Start < 833*time.Millisecond {
			short++
		}
		if text := c.Text(); strings.ContainsAny(text[len(text)-1:], ".,;:?!") || strings.HasSuffix(text, "。") || strings.HasSuffix(text, "、") || strings.HasSuffix(text, "，") || strings.HasSuffix(text, "।") {
			punctuated++
		}
	}
	return short / float64(len(cues)), punctuated / float64(len(cues))
}

// In an hour of talk in any language, no cue breaks a rule and every word is present. Less than 1 % of the cues are shorter
// than 5/6 s, and at least 85 % end at punctuation.
func TestCuesOfAnHour(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it writes hours of captions")
	for _, language := range transcript.Languages() {
		tr := talk(t, language, 1)
		for _, prefix := range []bool{false, true} {
			cues := captions.Build(tr, nil, captions.Options{SpeakerPrefix: prefix})
			short, punctuated := obeysRules(t, cues, language)
			t.Logf("%s prefix=%v: %d cues, %.2f %% short, %.1f %% end at punctuation", language, prefix, len(cues), short*100, punctuated*100)
			require.Less(t, short, 0.01, language)
			least := 0.85
			if language == "ko" {
				least = 0.8 // they also end after clauses and topics, which have endings rather than punctuation
			}
			require.GreaterOrEqual(t, punctuated, least, language)
			var words strings.Builder
			for _, c := range cues {
				for _, l := range c.Lines {
					for _, w := range l.Words {
						words.WriteString(letters(w.Text))
					}
				}
			}
			require.Equal(t, lettersOf(tr), words.String(), language)
		}
	}
}

// A cue starts with its first word. It ends at most 0.5 s after its last word, unless it extends to last 5/6 s or to close a
// short gap.
func TestCueSync(t *testing.T) {
	t.Parallel()
	for _, c := range captions.Build(talk(t, "en", 0.5), nil, captions.Options{}) {
		last := c.Lines[len(c.Lines)-1].Words
		require.Equal(t, c.Lines[0].Words[0].Start, c.Start)
		hang := c.End - last[len(last)-1].End
		require.True(t, hang <= 500*time.Millisecond || c.End-c.Start <= 1334*time.Millisecond, "%v: %q", hang, c.Text())
		require.GreaterOrEqual(t, hang, -84*time.Millisecond)
	}
}

var caption = []struct {
	claim    string
	language transcript.Language
	in       []transcript.Utterance
	o        captions.Options
	want     []string // texts of the cues
}{{
	claim:    "Text that fits on one line stays on one line.",
	language: "en", in: []transcript.Utterance{say("A", 0, "Forty-two", "columns", "are", "enough", "for", "this.")},
	want: []string{"Forty-two columns are enough for this."},
}, {
	claim:    "A cue ends with the sentence, even if more would fit.",
	language: "en", in: []transcript.Utterance{say("A", 0, strings.Fields("It was a bright cold day in April. The clocks were striking thirteen, as they always had.")...)},
	want: []string{"It was a bright cold day in April.", "The clocks were striking thirteen,\nas they always had."},
}, {
	claim:    "Lines break before a conjunction, not after an article or preposition.",
	language: "en", in: []transcript.Utterance{say("A", 0, strings.Fields("We went down to the old harbour and looked for the ship")...)},
	want: []string{"We went down to the old harbour\nand looked for the ship"},
}, {
	claim:    "First and last name stay on one line.",
	language: "en", in: []transcript.Utterance{say("A", 0, strings.Fields("programs were first written by Ada Lovelace for an engine")...)},
	want: []string{"programs were first written\nby Ada Lovelace for an engine"},
}, {
	claim:    "A change of speaker starts a new cue.",
	language: "en", in: []transcript.Utterance{say("A", 0, "Really?"), say("B", time.Second, "Really.")},
	want: []string{"Really?", "Really."},
}, {
	claim:    "A pause of more than 1.5 s ends a cue.",
	language: "en", in: []transcript.Utterance{{Speaker: "A", Start: 0, End: 4 * time.Second, Words: []transcript.Word{
		{Text: "well", Start: 0, End: time.Second}, {Text: "yes", Start: 2600 * time.Millisecond, End: 4 * time.Second}}}},
	want: []string{"well", "yes"},
}, {
	claim:    "Slow speech is split at 7 s.",
	language: "en", in: []transcript.Utterance{{Speaker: "A", Start: 0, End: 9 * time.Second, Words: []transcript.Word{
		{Text: "very", Start: 0, End: 3 * time.Second}, {Text: "slow", Start: 3 * time.Second, End: 6 * time.Second}, {Text: "talk", Start: 6 * time.Second, End: 9 * time.Second}}}},
	want: []string{"very", "slow talk"},
}, {
	claim:    "A word wider than the line is broken with a hyphen.",
	language: "en", in: []transcript.Utterance{say("A", 0, "see", strings.Repeat("x", 50), "there")},
	want: []string{"see " + strings.Repeat("x", 25) + "-\n" + strings.Repeat("x", 25) + " there"},
}, {
	claim:    "Japanese is written without spaces, with 13 characters per line, and breaks between phrases.",
	language: "ja", in: []transcript.Utterance{say("A", 0, "すべて", "の", "人間は", "生れながら", "に", "して", "自由", "で", "ある", "。")},
	want: []string{"すべての人間は", "生れながらにして\n自由である。"},
}, {
	claim:    "A Chinese sentence without words breaks where lines may break.",
	language: "zh", in: []transcript.Utterance{{Speaker: "A", End: 6 * time.Second, Text: "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。"}},
	want: []string{"人人生而自由，\n在尊严和权利上一律平等。", "他们赋有理性和良心，\n并应以兄弟关系的精神相对待。"},
}, {
	claim:    "The speaker prefix counts as part of the line.",
	language: "en", in: []transcript.Utterance{say("Anna Maria", 0, strings.Fields("Forty-two columns are enough for this.")...)},
	o:    captions.Options{SpeakerPrefix: true},
	want: []string{"Anna Maria: Forty-two columns\nare enough for this."},
}, {
	claim:    "A prefix longer than half a line gets a separate line.",
	language: "en", in: []transcript.Utterance{say("The Right Honourable Member", 0, strings.Fields("Forty-two columns are enough for this.")...)},
	o:    captions.Options{SpeakerPrefix: true},
	want: []string{"The Right Honourable Member:\nForty-two columns are enough for this."},
}, {
	claim:    "Every limit is an option.",
	language: "en", in: []transcript.Utterance{say("A", 0, strings.Fields("one two three four five six")...)},
	o:    captions.Options{Columns: 9, Lines: 3},
	want: []string{"one two\nthree\nfour", "five six"},
}}

func TestCueTexts(t *testing.T) {
	t.Parallel()
	for _, c := range caption {
		var got []string
		for _, cue := range captions.Build(spoken(c.language, c.in...), nil, c.o) {
			got = append(got, cue.Text())
		}
		require.Equal(t, c.want, got, c.claim)
	}
}

// Gaps under 0.5 s are closed to two frames, longer ones stay at least that long, and a cue stays at most 0.5 s after its
// last word.
func TestCueGaps(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, c := range []struct{ gap, hang time.Duration }{
		{0, -84 * ms}, {50 * ms, -34 * ms}, {84 * ms, 0}, {300 * ms, 216 * ms}, {499 * ms, 415 * ms}, {584 * ms, 500 * ms},
		{600 * ms, 100 * ms}, {900 * ms, 400 * ms}, {2000 * ms, 500 * ms},
	} {
		cues := captions.Build(spoken("en",
			say("A", 0, "this", "one", "is", "long", "enough."),
			say("B", 1700*ms+c.gap, "this", "one", "is", "the", "next."),
		), nil, captions.Options{})
		require.Len(t, cues, 2)
		require.Equal(t, 1700*ms+c.hang, cues[0].End, "gap %v", c.gap)
	}
}

// When two people talk at the same time, their cues may overlap; they are in order of start, each with its speaker prefix.
func TestCuesOverlap(t *testing.T) {
	t.Parallel()
	cues := captions.Build(spoken("en",
		say("A", 0, strings.Fields("I was going to say something very important about this, and then I would have gone on for quite a while.")...),
		say("B", 2*time.Second, "Never", "mind."),
	), nil, captions.Options{SpeakerPrefix: true})
	obeysRules(t, cues, "en")
	var speakers []string
	for _, c := range cues {
		require.True(t, c.Turn == strings.HasPrefix(c.Lines[0].Text, c.Speaker+": "))
		speakers = append(speakers, c.Speaker)
	}
	require.Equal(t, "A B A", strings.Join(speakers, " "))
}

// Bad times never break a rule: a whole talk at one moment, words without times, an utterance of 30,000 words.
func TestCuesOfBadTimes(t *testing.T) {
	t.Parallel()
	still := talk(t, "en", 0.1)
	for i := range still.Utterances {
		still.Utterances[i].Start, still.Utterances[i].End = time.Second, time.Second
		for j := range still.Utterances[i].Words {
			still.Utterances[i].Words[j].Start, still.Utterances[i].Words[j].End = time.Second, time.Second
		}
	}
	one := transcript.Utterance{Speaker: "A", End: 3 * time.Hour, Text: strings.TrimSpace(strings.Repeat("word and more words, yes. ", 6000))}
	bad, _ := hostile()
	for _, tr := range []transcript.Transcript{still, spoken("en", one), bad} {
		ends := map[string]time.Duration{}
		for _, c := range captions.Build(tr, nil, captions.Options{}) {
			require.Less(t, c.Start, c.End)
			require.GreaterOrEqual(t, c.Start, ends[c.Label])
			require.LessOrEqual(t, c.End-c.Start, 7*time.Second)
			ends[c.Label] = c.End
		}
	}
}

// Brief turns share a cue: each line has a dash, and in WebVTT the voice tag of its speaker. SubRip shows one cue at a time.
func TestDialogueInFiles(t *testing.T) {
	t.Parallel()
	tr := spoken("en", say("A", 0, "No."), say("R&D", 350*time.Millisecond, "Hm."), say("", 700*time.Millisecond, "Oh."),
		say("A", 4*time.Second, "I", "was", "going", "to", "say", "something", "very", "important."), say("B", 6*time.Second, "Never", "mind", "that", "now", "please."))
	vtt := string(write(t, "vtt", tr, formats.Options{}))
	require.Contains(t, vtt, "\n<v A>- No.</v>\n<v R＆D>- Hm.</v>\n")
	srt := string(write(t, "srt", tr, formats.Options{}))
	require.Contains(t, srt, "\r\n- A: No.\r\n- R&D: Hm.\r\n")
	start, end := time.Duration(-1), time.Duration(0)
	p, err := formats.Parse("a.srt", strings.NewReader(srt))
	require.NoError(t, err)
	for _, u := range p.Utterances {
		require.True(t, u.Start >= end || u.Start == start, "the cue overlaps the one before: %+v", u)
		start, end = u.Start, u.End
	}
	p, err = formats.Parse("a.vtt", strings.NewReader(vtt))
	require.NoError(t, err)
	require.Equal(t, []string{"", "A", "B", "R＆D"}, slices.Sorted(slices.Values(p.Labels())))
}
