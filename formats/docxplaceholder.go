package formats

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Placeholders are the names that a template may have in double braces, such as "{{title}}".
func Placeholders() []string {
	return []string{"title", "date", "source", "duration", "speakers", "summary", "chapters", "transcript"}
}

// blocks are the placeholders that stand for paragraphs.
var blocks = []string{"summary", "chapters", "transcript"}

// Limits of a template's placeholders.
const (
	maxPlaceholders = 1000     // in all parts
	maxBlocks       = 100      // of them, how many stand for paragraphs
	maxFilled       = 64 << 20 // bytes of XML that they stand for
)

// inBraces finds placeholders. Word joins words with no-break spaces in some languages.
var inBraces = lazyregexp.New(`\{\{[\s\x{a0}]*([^{}]*?)[\s\x{a0}]*\}\}`)

// placeholder is a place in a text that is to be filled.
type placeholder struct {
	start, end int    // bytes
	name       string // as it is written, without spaces around it
}

// is reports whether the placeholder is one of these. Case doesn't matter.
func (p placeholder) is(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(p.name, name) })
}

// findPlaceholders returns the placeholders in a text. It returns CodeInvalid if one has no end.
func findPlaceholders(text string) ([]placeholder, error) {
	if !strings.Contains(text, "{{") {
		return nil, nil
	}
	var all []placeholder
	done := 0
	open := func(text string) error {
		if _, rest, found := strings.Cut(text, "{{"); found {
			return templateError("The template has a placeholder without }}: %q.", "{{"+firstLetters(rest, 20))
		}
		return nil
	}
	for _, at := range inBraces.FindAllStringSubmatchIndex(text, -1) {
		if err := open(text[done:at[0]]); err != nil {
			return nil, err
		}
		all = append(all, placeholder{at[0], at[1], text[at[2]:at[3]]})
		done = at[1]
	}
	return all, open(text[done:])
}

func firstLetters(text string, n int) string {
	letters := []rune(text[:min(len(text), 4*n)])
	return string(letters[:min(len(letters), n)])
}

// unknownPlaceholders returns the error of a template that has placeholders of other names, or nil.
func unknownPlaceholders(all []placeholder) error {
	var unknown []string
	for _, p := range all {
		if shown := "{{" + firstLetters(p.name, 40) + "}}"; !p.is(Placeholders()...) && !slices.Contains(unknown, shown) {
			unknown = append(unknown, shown)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	hint := "Use {{" + strings.Join(Placeholders(), "}}, {{") + "}}."
	if len(unknown) == 1 {
		return templateError("The template has an unknown placeholder: %s.", unknown[0]).WithHint(hint)
	}
	return templateError("The template has unknown placeholders: %s.", strings.Join(unknown, ", ")).WithHint(hint)
}

// placeholderValues returns what the placeholders stand for, with line feeds between lines.
func placeholderValues(s document, o Options) map[string]string {
	texts := map[string]string{
		"title":    s.headline(),
		"source":   s.source,
		"speakers": strings.Join(s.speakers(), ", "),
		"summary":  strings.Join(s.summary, "\n"),
	}
	for _, l := range s.header() {
		switch l.label {
		case s.word.date:
			texts["date"] = l.text
		case s.word.duration:
			texts["duration"] = l.text
		}
	}
	var chapters, transcript []string
	for _, section := range s.sections() {
		if section.titled {
			chapters = append(chapters, chapterText(section.chapter, o))
			transcript = append(transcript, chapterText(section.chapter, o))
		}
		for _, p := range section.paragraphs {
			if line := turnText(p, o); line != "" {
				transcript = append(transcript, line)
			}
			transcript = append(transcript, p.Text)
		}
	}
	texts["chapters"], texts["transcript"] = strings.Join(chapters, "\n"), strings.Join(transcript, "\n")
	return texts
}

// chapterText returns a chapter as a line of text.
func chapterText(c Chapter, o Options) string {
	switch {
	case c.Title == "":
		return clock(c.Start)
	case o.OmitTimestamps:
		return c.Title
	}
	return clock(c.Start) + "  " + c.Title
}

// turnText returns speaker and time of a paragraph as a line of text, or "" if it has neither.
func turnText(p captions.Utterance, o Options) string {
	switch {
	case o.OmitTimestamps:
		return p.Name
	case p.Name == "":
		return clock(p.Start)
	}
	return p.Name + "  " + clock(p.Start)
}
