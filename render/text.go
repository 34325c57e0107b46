package render

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	maxTitle = 300    // most characters of a title
	maxWord  = 10_000 // most characters of a word, which can be a whole sentence: more than anybody says in transcript.MaxWindow
	maxMarks = 8      // most code points of a character: enough for any script, too few to stack marks
)

// cleaned is text that can be shown, and the emoji that were removed from it: libass has no coloured glyphs.
type cleaned struct {
	text  string
	emoji []string
	cut   bool // there were more characters than the limit
}

// clean returns text on one line. Control characters and line breaks become spaces; characters that change the writing
// direction are removed, and so are emoji. At most limit characters are kept, followed by an ellipsis if there were more.
func clean(text string, limit int) cleaned { return cleanKeeping(text, limit, nil) }

// cleanKeeping cleans text, and keeps the emoji for which keep returns true.
func cleanKeeping(text string, limit int, keep func(string) bool) cleaned {
	var b strings.Builder
	var emoji []string
	n, state, cut := 0, -1, false
	for rest := strings.ToValidUTF8(text, ""); rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if isEmoji(cluster) && (keep == nil || !keep(cluster)) {
			emoji = append(emoji, cluster)
			b.WriteByte(' ')
			continue
		}
		if n++; n > limit {
			b.WriteString("…")
			cut = true
			break
		}
		marks := 0
		for _, r := range cluster {
			if marks++; marks > maxMarks {
				break
			}
			b.WriteString(plain(r))
		}
	}
	return cleaned{strings.Join(strings.Fields(b.String()), " "), emoji, cut}
}

// plain returns how a code point is shown.
func plain(r rune) string {
	switch {
	case unicode.IsControl(r), unicode.IsSpace(r):
		return " "
	case r == '\u00ad', r == '\ufeff', r == '\ufffc', r == '\ufffd', r == '\u2060', unicode.Is(unicode.Co, r):
		return ""
	case r >= '\u200e' && r <= '\u200f', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u206f':
		return ""
	}
	return string(r)
}

// isEmoji reports whether a character is shown as a coloured picture.
func isEmoji(cluster string) bool {
	for _, r := range cluster {
		if r >= 0x1f000 && r <= 0x1faff || r == 0xfe0f || r == 0x20e3 || r >= 0xe0020 && r <= 0xe007f ||
			strings.ContainsRune(emojiByDefault, r) {
			return true
		}
	}
	return false
}

// emojiByDefault are the characters outside the emoji planes that Unicode shows in colour (Emoji_Presentation,
// emoji-data.txt).
const emojiByDefault = "⌚⌛⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿⬛⬜⭐⭕"

// cleanWords returns the words that can be shown, clipped to the window, the emoji that were removed, and whether a word was cut. keep is that
// of cleanKeeping.
func cleanWords(words []transcript.Word, window transcript.Window, keep func(string) bool) (shown []transcript.Word, emoji []string, cut bool) {
	for _, w := range words {
		w.Start, w.End = max(w.Start, window.Start), min(w.End, window.End)
		if w.Start >= w.End {
			continue
		}
		c := cleanKeeping(w.Text, maxWord, keep)
		emoji, cut = append(emoji, c.emoji...), cut || c.cut
		if w.Text = c.text; w.Text != "" {
			shown = append(shown, w)
		}
	}
	slices.SortStableFunc(shown, func(a, b transcript.Word) int { return int(a.Start - b.Start) })
	return shown, emoji, cut
}

// spaced reports whether the language writes a space between two words.
func spaced(a, b transcript.Word, language transcript.Language) bool {
	return len(transcript.JoinWords([]transcript.Word{a, b}, language)) > len(a.Text)+len(b.Text)
}
