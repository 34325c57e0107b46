package formats

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
)

// Options say what a file is about and what it shows. The zero value is usable: labels as names, times shown, no title.
type Options struct {
	Title       string            // of the recording: the headline of docx and pdf
	Names       map[string]string // assigned names by speaker label; other labels are shown as they are
	RecordingID string            // for json; "" is null

	OmitTimestamps bool // txt, docx and pdf without times

	Created, Modified time.Time // for docx and pdf; zero leaves them out
	Creator           string    // who made the file, for docx and pdf; default "Soundstage"

	Captions captions.Options // for vtt and srt
	Fonts    *Fonts           // for pdf; nil means the Go fonts and the system's
}

const defaultCreator = "Soundstage"

func (o Options) creator() string {
	if c := captions.CleanText(o.Creator); c != "" {
		return c
	}
	return defaultCreator
}

// modified is when the file was last changed: never before it was made.
func (o Options) modified() time.Time {
	if o.Modified.Before(o.Created) {
		return o.Created
	}
	return o.Modified
}
