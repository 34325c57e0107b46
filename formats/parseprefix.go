package formats

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/captions"
)

// prefixes finds the speakers of a caption file in its text: each speaks until the next. A file has prefixes if its first cue has one.
type prefixes struct {
	speaker      string // "" before the first prefix
	used, spaced bool   // spaced is whether the first prefix has a space before its colon
}

// cut splits the prefix off the lines of a turn. It reports whether there was one. first is whether the turn is in the first cue.
func (p *prefixes) cut(turn []string, first bool) (rest []string, ok bool) {
	name, rest, ok := speakerPrefix(turn)
	last, _ := utf8.DecodeLastRuneInString(name)
	spaced := unicode.IsSpace(last)
	if !ok || !p.used && !first || p.used && spaced && !p.spaced {
		return turn, false // such as "Voilà : …"
	}
	if !p.used {
		p.used, p.spaced = true, spaced
	}
	p.speaker = strings.ReplaceAll(captions.CleanText(name), lowComma, ",")
	return rest, true
}

// prefixName replaces marks of sentences in a name by lookalikes: a reader takes "Well, I said: …" for a sentence. The comma is common in
// names, such as "O'Neil, PhD", so it is restored.
var prefixName = strings.NewReplacer(",", lowComma, ";", "；", "?", "？", "!", "！", ": ", "： ")

const lowComma = "‚" // U+201A

// withPrefixNames returns the script with names that can be prefixes.
func (s script) withPrefixNames() script {
	s.Utterances = slices.Clone(s.Utterances)
	for i, u := range s.Utterances {
		s.Utterances[i].Name = prefixName.Replace(u.Name)
	}
	return s
}

const maxSpeakerPrefix = 60 // in characters; anything longer is a sentence with a colon

// speakerPrefix splits "Name: " or a line "[Name]" off the start of a cue. The name may end in space.
func speakerPrefix(lines []string) (name string, rest []string, ok bool) {
	if len(lines) == 0 {
		return "", nil, false
	}
	first := strings.TrimSpace(lines[0])
	if inner, found := strings.CutPrefix(first, "["); found && strings.HasSuffix(inner, "]") {
		said := slices.ContainsFunc(lines[1:], func(l string) bool { return !isBlank(l) }) // else it is a sound, such as "[Music]"
		return strings.TrimSpace(strings.TrimSuffix(inner, "]")), lines[1:], said
	}
	name, text, found := strings.Cut(first+" ", ": ")
	if !found || name == "" || len([]rune(name)) > maxSpeakerPrefix || strings.ContainsAny(name, "?!,;") || unicode.IsSpace(rune(name[0])) {
		return "", nil, false
	}
	return name, append([]string{text}, lines[1:]...), true
}
