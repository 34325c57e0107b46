package render

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// missingGlyphs collects the characters for which libass reports that no font has them.
type missingGlyphs struct {
	line  []byte
	found []rune
}

var noGlyph = lazyregexp.New(`failed to find any fallback with glyph 0x([0-9A-Fa-f]{1,6}) `)

// Write parses the next bytes of ffmpeg's output. It must not be called concurrently.
func (m *missingGlyphs) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			if len(m.line) < tailSize {
				m.line = append(m.line, rest...)
			}
			break
		}
		m.read(append(m.line, rest[:end]...))
		m.line, rest = m.line[:0], rest[end+1:]
	}
	return len(b), nil
}

func (m *missingGlyphs) read(line []byte) {
	match := noGlyph.FindSubmatch(line)
	if match == nil {
		return
	}
	code, err := strconv.ParseInt(string(match[1]), 16, 32)
	if err == nil && code != 0x2060 && !slices.Contains(m.found, rune(code)) && len(m.found) < 100 {
		m.found = append(m.found, rune(code))
	}
}

// note returns a sentence for the user, or "" if no glyph is missing.
func (m *missingGlyphs) note() string {
	if len(m.found) == 0 {
		return ""
	}
	var names []string
	for _, r := range m.found[:min(len(m.found), 10)] {
		names = append(names, fmt.Sprintf("%c (U+%04X)", r, r))
	}
	return "No installed font has these characters, so they are shown as boxes: " + strings.Join(names, ", ") +
		". Install the Noto fonts: apt install fonts-noto-core fonts-noto-cjk."
}
