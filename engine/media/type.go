package media

import (
	"bytes"
	"path"
	"strings"
)

// TypeOf returns the MIME type of media by its first bytes (512 are enough), else by the extension of its file name, else
// "application/octet-stream". The container decides: a file of Matroska, MP4, or Ogg may hold only sound.
func TypeOf(head []byte, name string) string {
	for _, s := range signatures {
		if len(head) >= s.at+len(s.bytes) && string(head[s.at:s.at+len(s.bytes)]) == s.bytes && (s.also == nil || s.also(head)) {
			return s.mime
		}
	}
	if mime, ok := extensions[strings.ToLower(path.Ext(name))]; ok {
		return mime
	}
	return "application/octet-stream"
}

// signature is how files of a type begin.
type signature struct {
	at    int
	bytes string
	also  func(head []byte) bool // nil for nothing else
	mime  string
}

var signatures = []signature{
	{8, "WAVE", begins("RIFF", "RF64", "BW64"), "audio/wav"},
	{8, "AVI ", begins("RIFF"), "video/x-msvideo"},
	{0, "fLaC", nil, "audio/flac"},
	{0, "OggS", contains("\x80theora"), "video/ogg"},
	{0, "OggS", nil, "audio/ogg"},
	{0, "ID3", nil, "audio/mpeg"},
	{4, "ftypM4A", nil, "audio/mp4"},
	{4, "ftypM4B", nil, "audio/mp4"},
	{4, "ftypqt", nil, "video/quicktime"},
	{4, "ftyp3g", nil, "video/3gpp"},
	{4, "ftyp", nil, "video/mp4"},
	{0, "\x1a\x45\xdf\xa3", contains("webm"), "video/webm"},
	{0, "\x1a\x45\xdf\xa3", nil, "video/x-matroska"},
	{8, "AIFF", begins("FORM"), "audio/aiff"},
	{8, "AIFC", begins("FORM"), "audio/aiff"},
	{0, "#!AMR", nil, "audio/amr"},
	{0, "caff", nil, "audio/x-caf"},
	{0, ".snd", nil, "audio/basic"},
	{0, "wvpk", nil, "audio/x-wavpack"},
	{0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", nil, "video/x-ms-asf"},
	{0, "FLV\x01", nil, "video/x-flv"},
	{0, "\x00\x00\x01\xba", nil, "video/mpeg"},
	{188, "\x47", begins("\x47"), "video/mp2t"},
	{0, "\xff", isADTS, "audio/aac"},
	{0, "\xff", isMPEG, "audio/mpeg"},
}

func begins(with ...string) func([]byte) bool {
	return func(head []byte) bool {
		for _, w := range with {
			if bytes.HasPrefix(head, []byte(w)) {
				return true
			}
		}
		return false
	}
}

func contains(text string) func([]byte) bool {
	return func(head []byte) bool { return bytes.Contains(head, []byte(text)) }
}

// isADTS reports whether a frame of AAC begins here: the layer bits are 0.
func isADTS(head []byte) bool { return len(head) > 1 && head[1]&0xf6 == 0xf0 }

// isMPEG reports whether a frame of MPEG audio begins here: version, layer, bit rate, and sample rate are none of the reserved values.
func isMPEG(head []byte) bool {
	return len(head) > 2 && head[1]&0xe0 == 0xe0 && head[1]&0x18 != 0x08 && head[1]&0x06 != 0 && head[2]&0xf0 != 0xf0 && head[2]&0x0c != 0x0c
}

// extensions have the types of files whose first bytes don't decide.
var extensions = map[string]string{
	".aac": "audio/aac", ".ac3": "audio/ac3", ".aif": "audio/aiff", ".aiff": "audio/aiff", ".amr": "audio/amr", ".avi": "video/x-msvideo",
	".caf": "audio/x-caf", ".flac": "audio/flac", ".flv": "video/x-flv", ".m4a": "audio/mp4", ".m4b": "audio/mp4", ".m4v": "video/mp4",
	".mka": "audio/x-matroska", ".mkv": "video/x-matroska", ".mov": "video/quicktime", ".mp3": "audio/mpeg", ".mp4": "video/mp4",
	".mpeg": "video/mpeg", ".mpg": "video/mpeg", ".oga": "audio/ogg", ".ogg": "audio/ogg", ".ogv": "video/ogg", ".opus": "audio/ogg",
	".ts": "video/mp2t", ".wav": "audio/wav", ".weba": "audio/webm", ".webm": "video/webm", ".wma": "audio/x-ms-wma", ".wmv": "video/x-ms-wmv",
}
