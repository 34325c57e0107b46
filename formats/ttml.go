package formats

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/asticode/go-astisub"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteTTML writes TTML2 in the Text profile of IMSC 1.1: media times, each speaker as a ttm:agent with a colour, and captions at the bottom.
// Options.VisibleNames begins each turn with the speaker's name.
//
// go-astisub writes the body. It knows five languages, and no profiles, agents, and xml:ids, and refuses an empty transcript; so the head is
// written here, and attributes that it lacks are added to its paragraphs.
func WriteTTML(w io.Writer, t transcript.Transcript, o Options) error {
	return writeTimedText(w, t, o, timedText{
		root: ` ttp:version="2" ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/imsc1.1/text"`,
	})
}

// timedText is what distinguishes the profiles of TTML.
type timedText struct {
	root     string // attributes of the root element
	metadata string // elements at the start of the metadata
}

func writeTimedText(w io.Writer, t transcript.Transcript, o Options, profile timedText) error {
	o.Captions.SpeakerPrefix, o.Captions.Dialogues = o.VisibleNames, true
	s := prepare(t, o)
	cues := s.cues(o)
	byLabel, all := voicesOf(cues)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xmlns:itts="http://www.w3.org/ns/ttml/profile/imsc1#styling" xmlns:ebutts="urn:ebu:tt:style"%s ttp:timeBase="media" ttp:cellResolution="50 30" xml:lang="%s">
`, profile.root, localeOf(s.Language).tag)
	ttmlHead(&b, s.title, all, profile.metadata)
	if len(cues) > 0 {
		var body bytes.Buffer
		if err := ttmlCues(cues, byLabel).WriteToTTML(&body, astisub.WriteToTTMLWithIndentOption("")); err != nil {
			return err
		}
		_, paragraphs, _ := strings.Cut(body.String(), "<body>")
		_, _ = ttmlAttributes.WriteString(&b, `<body style="text">`+strings.TrimSuffix(paragraphs, "</tt>"))
		b.WriteByte('\n')
	}
	b.WriteString("</tt>\n")
	return writeFile(w, &b)
}

// ttmlHead writes the head: who speaks, a style per speaker, and the region. Fonts have 57.6 of 1080 lines, so that 42 columns fit.
func ttmlHead(b *bytes.Buffer, title string, all []voice, metadata string) {
	b.WriteString("<head>\n<metadata>\n" + metadata)
	if title != "" {
		fmt.Fprintf(b, "<ttm:title>%s</ttm:title>\n", escapeXML(title))
	}
	for _, v := range all {
		fmt.Fprintf(b, "<ttm:agent xml:id=\"speaker%d\" type=\"person\"><ttm:name type=\"full\">%s</ttm:name></ttm:agent>\n", v.number, escapeXML(v.name))
	}
	b.WriteString("</metadata>\n<styling>\n" + `<style xml:id="text" tts:fontFamily="proportionalSansSerif" tts:fontSize="160%" tts:lineHeight="125%" tts:textAlign="center" ` +
		`ebutts:linePadding="0.5c" itts:fillLineGap="true"/>` + "\n")
	for _, v := range append([]voice{{}}, all...) {
		c := v.colour()
		fmt.Fprintf(b, "<style xml:id=\"voice%d\" tts:color=\"#%02x%02x%02x\" tts:backgroundColor=\"#000000cc\"/>\n", v.number, c.red, c.green, c.blue)
	}
	b.WriteString(`<style xml:id="rtl" tts:direction="rtl" tts:unicodeBidi="embed"/>
</styling>
<layout>
<region xml:id="bottom" tts:origin="10% 10%" tts:extent="80% 80%" tts:displayAlign="after" tts:showBackground="whenActive"/>
</layout>
</head>
`)
}

// The placeholders become attributes once the library has escaped and written the values before them.
const (
	idPlaceholder    = "\uFDD2"
	agentPlaceholder = "\uFDD3"
)

var ttmlAttributes = strings.NewReplacer(
	idPlaceholder, `" xml:id="cue`, agentPlaceholder, `" ttm:agent="speaker`, "<br></br>", "<br/>", "<div><p ", "<div>\n<p ", "</p><p ", "</p>\n<p ", "</p></div></body>", "</p>\n</div></body>",
)

// ttmlCues converts cues to the library's type. A paragraph has the agent of its first line; a line of another speaker has its own.
func ttmlCues(cues []captions.Cue, byLabel map[string]voice) *astisub.Subtitles {
	s := subtitlesOf(cues, func(text string) string { return text })
	for i, c := range cues {
		item := s.Items[i]
		first := byLabel[labelOf(c, c.Lines[0])]
		item.Region = &astisub.Region{ID: "bottom" + idPlaceholder + fmt.Sprint(i+1) + agentOf(first)}
		for j, l := range c.Lines {
			v := byLabel[labelOf(c, l)]
			style := fmt.Sprintf("voice%d", v.number)
			if startsRightToLeft(l.Text) {
				style += " rtl"
			}
			if v != first {
				style += agentOf(v)
			}
			item.Lines[j].Items[0].Style = &astisub.Style{ID: style}
		}
	}
	return s
}

func agentOf(v voice) string {
	if v.number == 0 {
		return ""
	}
	return agentPlaceholder + fmt.Sprint(v.number)
}

func escapeXML(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder never fails
	return b.String()
}
