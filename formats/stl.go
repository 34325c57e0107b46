package formats

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteSTL writes EBU STL (EBU Tech 3264) for teletext of level 1: 25 frames per second, double-height rows of at most 36 characters at the
// bottom, one caption at a time, and a colour per speaker. Options.VisibleNames begins each turn with the speaker's name, since STL has
// no other place for it.
//
// The code table is Latin, Cyrillic, or Greek, whichever has all letters. Typography that it lacks is spelled with what it has: „x“ as "x",
// € as EUR, … as three full stops. A letter that it lacks is CodeUnprocessable, and the error names it; so is a caption after 24 hours.
// More than 65,536 captions are CodeTooLarge.
//
// It does not use go-astisub, which cuts captions at 112 bytes, writes the low byte of letters that it doesn't know, has neither Cyrillic nor
// teletext codes, and knows five languages. A test compares what its reader gets.
func WriteSTL(w io.Writer, t transcript.Transcript, o Options) error {
	o.Captions.SpeakerPrefix, o.Captions.Dialogues, o.Captions.Flat = o.VisibleNames, true, true
	o.Captions = o.Captions.WithDefaults(t.Language)
	o.Captions.Columns, o.Captions.Lines = min(o.Captions.Columns, stlColumns), min(o.Captions.Lines, stlRows/2)
	s := prepare(t, o)
	table, err := spellSTL(&s, o.VisibleNames)
	if err != nil {
		return err
	}
	cues := s.cues(o)
	if len(cues) > stlMaxCues {
		return fault.Errorf(fault.CodeTooLarge, "WriteSTL", "EBU STL can have %d captions; the transcript has %d.", stlMaxCues, len(cues)).WithHint("Split the transcript.")
	}
	byLabel, _ := voicesOf(cues)
	var blocks bytes.Buffer
	first, end := 0, 0
	for i, c := range cues {
		start := max(stlFrames(c.Start), end)
		end = max(stlFrames(c.End), start+1)
		if end >= stlDay {
			return fault.Errorf(fault.CodeUnprocessable, "WriteSTL", "EBU STL ends at 24 hours; a caption is at %s.", clock(c.Start)).WithHint("Split the transcript.")
		}
		if i == 0 {
			first = start
		}
		stlBlocks(&blocks, i, start, end, len(c.Lines), table.rows(c, byLabel))
	}
	var b bytes.Buffer
	b.Write(stlHead(s, o, table.number, len(cues), blocks.Len()/stlBlock, first))
	b.Write(blocks.Bytes())
	return writeFile(w, &b)
}

const (
	stlHeader  = 1024 // bytes of the GSI block
	stlBlock   = 128  // bytes of a TTI block
	stlText    = 112  // bytes of text in it
	stlRate    = 25   // frames per second
	stlDay     = 24 * 3600 * stlRate
	stlMaxCues = 1 << 16
	stlColumns = 36 // of the 40 of teletext: four are for control codes
	stlRows    = 23
)

// Codes of the text field.
const (
	stlDoubleHeight = 0x0d
	stlStartBox     = 0x0b
	stlEndBox       = 0x0a
	stlNewLine      = 0x8a
	stlUnused       = 0x8f
)

func stlFrames(d time.Duration) int { return int((d*stlRate + time.Second/2) / time.Second) }

// stlClock returns hours, minutes, seconds, and frames.
func stlClock(frames int) [4]byte {
	s := frames / stlRate
	return [4]byte{byte(s / 3600), byte(s / 60 % 60), byte(s % 60), byte(frames % stlRate)}
}

// rows returns the text field of a cue. A row is boxed; one of the full width needs no end of its box.
func (t stlTable) rows(c captions.Cue, byLabel map[string]voice) []byte {
	var b []byte
	for i, l := range c.Lines {
		if i > 0 {
			b = append(b, stlNewLine, stlNewLine) // a row of double height takes two
		}
		b = append(b, stlDoubleHeight)
		if v := byLabel[labelOf(c, l)]; v.colour() != voiceColours[0] {
			b = append(b, v.colour().teletext)
		}
		b = append(b, stlStartBox, stlStartBox)
		for _, r := range norm.NFC.String(l.Text) {
			b, _ = t.encode(b, r) // it has the character: the text was spelled with it
		}
		if captions.Width(l.Text) <= stlColumns-2 {
			b = append(b, stlEndBox, stlEndBox)
		}
	}
	return b
}

// stlBlocks writes the TTI blocks of a caption: one, or more if its text is long.
func stlBlocks(b *bytes.Buffer, number, start, end, lines int, text []byte) {
	for extension := 0; ; extension++ {
		part := text[:min(len(text), stlText)]
		text = text[len(part):]
		if len(text) == 0 {
			extension = 0xff // the last one
		}
		block := make([]byte, stlBlock-stlText, stlBlock)
		binary.LittleEndian.PutUint16(block[1:], uint16(number))
		block[3] = byte(extension)
		from, to := stlClock(start), stlClock(end)
		copy(block[5:], from[:])
		copy(block[9:], to[:])
		block[13] = byte(stlRows + 1 - 2*lines) // the row of the first line, of 23
		block[14] = 2                           // centred
		block = append(block, part...)
		b.Write(append(block, bytes.Repeat([]byte{stlUnused}, stlBlock-len(block))...))
		if extension == 0xff {
			return
		}
	}
}

// stlLanguages are the codes of EBU Tech 3264, appendix 3.
var stlLanguages = map[transcript.Language]string{
	"de": "08", "en": "09", "es": "0A", "fr": "0F", "hi": "6B", "id": "6A", "it": "15", "ja": "69", "ko": "65", "nl": "1D", "no": "1E", "pl": "20", "pt": "21",
	"ru": "56", "sv": "28", "tr": "29", "uk": "49", "zh": "75",
}

// stlHead returns the GSI block. What is unknown, such as the country, is blank.
func stlHead(s script, o Options, table string, cues, blocks, first int) []byte {
	head := bytes.Repeat([]byte{' '}, stlHeader)
	put := func(at int, text string) { copy(head[at:], text) }
	put(0, "850STL25.011"+table) // the code page of the head, frames, teletext of level 1
	language, ok := stlLanguages[s.Language]
	if !ok {
		language = "00"
	}
	put(14, language)
	if title, err := charmap.CodePage850.NewEncoder().String(s.title); err == nil { // a title in other scripts can't be written
		put(16, title[:min(len(title), 32)])
	}
	for at, day := range map[int]time.Time{224: o.Created, 230: o.modified()} {
		if !day.IsZero() {
			put(at, day.UTC().Format("060102"))
		}
	}
	c := stlClock(first)
	put(236, fmt.Sprintf("00%05d%05d001%02d%02d100000000%02d%02d%02d%02d11", blocks, cues, 40, stlRows, c[0], c[1], c[2], c[3]))
	return head
}
