package formats

import (
	"io"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Format is one kind of file that a transcript can be written as.
type Format struct {
	Name        string // "vtt": what requests and flags call it
	Extension   string // of file names, with its dot
	ContentType string // for HTTP
	// Write writes the whole transcript, or an error and possibly nothing.
	Write func(w io.Writer, t transcript.Transcript, o Options) error
}

// All returns every format, in the order of the specification.
func All() []Format {
	return []Format{
		{"json", ".json", "application/json", WriteJSON},
		{"txt", ".txt", "text/plain; charset=utf-8", WriteTXT},
		{"vtt", ".vtt", "text/vtt; charset=utf-8", WriteVTT},
		{"srt", ".srt", "application/x-subrip; charset=utf-8", WriteSRT},
		{"csv", ".csv", "text/csv; charset=utf-8", WriteCSV},
		{"pdf", ".pdf", "application/pdf", WritePDF},
		{"docx", ".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", WriteDOCX},
	}
}

// Lookup finds a format by its Name.
func Lookup(name string) (Format, bool) {
	for _, f := range All() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}
