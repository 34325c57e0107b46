package formats

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
)

// Options configure a writer. The zero value shows labels as names, times, and no title.
type Options struct {
	Title       string            // of the recording; the headline of docx and pdf
	Names       map[string]string // assigned names by speaker label; other labels are shown unchanged
	RecordingID string            // for json; "" is null

	OmitTimestamps bool // leave out times in txt, docx and pdf

	Created, Modified time.Time // for docx and pdf; zero leaves them out
	Creator           string    // author of the file, for docx and pdf; default "Soundstage"

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

// modified returns the time of the last change, never before Created.
func (o Options) modified() time.Time {
	if o.Modified.Before(o.Created) {
		return o.Created
	}
	return o.Modified
}
