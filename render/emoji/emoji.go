// Package emoji has drawings of emoji in colour, from Twemoji (https://github.com/jdecked/twemoji), whose graphics are under CC-BY 4.0:
// © X Corp., and other contributors. Start with Find:
//
//	shapes := emoji.Find("🎉") // in the drawing language of Advanced SubStation Alpha
package emoji

import (
	"compress/gzip"
	_ "embed" // of the drawings
	"io"
	"strconv"
	"strings"
	"sync"
)

// Side is the width and the height of a drawing, in its units.
const Side = 180

// Shape is a part of a drawing, in one colour.
type Shape struct {
	Colour string // "#rrggbb"
	Path   string // commands of ASS: m, l, and b
}

//go:embed emoji.txt.gz
var packed string

// drawings are the texts of all drawings by code points. The file is part of the program, so a mistake is a panic.
var drawings = sync.OnceValue(func() map[string]string {
	r, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, drawing, _ := strings.Cut(strings.TrimSpace(line), " ")
		all[name] = drawing
	}
	return all
})

// Find returns the drawing of an emoji, the lowest shape first, or nil if there is none. Skin tones are left out, and a sequence without a
// drawing of its own is drawn as its first emoji.
func Find(text string) (shapes []Shape) {
	drawing := ""
	for _, name := range names(text) {
		if drawing = drawings()[name]; drawing != "" {
			break
		}
	}
	if drawing == "" {
		return nil
	}
	for shape := range strings.SplitSeq(drawing, ";") {
		colour, path, _ := strings.Cut(shape, " ")
		shapes = append(shapes, Shape{"#" + colour, path})
	}
	return shapes
}

// names returns the names under which an emoji may be found, the most exact first. Twemoji leaves out the variation selector in most names.
func names(text string) []string {
	const selector, joiner = 0xfe0f, 0x200d
	var full, bare, first []string
	joined := false
	for _, r := range text {
		if r >= 0x1f3fb && r <= 0x1f3ff {
			continue
		}
		code := strconv.FormatInt(int64(r), 16)
		joined = joined || r == joiner
		full = append(full, code)
		if r != selector {
			bare = append(bare, code)
		}
		if r != selector && !joined {
			first = append(first, code)
		}
	}
	return []string{strings.Join(full, "-"), strings.Join(bare, "-"), strings.Join(first, "-")}
}
