package markers

import (
	"fmt"
	"io"
	"strings"
)

// WriteFCPXML writes Final Cut Pro XML 1.9: an event with a project, whose sequence has the media as a clip, or a gap without media. Chapters
// become chapter markers, everything else markers. All times are multiples of the duration of a frame. The media's own timecode is taken
// to begin at 0.
func WriteFCPXML(w io.Writer, t Timeline) error {
	t, marks, length := t.prepare()
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<!DOCTYPE fcpxml>\n" + `<fcpxml version="1.9">` + "\n  <resources>\n")
	fmt.Fprintf(&b, `    <format id="r1" frameDuration="%s" width="1920" height="1080"/>`+"\n", t.Rate.frameDuration())
	name := xmlText.Replace(t.Name)
	if t.Media != "" {
		picture := ` hasVideo="1" format="r1" videoSources="1"`
		if t.Sound {
			picture = ""
		}
		fmt.Fprintf(&b, `    <asset id="r2" name="%s" start="0s" duration="%s"%s hasAudio="1" audioSources="1" audioChannels="2">`+"\n", xmlText.Replace(t.mediaName()), t.Rate.rational(length), picture)
		fmt.Fprintf(&b, `      <media-rep kind="original-media" src="%s"/>`+"\n    </asset>\n", xmlText.Replace(t.address()))
	}
	fmt.Fprintf(&b, "  </resources>\n"+`  <event name="%s">`+"\n"+`    <project name="%[1]s">`+"\n", name)
	fmt.Fprintf(&b, `      <sequence format="r1" duration="%s" tcStart="%s" tcFormat="%s" audioLayout="stereo" audioRate="48k">`+"\n        <spine>\n",
		t.Rate.rational(length), t.Rate.rational(t.Start), t.Rate.timecodeFormat())
	element := "gap"
	place := fmt.Sprintf(`name="%s" offset="%s" start="0s" duration="%s"`, xmlText.Replace(t.mediaName()), t.Rate.rational(t.Start), t.Rate.rational(length))
	if t.Media != "" {
		element, place = "asset-clip", `ref="r2" `+place
	}
	fmt.Fprintf(&b, "          <%s %s>\n", element, place)
	for _, m := range marks {
		fmt.Fprintf(&b, "            %s\n", t.Rate.fcpxmlMarker(m))
	}
	fmt.Fprintf(&b, "          </%s>\n        </spine>\n      </sequence>\n    </project>\n  </event>\n</fcpxml>\n", element)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Rate) fcpxmlMarker(m mark) string {
	element, note := "marker", ""
	if m.Kind == Chapter {
		element = "chapter-marker"
	}
	if m.Note != "" {
		note = ` note="` + xmlText.Replace(m.Note) + `"`
	}
	return fmt.Sprintf(`<%s start="%s" duration="%s" value="%s"%s/>`, element, r.rational(m.start), r.rational(m.length), xmlText.Replace(m.Name), note)
}

// rational returns a number of frames in seconds, as a fraction with the denominator of the frame duration, or as whole seconds.
func (r Rate) rational(frames int64) string {
	if n := frames * r.Per; n%r.Frames == 0 {
		return fmt.Sprintf("%ds", n/r.Frames)
	}
	per, of := r.fraction()
	return fmt.Sprintf("%d/%ds", frames*per, of)
}

func (r Rate) frameDuration() string {
	per, of := r.fraction()
	return fmt.Sprintf("%d/%ds", per, of)
}

// fraction returns the duration of a frame in seconds, as Final Cut Pro writes it: 100/2500 for 25 frames per second.
func (r Rate) fraction() (per, of int64) {
	if r.Per == 1 {
		return 100, 100 * r.Frames
	}
	return r.Per, r.Frames
}

func (r Rate) timecodeFormat() string {
	if r.Drop {
		return "DF"
	}
	return "NDF"
}

// xmlText escapes clean text for attributes.
var xmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
