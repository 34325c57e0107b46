package formats

import (
	"io"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Format is a file format of transcripts.
type Format struct {
	Name        string // name in requests and flags, such as "vtt"
	Extension   string // of file names, with the dot
	ContentType string // for HTTP
	// Write writes the whole transcript. On an error it may have written nothing.
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

// Lookup returns the format with the given Name.
func Lookup(name string) (Format, bool) {
	for _, f := range All() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}
