package render_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// lookOf plans a square clip of a text with a style in YAML.
func lookOf(t *testing.T, text, style string, language transcript.Language) render.Plan {
	t.Helper()
	s, err := render.ParseStyle([]byte(style))
	require.NoError(t, err)
	p, err := render.NewPlan(film1080(), render.Sound{}, render.Request{
		Window: window(0, 4000), Words: wordsOf(text, 0, 4*time.Second), Language: language, Aspect: engine.AspectSquare, Look: &s,
		KeyWords: []string{"Compilers"},
	})
	require.NoError(t, err)
	return p
}

var placed = regexp.MustCompile(`\\pos\(([0-9.]+),`)

// places returns the horizontal places of the events that show each of the texts.
func places(t *testing.T, script string, texts ...string) (x []float64) {
	t.Helper()
	for _, text := range texts {
		at := strings.Index(script, "}"+text)
		require.GreaterOrEqual(t, at, 0, "%s in %s", text, script)
		event := script[strings.LastIndexByte(script[:at], '\n'):at]
		v, err := strconv.ParseFloat(placed.FindStringSubmatch(event)[1], 64)
		require.NoError(t, err)
		x = append(x, v)
	}
	return x
}

// Words are placed in the order in which they are read: Arabic and Hebrew from right to left, and English words and numbers inside them from
// left to right. What most letters are decides, unless the language is known to be written from right to left.
func TestLookOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language         transcript.Language
		spoken, fromLeft string
	}{
		{"en", "one two three", "one two three"},
		{"ar", "نحن new york هنا", "هنا new york نحن"},
		{"", "نحن new هنا اليوم", "اليوم هنا new نحن"},
		{"", "אחת שתיים 33 ארבע", "ארבע 33 שתיים אחת"},
		{"en", "אחת שתיים 33 ארבע", "ארבע 33 שתיים אחת"},
		{"", "סרט של Sony מתחיל", "מתחיל Sony של סרט"},
		{"", "Sony מודיעה על 33", "33 על מודיעה Sony"},
		{"ar", "Apple Music في عام", "عام في Apple Music"},
		{"", "Then דוד בן 33 יוסף spoke again", "Then יוסף 33 בן דוד spoke again"},
		{"en", "דוד said hello", "דוד said hello"},
		{"en", "call דוד 33 times", "call 33 דוד times"},
		{"en", "call 33 times דוד", "call 33 times דוד"},
	} {
		x := places(t, lookOf(t, c.spoken, "font: {size: 20}\ncaptions: {lines: 1}", c.language).Captions, strings.Fields(c.fromLeft)...)
		require.IsIncreasing(t, x, "%s in %q", c.spoken, c.language)
	}
}

// Captions of a language that is written from right to left begin at the right.
func TestLookSide(t *testing.T) {
	t.Parallel()
	for text, right := range map[string]bool{"one two": false, "אחת שתיים": true, "Sony מודיעה": true, "דוד said hello": false} {
		for _, x := range places(t, lookOf(t, text, "preset: lower-third", "").Captions, strings.Fields(text)...) {
			require.Equal(t, right, x > 1080/2, text)
		}
	}
}

// Numbers, names, and key words have the colour of emphasis. A word at the beginning of a sentence is no name, and no German noun is.
func TestLookEmphasis(t *testing.T) {
	t.Parallel()
	const style = "emphasis: {colour: '#ff0000'}\ncaptions: {lines: 2}"
	red := func(text string, language transcript.Language) (words []string) {
		for _, m := range regexp.MustCompile(`\\1c&H0000FF&[^}]*}(?:{[^}]*})*([^\n{]+)\n`).FindAllStringSubmatch(lookOf(t, text, style, language).Captions, -1) {
			words = append(words, m[1])
		}
		return words
	}
	require.Equal(t, []string{"Grace", "1959,", "compilers."}, red("When Grace began in 1959, she made compilers. They worked.", "en"))
	require.Equal(t, []string{"Ada."}, red("It was so. Then came Ada. But she left.", "en"))
	require.Equal(t, []string{"7"}, red("Die Frau hat 7 Hunde.", "de"))
}

// A clip reaches at most 150 ms into the silence around its window, and fades there. Without silence it keeps the window.
func TestLookHandles(t *testing.T) {
	t.Parallel()
	s := render.DefaultStyle()
	for _, c := range []struct{ quiet, want transcript.Window }{
		{window(0, 0), window(1000, 2000)},
		{window(0, 9000), window(850, 2150)},
		{window(960, 2000), window(960, 2000)},
	} {
		p, err := render.NewPlan(film1080(), render.Sound{}, render.Request{
			Window: window(1000, 2000), Quiet: c.quiet, Words: wordsOf("a b", time.Second, 2*time.Second), Look: &s,
		})
		require.NoError(t, err)
		require.Equal(t, c.want.End-c.want.Start, p.Duration)
		args, err := p.Args("/in", "/out", 1)
		require.NoError(t, err)
		require.Contains(t, strings.Join(args, " "), "afade=duration=0.04:start_time="+strconv.FormatFloat((p.Duration-40*time.Millisecond).Seconds(), 'f', -1, 64)+":type=out")
	}
}

// Emoji of captions and titles are drawn if the style says so. Without it they are left out, and the note says so.
func TestLookEmoji(t *testing.T) {
	t.Parallel()
	drawn := lookOf(t, "hi 🎉 there", "text: {emoji: true}", "en")
	require.Contains(t, drawn.Captions, "m 0 0 m 180 180")
	require.Empty(t, drawn.Notes)
	plain := lookOf(t, "hi 🎉 there", "text: {emoji: false}", "en")
	require.NotContains(t, plain.Captions, "m 0 0 m 180 180")
	require.Equal(t, []string{"Emoji can't be shown and were left out: 🎉."}, plain.Notes)
}

// Text of users never becomes a command of libass.
func TestLookEscapes(t *testing.T) {
	t.Parallel()
	p := lookOf(t, `{\b0}evil \N{\p1}`, "preset: named", "en")
	require.NotContains(t, p.Captions, `{\b0}`)
	require.NotContains(t, p.Captions, `\N`)
	require.NotContains(t, p.Captions, `{\p1}`)
}
