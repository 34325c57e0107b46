package formats

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/asticode/go-astisub"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteASS writes Advanced SubStation Alpha (v4.00+) for a screen of 1920 × 1080, with a named style in a colour of its own for each
// speaker: UTF-8 with a byte order mark and CRLF, as players based on VSFilter require. Options.VisibleNames begins each turn with the
// speaker's name.
//
// go-astisub writes the events. Its styles have their fields in an order of its own, which VSFilter ignores, it has no settings for scaling
// and language, joins lines with a soft break, and refuses an empty transcript; so the head is written here. Braces and backslashes of spoken
// text are escaped; VSFilter, unlike libass, doesn't show escaped braces.
func WriteASS(w io.Writer, t transcript.Transcript, o Options) error {
	o.Captions.SpeakerPrefix, o.Captions.Dialogues = o.VisibleNames, true
	s := prepare(t, o)
	cues := s.cues(o)
	byLabel, all := voicesOf(cues)
	names := assStyleNames(all)
	var events bytes.Buffer
	if len(cues) > 0 {
		if err := assEvents(cues, byLabel, names).WriteToSSA(&events); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	b.WriteString(bom + assInfo(s) + assStyles(all, names, hasRightToLeft(s.text())))
	if _, lines, ok := strings.Cut(events.String(), "[Events]"); ok {
		b.WriteString("[Events]" + strings.ReplaceAll(lines, `\n`, `\N`))
	} else {
		b.WriteString("[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n")
	}
	return writeFile(w, bytes.NewBufferString(strings.ReplaceAll(b.String(), "\n", "\r\n")))
}

func assInfo(s script) string {
	var b strings.Builder
	b.WriteString("[Script Info]\n")
	if s.title != "" {
		fmt.Fprintf(&b, "Title: %s\n", s.title)
	}
	b.WriteString("ScriptType: v4.00+\nWrapStyle: 0\nScaledBorderAndShadow: yes\nYCbCr Matrix: None\nPlayResX: 1920\nPlayResY: 1080\n")
	if tag := localeOf(s.Language).tag; tag != "und" {
		fmt.Fprintf(&b, "Language: %s\n", tag)
	}
	return b.String() + "\n"
}

const assDefault = "Default" // the style of unknown speakers

// assStyles returns the section of styles. Text with right-to-left letters has the encoding that makes libass find each line's direction.
func assStyles(all []voice, names map[int]string, rightToLeft bool) string {
	encoding := 1
	if rightToLeft {
		encoding = -1
	}
	var b strings.Builder
	b.WriteString("[V4+ Styles]\nFormat: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, " +
		"ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding\n")
	for _, v := range append([]voice{{}}, all...) {
		c := v.colour()
		fmt.Fprintf(&b, "Style: %s,Arial,72,&H00%02X%02X%02X,&H000000FF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,4,1,2,96,96,60,%d\n",
			names[v.number], c.blue, c.green, c.red, encoding)
	}
	return b.String() + "\n"
}

// assName replaces characters that fields and overrides can't have by lookalikes.
var assName = strings.NewReplacer(",", "‚", `\`, "＼", "{", "｛", "}", "｝", ":", "：")

// assStyleNames returns the style of each speaker by number, and of number 0, the unknown one. No two are equal.
func assStyleNames(all []voice) map[int]string {
	names, taken := map[int]string{0: assDefault}, map[string]bool{assDefault: true}
	for _, v := range all {
		name := strings.TrimLeft(assName.Replace(v.name), "* ")
		for n := 2; name == "" || taken[name]; n++ {
			name = fmt.Sprintf("%s %d", assName.Replace(v.name), n)
		}
		names[v.number], taken[name] = name, true
	}
	return names
}

// assEscapes escapes spoken text. An invisible word joiner follows each backslash, so that it begins no command.
var assEscapes = strings.NewReplacer(`\`, "\\\u2060", `{`, `\{`, `}`, `\}`)

// assEvents converts cues to the library's type. In a dialogue, an override switches the style for the second speaker.
func assEvents(cues []captions.Cue, byLabel map[string]voice, names map[int]string) *astisub.Subtitles {
	s := subtitlesOf(cues, assEscapes.Replace)
	s.Metadata = &astisub.Metadata{SSAScriptType: "v4.00+"}
	var clock hundredthsClock
	for i, c := range cues {
		item := s.Items[i]
		first := byLabel[labelOf(c, c.Lines[0])]
		item.StartAt, item.EndAt = clock.round(c.Start, c.End)
		item.Style = &astisub.Style{ID: names[first.number]}
		item.Lines[0].VoiceName = assName.Replace(first.name)
		for j, l := range c.Lines {
			if v := byLabel[labelOf(c, l)]; v != first {
				item.Lines[j].Items[0].Text = `{\r` + names[v.number] + `}` + item.Lines[j].Items[0].Text
			}
		}
	}
	return s
}

const hundredth = 10 * time.Millisecond

// hundredths rounds a time to what ASS and LRC can express.
func hundredths(d time.Duration) time.Duration { return d.Round(hundredth) }

// hundredthsClock rounds the times of cues in the order of their starts. Each cue lasts at least a hundredth of a second, and cues that
// follow each other don't overlap: one after a shorter cue than that starts later.
type hundredthsClock struct {
	free time.Duration      // rounded end of the cues that are over
	open [][2]time.Duration // ends of the others: exact and rounded
}

func (h *hundredthsClock) round(start, end time.Duration) (from, to time.Duration) {
	h.open = slices.DeleteFunc(h.open, func(ends [2]time.Duration) bool {
		over := ends[0] <= start
		if over {
			h.free = max(h.free, ends[1])
		}
		return over
	})
	from = max(hundredths(start), h.free)
	to = max(hundredths(end), from+hundredth)
	h.open = append(h.open, [2]time.Duration{end, to})
	return from, to
}
