package formats

import "strings"

// mdText escapes one line for Markdown, so that it is shown as it is. Web addresses become links.
func mdText(text string) string {
	var b strings.Builder
	at := 0
	for _, l := range linksIn(text) {
		mdEscape(&b, text, at, l.start)
		b.WriteString("<" + l.address + ">")
		at = l.end
	}
	mdEscape(&b, text, at, len(text))
	return b.String()
}

// mdWords escapes one line without links, for the text of a link.
func mdWords(text string) string {
	var b strings.Builder
	mdEscape(&b, text, 0, len(text))
	return b.String()
}

// mdEscape writes a part of a line with a backslash before each character that is markup in CommonMark, in GitHub's dialect, or in a common
// extension: maths, sub- and superscripts, marks, comments, and names of emoji. Every mark that is escaped is one byte.
func mdEscape(b *strings.Builder, line string, from, to int) {
	for i := from; i < to; i++ {
		if mdMarkup(line, i) {
			b.WriteByte('\\')
		}
		b.WriteByte(line[i])
	}
}

// mdMarkup reports whether the byte of a line is, or may be, markup.
func mdMarkup(line string, i int) bool {
	near := func(at int) byte {
		if at < 0 || at >= len(line) {
			return ' '
		}
		return line[at]
	}
	before, after := near(i-1), near(i+1)
	switch c := line[i]; c {
	case '\\', '`', '*', '_', '[', ']', '<', '~', '|', '$', '^':
		return true
	case '+', '-', '>':
		return i == 0
	case '&':
		return after != ' '
	case '#':
		return before == ' ' || before == '#' // headings, their closing marks, and tags
	case '=', '%':
		return i == 0 || before == c || after == c
	case ':':
		return i == 0 || after != ' ' && !(isDigit(before) && isDigit(after)) // definitions, names of emoji, and bare addresses
	case '.', ')':
		if c == '.' && i >= 3 && strings.EqualFold(line[i-3:i], "www") {
			return true // bare addresses
		}
		return i > 0 && i < 10 && strings.Trim(line[:i], "0123456789") == ""
	case '@':
		return before != ' ' // bare addresses of mail
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
