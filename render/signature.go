package render

import (
	"bytes"
	"io"
	"os"
	"slices"
)

// signature is a byte string at an offset of every file of a format.
type signature struct {
	offset int
	bytes  string
}

// signatures are those of the formats in demuxers. They tell a damaged file from one that isn't media.
var signatures = []signature{
	{4, "ftyp"}, {4, "moov"}, {4, "mdat"}, {4, "free"}, {4, "skip"}, {4, "wide"}, // mov, mp4, m4a, 3gp
	{0, "\x1a\x45\xdf\xa3"},                               // matroska, webm
	{8, "WAVE"}, {8, "AVI "}, {0, "riff\x2e\x91\xcf\x11"}, // RIFF, RF64; w64
	{8, "AIFF"}, {8, "AIFC"}, {0, "caff"}, {0, "#!AMR"},
	{0, "OggS"}, {0, "fLaC"}, {0, "FLV\x01"}, {0, "ID3"}, // ID3: mp3, aac
	{0, "\x00\x00\x01\xba"}, {0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"}, // mpeg, asf
}

// headSize is how many bytes of a file are needed to recognise it.
const headSize = 197

// looksLikeMedia reports whether a file starts like one of a supported format.
func looksLikeMedia(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	head := make([]byte, headSize)
	n, _ := io.ReadFull(file, head)
	head = head[:n]
	return isFrameSync(head) || isTransportStream(head) || slices.ContainsFunc(signatures, func(s signature) bool {
		return len(head) > s.offset && bytes.HasPrefix(head[s.offset:], []byte(s.bytes))
	})
}

// isFrameSync reports whether head starts an MPEG audio or ADTS frame: eleven bits that are set. A byte order mark, ff fe,
// has them as well but isn't one.
func isFrameSync(head []byte) bool {
	return len(head) > 1 && head[0] == 0xff && head[1] >= 0xe0 && head[1] < 0xfe
}

// isTransportStream reports whether head has two packets with their sync bytes, each of 188 bytes, or of 192 bytes with a
// leading time.
func isTransportStream(head []byte) bool {
	return len(head) == headSize && (head[0] == 0x47 && head[188] == 0x47 || head[4] == 0x47 && head[196] == 0x47)
}
