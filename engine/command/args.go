package command

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// placeholders are the placeholders that arguments may contain, in the order in which hints list them.
var placeholders = []string{"wav", "dir", "language", "known_language", "speakers", "words", "prompt"}

// userText are the placeholders for text that a user wrote.
var userText = []string{"words", "prompt"}

var placeholder = lazyregexp.New(`\{([A-Za-z_]+)\}`)

// maxText is the limit for a user's text in an argument, in bytes. Operating systems accept about 100 KB.
const maxText = 8 << 10

// checkArgs returns CodeInvalid if an argument contains an unknown placeholder, if none contains {wav}, or if a user's text could be
// parsed as an option.
func checkArgs(args []string) error {
	var used []string
	for i, arg := range args {
		if strings.ContainsRune(arg, 0) {
			return engine.Errorf(engine.CodeInvalid, opNew, "The argument %q contains a zero byte.", arg)
		}
		for _, match := range placeholder.FindAllStringSubmatchIndex(arg, -1) {
			name := arg[match[2]:match[3]]
			if !slices.Contains(placeholders, name) {
				return engine.Errorf(engine.CodeInvalid, opNew, "The argument %q contains an unknown placeholder.", arg).
					WithHint("Use {" + strings.Join(placeholders, "}, {") + "}.")
			}
			if slices.Contains(userText, name) && match[0] == 0 && (i == 0 || !isFlag(args[i-1])) {
				return engine.Errorf(engine.CodeInvalid, opNew, "The program could parse the argument %q as an option.", arg).
					WithHint("Put it after a flag, for example --" + name + "={" + name + "}.")
			}
			used = append(used, name)
		}
	}
	if !slices.Contains(used, "wav") {
		return engine.Errorf(engine.CodeInvalid, opNew, "No argument contains {wav}, the path of the sound.").
			WithHint("Placeholders are {" + strings.Join(placeholders, "}, {") + "}.")
	}
	return nil
}

// isFlag reports whether an argument is a flag whose value may follow: "-p", "--prompt", but not "--" and not "--prompt=".
func isFlag(arg string) bool {
	return len(arg) > 1 && arg[0] == '-' && arg != "--" && !strings.Contains(arg, "=") && !placeholder.MatchString(arg)
}

// placeholderValues returns the values of the placeholders for a request, except {wav} and {dir}, which the caller adds.
func placeholderValues(req engine.TranscribeRequest) map[string]string {
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

// join joins words with commas, and skips those that don't fit into maxText.
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

// line returns a text as one line without control characters, truncated to most bytes at a character boundary.
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

// expand returns the arguments with their placeholders replaced. It inserts a space before a user's text that begins an argument with a
// dash, so that the program doesn't parse it as an option.
func expand(args []string, values map[string]string) []string {
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
