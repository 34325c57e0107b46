package formats

import (
	"bytes"
	"html"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteHTML writes one HTML page with headline, header, the optional sections, and the text. Its style sheet and its program are in the page;
// nothing but the media is loaded, and a content security policy says so. With Media, it is a player: it highlights the word that is spoken,
// and a click on a word goes there. The page can be searched, read without JavaScript and without media, and printed.
//
// Media is the name of a file, relative to the page, or an http(s) address; others are CodeInvalid.
func WriteHTML(w io.Writer, t transcript.Transcript, o Options) error {
	media, err := o.media("WriteHTML")
	if err != nil {
		return err
	}
	p := pageWriter{document: prepareTimed(t, o, true), media: media, times: !o.OmitTimestamps, colours: map[string]int{}}
	p.Grow(3 * p.size())
	p.head()
	p.add(`<div class="top">`, "\n<h1 dir=\"auto\">", pageText(p.headline()), "</h1>\n")
	p.header()
	p.player()
	p.overview(o.SpeakerTable)
	p.add("</div>\n", `<div class="text">`, "\n")
	if p.headline() != p.word.transcript || len(p.chapters) > 0 {
		p.add("<h2>", pageText(p.word.transcript), "</h2>\n")
	}
	chapter := 0
	for _, s := range p.sections() {
		if s.titled {
			chapter++
			p.add(`<h3 id="chapter-`, pageNumber(chapter), `" dir="auto">`, pageText(s.chapter.Title), "</h3>\n")
		}
		for _, u := range s.paragraphs {
			p.turn(u)
		}
	}
	p.add("</div>\n</main>\n<script>", pageHTML(pageScript), "</script>\n</body>\n</html>\n")
	return writeFile(w, &p.Buffer)
}

// pageHTML is part of a page. Everything that comes from a transcript or from options gets there by pageText.
type pageHTML string

// pageText escapes text for HTML, as content and in double quotes.
func pageText(s string) pageHTML { return pageHTML(html.EscapeString(s)) }

func pageNumber(n int) pageHTML { return pageHTML(strconv.Itoa(n)) }

// pageTime returns a time for the page's program.
func pageTime(d time.Duration) pageHTML { return pageHTML(strconv.FormatInt(milliseconds(d), 10)) }

// pageWriter writes a page.
type pageWriter struct {
	bytes.Buffer
	document
	media   pageMedia
	times   bool
	colours map[string]int // by name
}

func (p *pageWriter) add(parts ...pageHTML) {
	for _, s := range parts {
		p.WriteString(string(s))
	}
}

// turn writes a paragraph.
func (p *pageWriter) turn(u captions.Utterance) {
	p.add(`<div class="turn" data-start="`, pageTime(u.Start), `" data-words="`, wordTimes(u), "\">\n")
	if u.Name != "" || p.times {
		p.add(`<p class="head">`)
		if u.Name != "" {
			p.add(`<span class="who s`, pageNumber(p.colour(u.Name)), `" dir="auto">`, pageText(u.Name), "</span>")
		}
		if p.times {
			p.time(u.Start, "at", pageText(clock(u.Start)))
		}
		p.add("</p>\n")
	}
	p.add(`<p class="said" dir="auto">`, pageLinks(u.Text), "</p>\n</div>\n")
}

// time writes something that belongs to a time, as a link to the time in the media, if there are any.
func (p *pageWriter) time(at time.Duration, class, shown pageHTML) {
	if p.media.address == "" {
		p.add(`<span class="`, class, `">`, shown, "</span>")
		return
	}
	seconds := strconv.FormatFloat(at.Seconds(), 'f', -1, 64)
	p.add(`<a class="`, class, `" href="`, pageText(p.media.address), "#t=", pageHTML(seconds), `" data-start="`, pageTime(at), `">`, shown, "</a>")
}

// colour returns the number of a speaker's colour.
func (p *pageWriter) colour(name string) int {
	n, ok := p.colours[name]
	if !ok {
		n = len(p.colours) % pageColours
		p.colours[name] = n
	}
	return n
}

// pageLinks returns text with links to the web addresses in it.
func pageLinks(s string) pageHTML {
	var b strings.Builder
	at := 0
	for _, l := range linksIn(s) {
		b.WriteString(string(pageText(s[at:l.start]) + pageAnchor(l.address, s[l.start:l.end])))
		at = l.end
	}
	return pageHTML(b.String()) + pageText(s[at:])
}

func pageAnchor(address, shown string) pageHTML {
	return `<a href="` + pageText(address) + `" rel="noopener noreferrer">` + pageText(shown) + "</a>"
}

// wordTimes returns where the words of a paragraph are, and when: "letters.time" for each, as differences in base 36. Letters are UTF-16
// units, times are milliseconds.
func wordTimes(u captions.Utterance) pageHTML {
	var b []byte
	at, last, lastTime := 0, 0, u.Start
	for i, w := range u.Words {
		gap := strings.Index(u.Text[at:], w.Text)
		letters := utf16Length(u.Text[at : at+gap])
		at += gap
		if i > 0 {
			b = append(b, ' ')
		}
		start := max(w.Start, lastTime)
		b = strconv.AppendInt(b, int64(last+letters), 36)
		b = append(b, '.')
		b = strconv.AppendInt(b, milliseconds(start-lastTime), 36)
		last, lastTime = utf16Length(w.Text), start
		at += len(w.Text)
	}
	return pageHTML(b)
}

// utf16Length returns the length of a text as JavaScript counts it.
func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
