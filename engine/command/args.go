package command

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
)

// placeholders are those that arguments may have, in the order in which they are told.
var placeholders = []string{"wav", "dir", "language", "known_language", "speakers", "words", "prompt"}

// free are those of them that stand for text which a user wrote.
var free = []string{"words", "prompt"}

var placeholder = regexp.MustCompile(`\{([A-Za-z_]+)\}`)

// maxText is how many bytes of a user's text go into an argument; systems take about a hundred thousand.
const maxText = 8 << 10

// checkArgs refuses arguments that have a placeholder which isn't known, have none for the sound, or begin with a user's text where it
// could be taken for an option.
func checkArgs(args []string) error {
	var used []string
	for i, arg := range args {
		if strings.ContainsRune(arg, 0) {
			return engine.Errorf(engine.CodeInvalid, opNew, "An argument has a zero byte in it.")
		}
		for _, match := range placeholder.FindAllStringSubmatchIndex(arg, -1) {
			name := arg[match[2]:match[3]]
			if !slices.Contains(placeholders, name) {
				return engine.Errorf(engine.CodeInvalid, opNew, "The argument %q has a placeholder that is not known.", arg).
					WithHint("Known are {" + strings.Join(placeholders, "}, {") + "}.")
			}
			if slices.Contains(free, name) && match[0] == 0 && (i == 0 || !isFlag(args[i-1])) {
				return engine.Errorf(engine.CodeInvalid, opNew, "The argument %q could be taken for an option.", arg).
					WithHint("Put it behind a flag, for example --" + name + "={" + name + "}.")
			}
			used = append(used, name)
		}
	}
	if !slices.Contains(used, "wav") {
		return engine.Errorf(engine.CodeInvalid, opNew, "No argument has {wav}, where the sound is.").
			WithHint("Known are {" + strings.Join(placeholders, "}, {") + "}.")
	}
	return nil
}

// isFlag reports whether an argument is a flag whose value may come next: "-p", "--prompt", but not "--" and not "--prompt=".
func isFlag(arg string) bool {
	return len(arg) > 1 && arg[0] == '-' && arg != "--" && !strings.Contains(arg, "=") && !placeholder.MatchString(arg)
}

// valuesOf are what placeholders stand for; those of the files are the caller's to add.
func valuesOf(req engine.TranscribeRequest) map[string]string {
	values := map[string]string{"words": join(req.BoostedWords), "prompt": line(req.ContextPrompt, maxText)}
	if req.Language.Supported() {
		values["known_language"] = string(req.Language)
	}
	values["language"] = cmp.Or(values["known_language"], "auto")
	if req.SpeakersExpected > 0 {
		values["speakers"] = strconv.Itoa(req.SpeakersExpected)
	}
	return values
}

// join makes one line of words, of those that come first as many as there is room for.
func join(words []string) string {
	var b strings.Builder
	for _, w := range words {
		if w = line(w, maxText); w == "" || b.Len()+len(w)+2 > maxText {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(w)
	}
	return b.String()
}

// line is a text as one line without control characters, cut at a character.
func line(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	return s
}

// fill returns the arguments with what their placeholders stand for. A user's text at the beginning of an argument that begins like an
// option gets a space before it, which no parser takes for one.
func fill(args []string, values map[string]string) []string {
	filled := make([]string, 0, len(args))
	for i, arg := range args {
		matches := placeholder.FindAllStringSubmatch(arg, -1)
		if slices.ContainsFunc(matches, func(m []string) bool { return values[m[1]] == "" }) {
			if i > 0 && len(matches) == 1 && matches[0][0] == arg && isFlag(args[i-1]) {
				filled = filled[:len(filled)-1]
			}
			continue
		}
		text := placeholder.ReplaceAllStringFunc(arg, func(m string) string { return values[m[1:len(m)-1]] })
		if len(matches) > 0 && strings.HasPrefix(arg, matches[0][0]) && strings.HasPrefix(text, "-") {
			text = " " + text
		}
		filled = append(filled, text)
	}
	return filled
}
