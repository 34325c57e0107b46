package formats

import (
	"io"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Format is a file format of transcripts.
type Format struct {
	Name        string // name in requests and flags, such as "vtt"
	Extension   string // of file names, with the dot, such as ".vtt" or ".chapters.json"
	ContentType string // for HTTP
	// Write writes the whole transcript. On an error it may have written nothing.
	Write func(w io.Writer, t transcript.Transcript, o Options) error
}

// standard is how many of the formats are the specification's.
const standard = 7

// All returns every format. The first are the standard ones.
func All() []Format {
	return []Format{
		{"json", ".json", "application/json", WriteJSON},
		{"txt", ".txt", "text/plain; charset=utf-8", WriteTXT},
		{"vtt", ".vtt", "text/vtt; charset=utf-8", WriteVTT},
		{"srt", ".srt", "application/x-subrip; charset=utf-8", WriteSRT},
		{"csv", ".csv", "text/csv; charset=utf-8", WriteCSV},
		{"pdf", ".pdf", "application/pdf", WritePDF},
		{"docx", ".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", WriteDOCX},
		{"ttml", ".ttml", "application/ttml+xml; codecs=im2t", WriteTTML},
		{"ebuttd", ".ebuttd.xml", "application/ttml+xml; codecs=etd1", WriteEBUTTD},
		{"stl", ".stl", "application/octet-stream", WriteSTL},
		{"lrc", ".lrc", "text/plain; charset=utf-8", WriteLRC},
		{"ass", ".ass", "text/x-ssa; charset=utf-8", WriteASS},
		{"xlsx", ".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", WriteXLSX},
		{"chapters", ".chapters.json", "application/json+chapters", WriteChapters},
		{"podcast", ".podcast.json", "application/json", WritePodcast},
		{"otio", ".otio", "application/json", WriteOTIO},
		{"fcpxml", ".fcpxml", "application/xml", WriteFCPXML},
		{"edl", ".edl", "text/plain; charset=utf-8", WriteEDL},
		{"md", ".md", "text/markdown; charset=utf-8", WriteMD},
		{"html", ".html", "text/html; charset=utf-8", WriteHTML},
	}
}

// Standard returns the formats of `/v1` in the order of the specification.
func Standard() []Format { return All()[:standard] }

// Lookup returns the format with the given Name.
func Lookup(name string) (Format, bool) { return lookup(All(), name) }

// LookupStandard returns the format of `/v1` with the given Name.
func LookupStandard(name string) (Format, bool) { return lookup(Standard(), name) }

func lookup(all []Format, name string) (Format, bool) {
	for _, f := range all {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}
