package transcript_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// script returns a transcript of lines such as "0: Hello there. @1000", which begin at a time in milliseconds. Each word lasts 100 ms.
func script(language transcript.Language, lines ...string) transcript.Transcript {
	t := transcript.Transcript{Language: language, Duration: time.Hour}
	for _, line := range lines {
		head, start, _ := strings.Cut(line, " @")
		label, text, _ := strings.Cut(head, ": ")
		u := transcript.Utterance{Speaker: "Speaker " + label, Text: text, Confidence: 0.5}
		var at int
		if _, err := fmt.Sscan(start, &at); err != nil {
			panic(err)
		}
		for _, w := range strings.Fields(text) {
			word := said(u.Speaker, w, at, at+100)
			word.Confidence = 0.5
			u.Words = append(u.Words, word)
			at += 100
		}
		u.Start, u.End = u.Words[0].Start, u.Words[len(u.Words)-1].End
		t.Utterances = append(t.Utterances, u)
	}
	return t
}

// lines returns a transcript as script takes it.
func lines(t transcript.Transcript) (all []string) {
	for _, u := range t.Utterances {
		all = append(all, fmt.Sprintf("%s: %s @%d", strings.TrimPrefix(u.Speaker, "Speaker "), u.Text, u.Start.Milliseconds()))
	}
	return all
}

// Merging and splitting keep every word and its times; the speaker of a merged utterance is the first one's.
func TestMergeAndSplit(t *testing.T) {
	t.Parallel()
	two := script("en", "0: aa bb @0", "1: cc dd @500", "0: ee @900")
	one := transcript.Merge(two, 0)
	require.Equal(t, []string{"0: aa bb cc dd @0", "0: ee @900"}, lines(one))
	require.Equal(t, []string{"aa 0 100", "bb 100 200", "cc 500 600", "dd 600 700"}, shown(one.Utterances[0].Words))
	require.Equal(t, 700*ms, one.Utterances[0].End)
	for _, w := range one.Utterances[0].Words {
		require.Equal(t, "Speaker 0", w.Speaker)
	}
	again := transcript.Split(one, 0, 2)
	require.Equal(t, []string{"0: aa bb @0", "0: cc dd @500", "0: ee @900"}, lines(again))
	require.Equal(t, []time.Duration{200 * ms, 700 * ms}, []time.Duration{again.Utterances[0].End, again.Utterances[1].End})
	require.Equal(t, two, transcript.SetSpeaker(again, 1, "Speaker 1"))
	require.Equal(t, []string{"0: aa bb @0", "1: cc dd @500", "0: ee @900"}, lines(two), "the transcript was changed")
	require.Equal(t, []string{"0: aa bb @0", "0: ee @900"}, lines(transcript.Remove(two, 1)))
}

// Chinese is joined and cut without spaces, where its text has none.
func TestMergeAndSplitChinese(t *testing.T) {
	t.Parallel()
	two := script("zh", "0: 我喜 @0", "0: 欢你 @500")
	one := transcript.Merge(two, 0)
	require.Equal(t, "我喜欢你", one.Utterances[0].Text)
	require.Equal(t, []string{"0: 我喜 @0", "0: 欢你 @500"}, lines(transcript.Split(one, 0, 1)))
	odd := script("en", "0: aa bb @0")
	odd.Utterances[0].Text = "not its words"
	require.Equal(t, []string{"0: aa @0", "0: bb @100"}, lines(transcript.Split(odd, 0, 1)))
}

// Inserted words stay before the next utterance, even where speakers overlap.
func TestSetTextStaysBeforeTheNext(t *testing.T) {
	t.Parallel()
	two := script("en", "0: aa @0", "1: bb @20")
	got, _ := transcript.SetText(two, 0, "aa cc dd ee")
	last := time.Duration(0)
	for _, w := range got.Words() {
		require.GreaterOrEqual(t, w.Start, last, "%v", got.Words())
		last = w.Start
	}
	require.Equal(t, "!~ee 20 100", shown(got.Utterances[0].Words)[3])
}

