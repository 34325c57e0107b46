package formats_test

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// luminance returns the relative luminance of "#rrggbb" (WCAG 2.2).
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	require.NoError(t, err, colour)
	sum := 0.0
	for i, weight := range []float64{0.0722, 0.7152, 0.2126} {
		c := float64(n>>(8*i)&255) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// contrast returns the contrast of two colours (WCAG 2.2), 1 to 21.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	la, lb := luminance(t, a), luminance(t, b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// voices returns a transcript in which each name says a sentence.
func voices(names ...string) transcript.Transcript {
	var all []transcript.Utterance
	for i, name := range names {
		all = append(all, say(name, time.Duration(i)*10*time.Second, "Every", "one", "of", "us", "says", "this", "sentence."))
	}
	return spoken("en", all...)
}

// Each voice has a colour with enough contrast on the background of captions, which browsers draw with 80 % black, even over white.
func TestVoiceColours(t *testing.T) {
	t.Parallel()
	names := []string{"Ann", `B"o\b`, "R&D", "<C>", "e", "f", "g", "h", "i", "j -->", "Ann"}
	styled := string(write(t, "vtt", voices(names...), formats.Options{VoiceColours: true}))
	plain := string(write(t, "vtt", voices(names...), formats.Options{}))
	sheet, cues, found := strings.Cut(strings.TrimPrefix(styled, "WEBVTT\n\n"), "\n\n")
	require.True(t, found)
	require.Equal(t, plain, "WEBVTT\n\n"+cues, "everything else is the same")
	rules := regexp.MustCompile(`(?m)^::cue\(v\[voice="(.*)"\]\) \{ color: (#[0-9a-f]{6}) \}$`).FindAllStringSubmatch(sheet, -1)
	require.Len(t, rules, 10)
	require.Equal(t, 10, strings.Count(sheet, "\n"), "STYLE and a rule for each voice")
	var selected, colours []string
	for _, r := range rules {
		selected, colours = append(selected, r[1]), append(colours, r[2])
		require.GreaterOrEqual(t, contrast(t, r[2], "#333333"), 7.0, r[2])
	}
	require.Equal(t, []string{"Ann", `B\"o\\b`, "R＆D", "‹C›", "e", "f", "g", "h", "i", "j --›"}, selected)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(colours[:8]))), 8, "eight colours")
	require.Equal(t, colours[0], colours[8])
	for _, few := range [][]string{nil, {"Ann"}, {"", "Ann", ""}} {
		require.NotContains(t, string(write(t, "vtt", voices(few...), formats.Options{VoiceColours: true})), "STYLE")
	}
}

// Visible names are at the beginning of each turn, in a span that the reader takes out again.
func TestVisibleNames(t *testing.T) {
	t.Parallel()
	tr := spoken("en", say("A", 0, "No."), say("R&D", 350*time.Millisecond, "Hm."),
		say("A", 4*time.Second, "A:", "I", "was", "going", "to", "say", "something", "very", "important,", "and", "it", "takes", "two", "captions."),
		say("A>B's very long name of a department", 20*time.Second, "Never", "mind."), say("", 30*time.Second, "Oh: well."),
		say("B", 40*time.Second, "Who", "said", "that?"), say("B", 45*time.Second, "B:", "I", "did."))
	o := formats.Options{VisibleNames: true}
	out := string(write(t, "vtt", tr, o))
	for _, want := range []string{
		"\n<v A>- <c.speaker>A:</c> No.</v>\n<v R＆D>- <c.speaker>R&amp;D:</c> Hm.</v>\n",
		"\n<v A><c.speaker>A:</c> A: I was going to say something\n", "\n<v A>",
		"\n<v A›B's very long name of a department><c.speaker>A&gt;B's very long name of a department:</c>\nNever mind.\n",
		"\nOh: well.\n",
	} {
		require.Contains(t, out, want)
	}
	require.Equal(t, 5, strings.Count(out, "<c.speaker>"), "only at turns")
	bad, _ := hostile()
	all := []transcript.Transcript{tr, bad}
	for _, l := range transcript.Languages() {
		all = append(all, passage(t, l))
	}
	for _, tr := range all {
		named, err := formats.Parse("a.vtt", strings.NewReader(string(write(t, "vtt", tr, o))))
		require.NoError(t, err)
		require.Empty(t, named.Problems)
		plain, err := formats.Parse("a.vtt", strings.NewReader(string(write(t, "vtt", tr, formats.Options{}))))
		require.NoError(t, err)
		require.Equal(t, saidBy(plain.Transcript), saidBy(named.Transcript))
	}
	report, err := formats.Check("a.vtt", strings.NewReader("WEBVTT\n\n00:01.000 --> 00:05.000\n<v A><c.speaker>A: </c>"+strings.Repeat("a", 40)+"\n"), formats.CheckOptions{})
	require.NoError(t, err)
	require.Equal(t, "width", string(report.Findings[0].Rule), "the width counts the name")
}

// saidBy returns the letters that each speaker says.
func saidBy(tr transcript.Transcript) map[string]string {
	said := map[string]string{}
	for _, u := range tr.Utterances {
		said[u.Speaker] += letters(u.Text)
	}
	return said
}
