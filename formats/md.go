package formats

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteMD writes Markdown (CommonMark, with a table of GitHub's dialect for SpeakerTable): headline, header, the optional sections, and
// paragraphs, each below its speaker and time:
//
//	**Ada** 00:01:23
//
//	We may say most aptly that the engine weaves algebraical patterns.
//
// Text is escaped, so that nothing that is said becomes markup. Web addresses are links, and entries of chapters link to anchors. Markdown
// has no directions: programs that show it choose that of right-to-left text.
func WriteMD(w io.Writer, t transcript.Transcript, o Options) error {
	d := prepareDocument(t, o)
	var b bytes.Buffer
	b.Grow(d.size() * 9 / 8)
	b.WriteString("# " + mdText(d.headline()) + "\n")
	d.mdHeader(&b)
	d.mdSections(&b, o)
	chapter := 0
	for _, s := range d.sections() {
		if s.titled {
			chapter++
			b.WriteString("\n### " + mdAnchor(chapter) + mdText(s.chapter.Title) + "\n")
		}
		for _, p := range s.paragraphs {
			mdParagraph(&b, p, o)
		}
	}
	return writeFile(w, &b)
}

func (d document) mdHeader(b *bytes.Buffer) {
	for i, l := range d.header() {
		if i == 0 {
			b.WriteByte('\n')
		}
		text := mdText(l.text)
		if l.link != "" {
			text = mdLink(l.text, l.link)
		}
		b.WriteString("- " + mdText(l.label) + ": " + text + "\n")
	}
}

// mdSections writes the sections before the text, and a heading for the text if there are any.
func (d document) mdSections(b *bytes.Buffer, o Options) {
	heading := func(title string) { b.WriteString("\n## " + mdText(title) + "\n") }
	if len(d.summary) > 0 {
		heading(d.word.summary)
	}
	for _, p := range d.summary {
		b.WriteString("\n" + mdText(p) + "\n")
	}
	if len(d.chapters) > 0 {
		heading(d.word.chapters)
		b.WriteByte('\n')
	}
	for i, c := range d.chapters {
		b.WriteString("- ")
		if !o.OmitTimestamps {
			b.WriteString(clock(c.Start) + " ")
		}
		b.WriteString("[" + mdWords(c.Title) + "](#chapter-" + strconv.Itoa(i+1) + ")")
		if c.Summary != "" {
			b.WriteString("  \n  " + mdText(c.Summary))
		}
		b.WriteByte('\n')
	}
	times := d.talkTimes()
	if !o.SpeakerTable {
		times = nil
	}
	if len(times) > 0 {
		heading(d.word.speakers)
		fmt.Fprintf(b, "\n| %s | %s | %% |\n|---|--:|--:|\n", mdText(d.word.speaker), mdText(d.word.speaking))
	}
	for _, s := range times {
		fmt.Fprintf(b, "| %s | %s | %s |\n", mdText(s.name), s.clock(), percent(s.share, d.Language))
	}
	if len(d.summary)+len(d.chapters)+len(times) > 0 {
		heading(d.word.transcript)
	}
}

func mdParagraph(b *bytes.Buffer, p captions.Utterance, o Options) {
	var head []string
	if name := strings.TrimSpace(p.Name); name != "" { // emphasis can't begin or end with a space
		head = append(head, "**"+mdText(name)+"**")
	}
	if !o.OmitTimestamps {
		head = append(head, clock(p.Start))
	}
	if len(head) > 0 {
		b.WriteString("\n" + strings.Join(head, " ") + "\n")
	}
	b.WriteString("\n" + mdText(p.Text) + "\n")
}

func mdAnchor(chapter int) string { return `<a id="chapter-` + strconv.Itoa(chapter) + `"></a>` }

func mdLink(text, address string) string {
	if text == address {
		return "<" + address + ">"
	}
	return "[" + mdWords(text) + "](<" + address + ">)"
}