// A change is made again where its words are, or where somebody spoke at just its time.
func TestReapplyChange(t *testing.T) {
	t.Parallel()
	heard := script("en", "0: We sore it all. @1000", "1: Um, the light house is old. @2000")
	change := func(start, end int, old, new string) transcript.Change {
		return transcript.Change{Start: time.Duration(start) * ms, End: time.Duration(end) * ms, Old: old, New: new}
	}
	for _, c := range []struct {
		name string
		edit transcript.Change
		want string
		ok   bool
	}{
		{"the old words are there", change(1100, 1200, "sore", "saw"), "We saw it all.", true},
		{"a little later", change(800, 900, "Sore", "saw"), "We saw it all.", true},
		{"much earlier", change(3000, 3100, "sore", "saw"), "", false},
		{"the new words are there", change(2300, 2400, "lighthouse", "light house"), "", true},
		{"the new words are there, but the old ones are nearer", change(1200, 1300, "it", "is"), "We sore is all.", true},
		{"other words at the same time", change(1090, 1210, "soar", "saw"), "We saw it all.", true},
		{"other words at about the same time", change(1100, 1800, "soar", "saw"), "", false},
		{"removed words", change(2000, 2100, "um", ""), "the light house is old.", true},
		{"removed words that differ", change(2000, 2100, "uh", ""), "", false},
		{"removed words that are not there", change(5000, 5100, "um", ""), "", true},
		{"nothing is there", change(5000, 5100, "sore", "saw"), "", false},
		{"an insertion", change(1200, 1300, "it", "it nearly"), "We sore it nearly all.", true},
		{"marks only", change(1300, 1400, "all.", "all!"), "We sore it all!", true},
		{"fewer of the same words", change(2200, 2400, "light house", "light"), "Um, the light is old.", true},
	} {
		got, ok := transcript.ReapplyChange(heard, c.edit)
		require.Equal(t, c.ok, ok, c.name)
		if c.want == "" {
			require.Equal(t, heard, got, c.name)
			continue
		}
		require.Contains(t, got.Utterances[0].Text+"|"+got.Utterances[1].Text, c.want, c.name)
	}
	got, ok := transcript.ReapplyChange(script("en", "0: um @0", "0: aa @500"), change(0, 100, "um", ""))
	require.True(t, ok)
	require.Equal(t, []string{"0: aa @500"}, lines(got), "an utterance without words")
}

// Speech in a window gets a label, most of an utterance counts as all of it, and a part is split off.
func TestSetSpeakerIn(t *testing.T) {
	t.Parallel()
	heard := script("en", "0: aa bb cc dd ee ff @0", "1: gg @1000")
	for _, c := range []struct {
		start, end int
		want       string
	}{
		{0, 600, "2: aa bb cc dd ee ff @0|1: gg @1000"},
		{-90, 500, "2: aa bb cc dd ee ff @0|1: gg @1000"},
		{0, 300, "2: aa bb cc @0|0: dd ee ff @300|1: gg @1000"},
		{200, 400, "0: aa bb @0|2: cc dd @200|0: ee ff @400|1: gg @1000"},
		{400, 2000, "0: aa bb cc dd @0|2: ee ff @400|2: gg @1000"},
		{0, 100, ""},
		{3000, 4000, ""},
	} {
		w := transcript.Window{Start: time.Duration(c.start) * ms, End: time.Duration(c.end) * ms}
		got, ok := transcript.SetSpeakerIn(heard, w, "Speaker 2")
		require.Equal(t, c.want != "", ok, c.want)
		if !ok {
			require.Equal(t, heard, got)
			continue
		}
		require.Equal(t, c.want, strings.Join(lines(got), "|"))
	}
}

