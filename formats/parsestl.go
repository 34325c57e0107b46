package formats

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
)

// ParseSTL reads EBU STL (EBU Tech 3264): each subtitle becomes an utterance without words, with times from the start of the programme. It
// knows the five code tables, 25 and 30 frames per second, extension blocks, and open and teletext subtitles; colours and positions are
// skipped. Speakers are found as in SubRip. A block with invalid times is skipped and listed in Problems, where lines are blocks, from 1.
func ParseSTL(r io.Reader) (Parsed, error) { return parseCaptions("ParseSTL", kindSTL, r) }

// isSTL reports whether a file begins with the head of EBU STL.
func isSTL(file []byte) bool {
	return len(file) >= stlHeader && bytes.HasPrefix(file[3:], []byte("STL")) && isNumber(string(file[6:8])) && file[8] == '.'
}

type stlReader struct {
	file     captionFile
	table    stlTable
	rate     int
	origin   time.Duration // start of the programme
	text     []byte        // of the blocks before, if they are continued
	block    int           // the first of them
	speakers prefixes
}

func readSTL(op string, in []byte, found problems) (captionFile, error) {
	if !isSTL(in) {
		return captionFile{}, syntaxError(op, 1, 1, "an EBU STL file must start with a block that names its frame rate, such as STL25.01.")
	}
	r := stlReader{file: captionFile{problems: found}}
	r.head(in[:stlHeader])
	for n, rest := 1, in[stlHeader:]; len(rest) > 0; n++ {
		if len(rest) < stlBlock {
			r.file.problems.add(n, "the last block has %d of %d bytes; it was skipped.", len(rest), stlBlock)
			break
		}
		r.read(rest[:stlBlock], n)
		rest = rest[stlBlock:]
	}
	return r.file, nil
}

// head reads the GSI block.
func (r *stlReader) head(in []byte) {
	r.rate, _ = strconv.Atoi(string(in[6:8]))
	if r.rate != 25 && r.rate != 30 {
		r.file.problems.add(0, "unknown frame rate %q; it was read as 25 frames per second.", captions.CleanText(string(in[3:11])))
		r.rate = 25
	}
	i := slices.IndexFunc(stlTables, func(t stlTable) bool { return t.number == string(in[12:14]) })
	if i < 0 {
		r.file.problems.add(0, "unknown code table %q; it was read as Latin.", captions.CleanText(string(in[12:14])))
		i = 0
	}
	r.table = stlTables[i]
	for language, code := range stlLanguages {
		if strings.EqualFold(code, string(in[14:16])) {
			r.file.language = language
		}
	}
	var start [4]byte
	for i := range start {
		n, err := strconv.Atoi(string(in[256+2*i : 258+2*i]))
		if err != nil || n < 0 {
			return
		}
		start[i] = byte(n)
	}
	r.origin, _ = r.time(start[:])
}

// time returns the time of hours, minutes, seconds, and frames.
func (r *stlReader) time(b []byte) (time.Duration, bool) {
	d, reason := timeOf(int64(b[0]), int64(b[1]), int64(b[2]))
	return d + (time.Duration(b[3]) * time.Second / time.Duration(r.rate)).Round(time.Millisecond), reason == "" && int(b[3]) < r.rate
}

// read reads a TTI block. Its first bytes are the group, the number (2), the extension, the cumulative status, the times (4 each), the row, the
// justification, and the flag of comments.
func (r *stlReader) read(block []byte, n int) {
	extension := block[3]
	if extension >= 0xf0 && extension < 0xff || block[15] == 1 {
		return // user data, reserved, or a comment
	}
	if len(r.text) == 0 {
		r.block = n
	}
	text, _, _ := bytes.Cut(block[stlBlock-stlText:], []byte{stlUnused})
	if len(r.text)+len(text) <= maxSTLText {
		r.text = append(r.text, text...)
	}
	if extension != 0xff {
		return
	}
	text, r.text = r.text, nil
	start, okStart := r.time(block[5:9])
	end, okEnd := r.time(block[9:13])
	if !okStart || !okEnd {
		r.file.problems.add(n, "the block has invalid times; it was skipped.")
		return
	}
	if start >= r.origin {
		start, end = start-r.origin, max(end-r.origin, 0)
	}
	r.add(sourceCue{line: r.block, start: start, end: end}, text)
}

const maxSTLText = 240 * stlText // a caption has at most 240 blocks

func (r *stlReader) add(c sourceCue, text []byte) {
	var lines []string
	for row := range bytes.SplitSeq(text, []byte{stlNewLine}) {
		if l := captions.CleanText(r.table.decode(row)); l != "" {
			lines = append(lines, l)
		}
	}
	c.shown = strings.Join(lines, "\n")
	for _, turn := range turnsOf(lines) {
		turn, _ = r.speakers.cut(turn, len(r.file.cues) == 0)
		c.spans = append(c.spans, span{r.speakers.speaker, strings.Join(turn, "\n")})
	}
	r.file.cues = append(r.file.cues, c)
}
