package formats

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
)

// The style sheet and the program of pages.
var (
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
)

// pageColours is how many colours of speakers the style sheet has.
const pageColours = 8

// head writes everything up to the contents.
func (p *pageWriter) head() {
	direction, l := pageHTML("ltr"), localeOf(p.Language)
	if l.script.rightToLeft() || len(p.Utterances) > 0 && startsRightToLeft(p.Utterances[0].Text) {
		direction = "rtl"
	}
	p.add("<!DOCTYPE html>\n<html lang=\"", pageText(l.tag), `" dir="`, direction, "\">\n<head>\n<meta charset=\"utf-8\">\n",
		`<meta http-equiv="Content-Security-Policy" content="`, p.policy(), "\">\n",
		`<meta name="viewport" content="width=device-width, initial-scale=1">`, "\n",
		`<meta name="generator" content="Soundstage">`, "\n", `<link rel="icon" href="data:,">`, "\n",
		"<title>", pageText(p.headline()), "</title>\n<style>", pageHTML(pageStyle), "</style>\n</head>\n<body>\n<main>\n")
}

// policy returns the content security policy: nothing but our style sheet, our program, and the media. Servers of media often redirect, so
// media may come from any of them.
func (p *pageWriter) policy() pageHTML {
	sources := pageHTML("'none'")
	switch {
	case p.media.local:
		sources = "'self' file:"
	case p.media.address != "":
		sources = "http: https:"
	}
	return "default-src 'none'; style-src " + pageHash(pageStyle) + "; script-src " + pageHash(pageScript) +
		"; img-src data:; media-src " + sources + "; base-uri 'none'; form-action 'none'"
}

func pageHash(s string) pageHTML {
	sum := sha256.Sum256([]byte(s))
	return pageHTML("'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
}

func (p *pageWriter) header() {
	lines := p.document.header()
	if len(lines) > 0 {
		p.add("<dl>\n")
	}
	for _, l := range lines {
		shown := pageText(l.text)
		if l.link != "" {
			shown = pageAnchor(l.link, l.text)
		}
		p.add("<dt>", pageText(l.label), `</dt><dd dir="auto">`, shown, "</dd>\n")
	}
	if len(lines) > 0 {
		p.add("</dl>\n")
	}
}

// player writes the media and the search. The program shows the search.
func (p *pageWriter) player() {
	p.add(`<div class="player">`, "\n")
	tag := pageHTML("audio")
	if p.media.video {
		tag = "video"
	}
	if p.media.address != "" {
		p.add("<", tag, ` src="`, pageText(p.media.address), `" controls preload="metadata"></`, tag, ">\n")
	}
	p.add(`<div class="search" role="search" hidden><input type="search" aria-label="`, pageText(p.word.search), `" placeholder="`, pageText(p.word.search),
		`"><output aria-live="polite"></output></div>`, "\n</div>\n")
}

// overview writes the sections before the text.
func (p *pageWriter) overview(table bool) {
	if len(p.summary) > 0 {
		p.add("<section>\n<h2>", pageText(p.word.summary), "</h2>\n")
		for _, s := range p.summary {
			p.add(`<p dir="auto">`, pageLinks(s), "</p>\n")
		}
		p.add("</section>\n")
	}
	if len(p.chapters) > 0 {
		p.add("<nav aria-labelledby=\"chapters\">\n<h2 id=\"chapters\">", pageText(p.word.chapters), "</h2>\n<ol class=\"chapters\">\n")
		for i, c := range p.chapters {
			p.add("<li>")
			if p.times {
				p.add(`<span class="at">`, pageText(clock(c.Start)), "</span> ")
			}
			p.add(`<a href="#chapter-`, pageNumber(i+1), `" data-start="`, pageTime(c.Start), `" dir="auto">`, pageText(c.Title), "</a>")
			if c.Summary != "" {
				p.add(`<p dir="auto">`, pageLinks(c.Summary), "</p>")
			}
			p.add("</li>\n")
		}
		p.add("</ol>\n</nav>\n")
	}
	if times := p.talkTimes(); table && len(times) > 0 {
		p.add("<section>\n<h2>", pageText(p.word.speakers), "</h2>\n<table>\n<thead><tr><th scope=\"col\">", pageText(p.word.speaker),
			`</th><th scope="col">`, pageText(p.word.speaking), "</th><th scope=\"col\">%</th></tr></thead>\n<tbody>\n")
		for _, s := range times {
			p.add(`<tr><th scope="row" class="s`, pageNumber(p.colour(s.name)), `"><bdi>`, pageText(s.name), "</bdi></th><td>", pageText(s.clock()), "</td><td>",
				pageText(percent(s.share, p.Language)), "</td></tr>\n")
		}
		p.add("</tbody>\n</table>\n</section>\n")
	}
}