// What one speaker says in a window is removed; it is done, too, if nobody speaks there.
func TestRemoveIn(t *testing.T) {
	t.Parallel()
	heard := script("en", "0: aa bb cc dd @0", "1: ee ff @150", "0: gg @1000")
	for _, c := range []struct {
		start, end int
		label      string
		want       string
		ok         bool
	}{
		{0, 400, "Speaker 0", "1: ee ff @150|0: gg @1000", true},
		{0, 200, "Speaker 0", "0: cc dd @200|1: ee ff @150|0: gg @1000", true},
		{5000, 6000, "Speaker 0", strings.Join(lines(heard), "|"), true},
		{1000, 1100, "Speaker 1", strings.Join(lines(heard), "|"), false},
	} {
		got, ok := transcript.RemoveIn(heard, transcript.Window{Start: time.Duration(c.start) * ms, End: time.Duration(c.end) * ms}, c.label)
		require.Equal(t, c.ok, ok, c.want)
		require.Equal(t, c.want, strings.Join(lines(got), "|"))
	}
}

// A border is found again by its time.
func TestBordersByTime(t *testing.T) {
	t.Parallel()
	heard := script("en", "0: aa bb @0", "1: cc dd ee @3000", "0: ff @9000")
	border := func(start, end int) transcript.Window {
		return transcript.Window{Start: time.Duration(start) * ms, End: time.Duration(end) * ms}
	}
	got, ok := transcript.MergeAt(heard, border(250, 3100))
	require.True(t, ok)
	require.Equal(t, []string{"0: aa bb cc dd ee @0", "0: ff @9000"}, lines(got))
	one := script("en", "0: "+strings.Repeat("aa ", 60)+"bb @0")
	got, ok = transcript.MergeAt(one, border(3000, 3100))
	require.True(t, ok, "there is no border")
	require.Equal(t, one, got)
	_, ok = transcript.MergeAt(heard, border(8000, 8100))
	require.False(t, ok, "nobody speaks there")

	got, ok = transcript.SplitAt(heard, 3080*ms)
	require.True(t, ok)
	require.Equal(t, []string{"0: aa bb @0", "1: cc @3000", "1: dd ee @3100", "0: ff @9000"}, lines(got))
	got, ok = transcript.SplitAt(heard, 2900*ms)
	require.True(t, ok, "an utterance begins there")
	require.Equal(t, heard, got)
	_, ok = transcript.SplitAt(heard, 6*time.Second)
	require.False(t, ok)
}

// Labels are matched by the time that they share; each has another one, and new ones follow the other transcription's.
func TestMatchLabels(t *testing.T) {
	t.Parallel()
	old := script("en", "0: aa bb @0", "1: cc dd ee @500", "2: ff @2000", "3: gg @3000")
	now := script("en", "0: cc dd ee @500", "1: aa bb @0", "0: ff @2000")
	require.Equal(t, map[string]string{
		"Speaker 0": "Speaker 1", "Speaker 1": "Speaker 0", "Speaker 2": "Speaker 2", "Speaker 3": "Speaker 3",
	}, transcript.MatchLabels(old, now, nil))
	// A speaker whom a correction has distinguished from another one is a new one, unless the other transcription has a label left.
	old, now = script("en", "0: aa @0", "1: bb @1000", "2: cc dd ee @2000"), script("en", "0: aa @0", "1: bb @1000", "0: cc dd ee @2000")
	corrected := []transcript.Window{{Start: 2 * time.Second, End: 10 * time.Second}}
	require.Equal(t, map[string]string{"Speaker 0": "Speaker 0", "Speaker 1": "Speaker 1", "Speaker 2": "Speaker 2"}, transcript.MatchLabels(old, now, corrected))
	require.Equal(t, map[string]string{"Speaker 0": "Speaker 2", "Speaker 1": "Speaker 1", "Speaker 2": "Speaker 0"}, transcript.MatchLabels(old, now, nil))
	now = script("en", "5: aa @0", "1: bb @1000", "0: cc dd ee @2000")
	require.Equal(t, map[string]string{"Speaker 0": "Speaker 5", "Speaker 1": "Speaker 1", "Speaker 2": "Speaker 0"}, transcript.MatchLabels(old, now, corrected))
	now = script("en", "0: cc dd ee @500", "1: aa bb @0", "0: ff @2000")
	require.Equal(t, "Speaker 2", now.NextLabel())
	require.Equal(t, "Speaker 0", transcript.Transcript{}.NextLabel())
	require.Equal(t, "Speaker 0", script("en", "Host: aa @0").NextLabel())
}
