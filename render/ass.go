package render

import (
	"fmt"
	"strings"
	"time"
)

// This file writes Advanced SubStation Alpha (ASS) for libass. Only this package's own strings become markup. User text
// passes through escape, and reaches ffmpeg in an ASS file only, never in an argument.

// Names of the styles in an ASS file.
const (
	styleCaption = "Caption"
	stylePlain   = "Plain" // Caption on a plain dark background, where it needs no outline: a third of the work
	styleGhost   = "Ghost" // takes the space of Caption and is invisible
	styleHot     = "Hot"   // a box without letters
	styleTitle   = "Title"
	styleHeading = "Heading" // a title without a box
	styleShape   = "Shape"   // drawings
	styleLetters = "Letters" // of a Style: each event says the rest
)

// Colours are blue, green, red. In a style, transparency comes first.
const (
	white = "&HFFFFFF&"
	gold  = "&H00D7FF&"
	grey  = "&HA8A8A8&"
)

// script is an ASS file.
type script struct {
	canvas size
	styles []string
	events []string
	times  []time.Duration // start and end times of events
}

// ffmpeg's overlay multiplies the opacity of a layer with itself, so translucent colours use the square root of their
// opacity: halfBlack is black at 0.5, mostlyBlack at 0.62.
const halfBlack, mostlyBlack = "&H4B000000", "&H36000000"

// newScript returns an empty script for a layout. Encoding -1 makes libass lay out a line as one text despite overrides in
// it. With any other value, Arabic and Hebrew words swap places where one word has another colour.
func newScript(l layout, base font) *script {
	style := func(name string, f font, size float64, colours string, border int, outline, shadow float64, align int) string {
		return fmt.Sprintf("Style: %s,%s,%s,%s,-1,0,0,0,100,100,0,0,%d,%s,%s,%d,%d,%d,0,-1",
			name, f.family, number(size), colours, border, number(outline), number(shadow), align, l.side, l.side)
	}
	return &script{canvas: l.canvas, styles: []string{
		style(styleCaption, base, l.captionSize*base.scale, "&H00FFFFFF,&H00FFFFFF,&H00000000,"+halfBlack, 1, l.captionSize/14, 2, 2),
		style(stylePlain, base, l.captionSize*base.scale, "&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000", 1, 0, 0, 2),
		style(styleGhost, base, l.captionSize*base.scale, "&HFFFFFFFF,&HFFFFFFFF,&HFF000000,&HFF000000", 1, l.captionSize/14, 0, 2),
		style(styleHot, base, l.captionSize*base.scale, "&HFFFFFFFF,&HFFFFFFFF,&H00E0386C,&HFF000000", 3, l.captionSize/11, 0, 2),
		style(styleTitle, base, l.titleSize*base.scale, "&H00FFFFFF,&H00FFFFFF,&H00000000,"+mostlyBlack, 4, 0, 22, 8),
		style(styleHeading, base, l.titleSize*base.scale, "&H00FFFFFF,&H00FFFFFF,&H80000000,&H80000000", 1, 1, 1, 8),
		style(styleShape, notoSans, 20, "&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000", 1, 0, 0, 7),
	}}
}

// add shows a text from start until end. Times are rounded to 1/100 s; a text shorter than that isn't added.
func (s *script) add(layer int, start, end time.Duration, style, text string) {
	if from, to := timestamp(start), timestamp(end); from != to {
		s.times = append(s.times, hundredths(start), hundredths(end))
		s.events = append(s.events, fmt.Sprintf("Dialogue: %d,%s,%s,%s,,0,0,0,,%s", layer, from, to, style, text))
	}
}

// String returns the ASS file, or "" if there is nothing to show.
func (s *script) String() string {
	if len(s.events) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "[Script Info]\nScriptType: v4.00+\nPlayResX: %d\nPlayResY: %d\n", s.canvas.w, s.canvas.h)
	b.WriteString("WrapStyle: 2\nScaledBorderAndShadow: yes\nYCbCr Matrix: None\n\n[V4+ Styles]\n")
	b.WriteString("Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, " +
		"Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding\n")
	b.WriteString(strings.Join(s.styles, "\n"))
	b.WriteString("\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n")
	for _, e := range s.events {
		b.WriteString(e)
		b.WriteByte('\n')
	}
	return b.String()
}

// escape turns cleaned text into ASS that shows it. A word joiner, which is invisible, follows each backslash so that it
// starts no command; braces would open an override.
func escape(text string) string { return escaper.Replace(text) }

var escaper = strings.NewReplacer(`\`, "\\\u2060", `{`, `\{`, `}`, `\}`, "\n", " ", "\r", " ")

// timestamp formats a time for ASS, rounded to 1/100 s: "0:00:01.50".
func timestamp(d time.Duration) string {
	cs := hundredths(d) / (10 * time.Millisecond)
	return fmt.Sprintf("%d:%02d:%02d.%02d", cs/360000, cs/6000%60, cs/100%60, cs%100)
}

// number formats a number with at most two decimals.
func number(f float64) string {
	s := fmt.Sprintf("%.2f", f)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
