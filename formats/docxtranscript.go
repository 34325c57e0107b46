package formats

import (
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
)

// headingEvery is the distance between the headings that structure a long transcript without chapters.
const headingEvery = 10 * time.Minute

// docxChapter is a heading that the table of contents refers to.
type docxChapter struct {
	time, title string
	page        int // estimated
}

func (c docxChapter) bookmark(n int) string { return "_Toc" + strconv.Itoa(10_000_001+n) }

// transcript writes the paragraphs. Each chapter has a heading; if timed, so has each 10 min block with speech.
func (d *docxBody) transcript(sections []section, o Options, timed bool) {
	previous := time.Duration(-1)
	for _, s := range sections {
		if s.titled {
			d.chapter(s.chapter, o)
		}
		for _, p := range s.paragraphs {
			if block, first := blockStart(previous, p.Start, headingEvery); first && timed {
				d.paragraph(d.look.chapter, docxRun{text: clock(block), look: d.look.title})
			}
			previous = p.Start
			d.turn(p, o)
		}
	}
}

// turn writes a paragraph below a line with its speaker and time.
func (d *docxBody) turn(p captions.Utterance, o Options) {
	name, at := docxRun{text: p.Name, look: d.look.name}, docxRun{text: clock(p.Start), look: d.look.time}
	switch {
	case p.Name != "" && o.OmitTimestamps:
		d.paragraph(d.look.speaker, name)
	case p.Name != "":
		name.text += "  "
		d.paragraph(d.look.speaker, name, at)
	case !o.OmitTimestamps:
		d.paragraph(d.look.speaker, at)
	}
	d.paragraph(d.look.text, docxRun{text: p.Text})
}

// chapter writes the heading of a chapter, and its summary.
func (d *docxBody) chapter(c Chapter, o Options) {
	n := len(d.chapters)
	entry := docxChapter{time: clock(c.Start), title: c.Title}
	if o.OmitTimestamps && c.Title != "" {
		entry.time = ""
	}
	title := docxRun{text: c.Title, look: d.look.title}
	rtl := d.openParagraph(d.look.chapter, title)
	if d.pages != nil {
		entry.page = d.pages.number()
		d.WriteString(`<w:bookmarkStart w:id="` + strconv.Itoa(n) + `" w:name="` + entry.bookmark(n) + `"/>`)
	}
	if entry.time != "" {
		d.directed(entry.time, d.look.time, rtl)
	}
	if entry.time != "" && c.Title != "" {
		d.directed("  ", d.look.title, rtl)
	}
	d.runs(rtl, title)
	if d.pages != nil {
		d.WriteString(`<w:bookmarkEnd w:id="` + strconv.Itoa(n) + `"/>`)
	}
	d.WriteString("</w:p>")
	d.chapters = append(d.chapters, entry)
	if c.Summary != "" {
		d.paragraph(d.look.summary, docxRun{text: c.Summary})
	}
}
