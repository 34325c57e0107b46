package formats

import (
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// vttReference reads WebVTT step by step as https://www.w3.org/TR/webvtt1/ says, sections 6.1, 6.3, and 6.4. It is slow, and shares no code
// with the reader. A cue is "start end text", with times in milliseconds.
type vttReference struct {
	in      string
	at      int
	seenCue bool
	cues    []string
}

func referenceCues(in string) (cues []string, ok bool) {
	in = strings.NewReplacer("\x00", "\uFFFD", "\r\n", "\n", "\r", "\n").Replace(in)
	if !signature.MatchString(in) {
		return nil, false
	}
	p := vttReference{in: in}
	p.line()
	if p.at < len(in) && in[p.at] != '\n' {
		p.block(true)
	}
	for p.at < len(in) {
		if in[p.at] == '\n' {
			p.at++
			continue
		}
		p.block(false)
	}
	return p.cues, true
}

// line returns the next line and whether the file ends with it.
func (p *vttReference) line() (line string, last bool) {
	end := strings.IndexByte(p.in[p.at:], '\n')
	if end < 0 {
		line, p.at = p.in[p.at:], len(p.in)
		return line, true
	}
	line, p.at = p.in[p.at:p.at+end], p.at+end+1
	return line, false
}

var styleOrRegion = regexp.MustCompile(`\A(STYLE|REGION)[ \t\f]*\z`)

// block is "collect a WebVTT block".
func (p *vttReference) block(header bool) {
	buffer, times, seenArrow, previous := "", "", false, p.at
	for count := 1; ; count++ {
		line, last := p.line()
		switch {
		case strings.Contains(line, "-->"):
			if header || count > 2 || seenArrow {
				p.at = previous
				last = true
				break
			}
			seenArrow, previous = true, p.at
			if times = referenceTimes(line); times != "" {
				buffer, p.seenCue = "", true
			}
		case line == "":
			last = true
		default:
			if !header && count == 2 && !p.seenCue && styleOrRegion.MatchString(buffer) {
				buffer = ""
			}
			if buffer != "" {
				buffer += "\n"
			}
			buffer += line
			previous = p.at
		}
		if last {
			break
		}
	}
	if times != "" {
		p.cues = append(p.cues, times+" "+referenceText(buffer))
	}
}

// The two forms of a timestamp, and a line with two of them. What follows the second one is settings, unless it is a digit.
const referenceTime = `(?:([0-9]+):([0-5][0-9]):([0-5][0-9])|([0-5][0-9]):([0-5][0-9]))\.([0-9]{3})`

var referenceLine = regexp.MustCompile(`\A[ \t\f]*` + referenceTime + `[ \t\f]*-->[ \t\f]*` + referenceTime + `(?:[^0-9].*)?\z`)

func referenceTimes(line string) string {
	m := referenceLine.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	time := func(m []string) int {
		return ((number(m[0])*60+number(m[1])+number(m[3]))*60+number(m[2])+number(m[4]))*1000 + number(m[5])
	}
	return fmt.Sprint(time(m[1:7]), " ", time(m[7:13]))
}

var (
	signature = regexp.MustCompile(`\AWEBVTT([ \t\n]|\z)`)
	tagName   = regexp.MustCompile(`\A[^ \t\n\f.]*`)
	// html.UnescapeString needs the semicolon after a single digit.
	digitReference = regexp.MustCompile(`(&#[0-9]\b);?`)
	knownTag       = regexp.MustCompile(`\A(c|i|b|u|v|ruby|lang)\z`)
)

// referenceText is "WebVTT cue text parsing rules", of which only the text stays.
func referenceText(in string) string {
	var text strings.Builder
	var open []string
	current := func() string { return append([]string{""}, open...)[len(open)] }
	for in != "" {
		data, rest, tagged := strings.Cut(in, "<")
		text.WriteString(html.UnescapeString(digitReference.ReplaceAllString(data, "$1;")))
		if !tagged {
			break
		}
		tag, after, _ := strings.Cut(rest, ">")
		in = after
		name := tagName.FindString(tag)
		switch {
		case strings.HasPrefix(tag, "/"):
			if tag[1:] != "" && tag[1:] == current() {
				open = open[:len(open)-1]
			} else if tag == "/ruby" && current() == "rt" {
				open = open[:len(open)-2]
			}
		case name == "rt" && current() == "ruby", knownTag.MatchString(name):
			open = append(open, name)
		}
	}
	return text.String()
}

// readCues returns what the reader says, in the form of the reference. It is false for a file that the reader refuses, and skips files with
// a comma before milliseconds, or 10,000 hours, where it differs on purpose.
func readCues(in string) (cues []string, ok, skip bool) {
	f, err := readVTT("Op", in, problems{})
	if err != nil {
		return nil, false, false
	}
	for _, p := range f.problems.found {
		if p.Column > 0 && (strings.Contains(p.Message, "comma") || strings.Contains(p.Message, "10,000")) {
			return nil, true, true
		}
	}
	for _, c := range f.cues {
		text := ""
		for _, s := range c.spans {
			text += s.text
		}
		cues = append(cues, fmt.Sprint(c.start.Milliseconds(), " ", c.end.Milliseconds(), " ", text))
	}
	return cues, true, f.problems.more > 0
}

var vttParts = []string{
	"\n", "\n\n", "\r", "\r\n", "NOTE", "STYLE", "STYLE\n", "REGION ", " ", "\t", "\f", "\v", "-->", "00:01.000", "1:00:02.000", "00:60.000", "60:00.000",
	"00:00:00.000 --> 00:00:01.000", "\n00:01.000 --> 00:02.000\n", "id", "text", "<v A>", "</v>", "<i>", "</i>", "<ruby>", "<rt>", "</rt>", "</ruby>", "<", ">",
	"&amp;", "&lt", "&nbsp;", "\x00", ".b", ":", "-", "0", "12",
}

// The reader agrees with the reference on 2,000 files that are mixed from the parts that matter.
func TestVTTReference(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	files, total := 0, 0
	for range 2000 {
		in := "WEBVTT" + vttParts[r.IntN(4)]
		for range r.IntN(30) {
			in += vttParts[r.IntN(len(vttParts))]
			if r.IntN(4) == 0 {
				in += "\n\n00:0" + strconv.Itoa(r.IntN(9)) + ".000 --> 00:02.000\n"
			}
		}
		got, ok, skip := readCues(in)
		if skip {
			continue
		}
		want, wantOK := referenceCues(in)
		require.Equal(t, wantOK, ok, "%q", in)
		require.Equal(t, want, got, "%q", in)
		files, total = files+1, total+len(got)
	}
	require.Greater(t, files, 1950)
	require.Greater(t, total, 5_000)
}

// A time line with any one character more, less, or changed is read as the reference reads it.
func TestVTTReferenceTimes(t *testing.T) {
	t.Parallel()
	const line = "00:00:00.000 --> 00:00:01.000"
	for i := range len(line) + 1 {
		for _, c := range []string{"", "\x00", "0", "6", ":", ".", "-", ">", " ", "\t", "\f", "\v", "a", "\n", "\r"} {
			for _, changed := range []string{line[:i] + c + line[i:], line[:i] + c + line[min(i+1, len(line)):]} {
				in := "WEBVTT\n\nid\n" + changed + "\na\n\n" + changed + " align:start\nb\n" + line + "\nc"
				got, _, skip := readCues(in)
				want, _ := referenceCues(in)
				if !skip {
					require.Equal(t, want, got, "%q", in)
				}
			}
		}
	}
}

// The reader agrees with the reference on any file.
func FuzzVTTReference(f *testing.F) {
	f.Add("WEBVTT\n\nid\n00:01.000 --> 00:02.000 align:start\n<v A>a</v>\n\nNOTE b\n\n00:03.000-->00:04.000\nc --> d\n")
	f.Fuzz(func(t *testing.T, in string) {
		got, ok, skip := readCues("WEBVTT" + in)
		if skip {
			return
		}
		want, wantOK := referenceCues("WEBVTT" + in)
		require.Equal(t, wantOK, ok)
		require.Equal(t, want, got)
	})
}
