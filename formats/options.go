package formats

import (
	"cmp"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats/markers"
)

// Options configure a writer. The zero value shows labels as names, times, and no title.
//
// Documents are the formats that people read: txt, md, html, pdf, docx, and xlsx. Timelines are otio, fcpxml, and edl. Both count unnamed
// speakers from 1, in the transcript's language: "Speaker 0" is "Sprecher 1" in a German document (DocumentNames). The other formats keep the labels.
type Options struct {
	Title       string            // of the recording; the headline of documents
	Names       map[string]string // assigned names by speaker label
	RecordingID string            // for json; "" is null
	Source      string            // name or http(s) address of the media, for the header of documents
	Media       string            // address of the media for players and editors; default Source

	OmitTimestamps bool // leave out times in documents
	VoiceColours   bool // for vtt: a style sheet with a colour for each speaker, if there are several; old ffmpegs can't read such files
	VisibleNames   bool // for captions: begin each turn with the speaker's name; voice tags, styles, and agents are there in any case

	WordTimes bool // for lrc: a time before each word

	Summary      string    // section of documents; paragraphs are separated by line feeds
	Chapters     []Chapter // section of documents, and marks in formats that have them, sorted by Start
	SpeakerTable bool      // section of documents: how long each speaker speaks
	Paper        Paper     // of pdf and docx; default PaperLetter for English, else PaperA4
	Template     []byte    // for docx: a document whose placeholders are filled in

	Created, Modified time.Time // for documents; zero leaves them out
	Creator           string    // author of the file, for docx and pdf; default "Soundstage"

	Rate       markers.Rate // of the frames of otio, fcpxml, and edl; default 25 per second
	StartFrame int64        // of their timelines: the frame number that the timecode begins with
	Clips      []Clip       // marks in them

	Captions captions.Options // for formats with captions
	// OnCaptions, if set, is called with the captions of vtt, srt, ttml, ebuttd, ass, lrc, and stl, before they are written. It must not change
	// them.
	OnCaptions func([]captions.Cue)
	Fonts      *Fonts // for pdf; nil means the built-in fonts and the system's
}

// Chapter is a part of a recording. It ends where the next one begins.
type Chapter struct {
	Start          time.Duration
	Title, Summary string
	Image, Link    string // http(s) addresses of a picture and of a page, for players; "" for none
}

func byStart(a, b Chapter) int { return cmp.Compare(a.Start, b.Start) }

// Clip is a part of a recording to cut out.
type Clip struct {
	Window     transcript.Window
	Title, Why string
}

// Paper is a size of pages.
type Paper string

// The sizes of pages.
const (
	PaperA4     Paper = "a4"     // 210 × 297 mm
	PaperLetter Paper = "letter" // 8.5 × 11 in
)

const defaultCreator = "Soundstage"

func (o Options) creator() string {
	if c := captions.CleanText(o.Creator); c != "" {
		return c
	}
	return defaultCreator
}

// modified returns the time of the last change, never before Created.
func (o Options) modified() time.Time {
	if o.Modified.Before(o.Created) {
		return o.Created
	}
	return o.Modified
}
