package render

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// track is a track of a result, by ffmpeg's names.
type track struct {
	kind          string // "video" or "audio"; "" for others
	codec         string // "" for others than a result has
	width, height int    // of a picture, in pixels
	rate          int    // of sound, in Hz
	samples       int    // frames of a picture
}

// maxIndex is the largest index that is read, in bytes. That of 3 minutes takes 150 KB.
const maxIndex = 64 << 20

// errNoIndex means that a file is no MP4 or MOV file, or one that wasn't finished: ffmpeg writes the index last.
var errNoIndex = errors.New("the file has no complete index")

// ffmpegNames are ffmpeg's names of what an index calls otherwise. AAC is the only sound in MPEG-4's format that results have.
var ffmpegNames = map[string]string{"vide": "video", "soun": "audio", "avc1": "h264", "mp4a": "aac"}

// readIndex returns the tracks of an MP4 or MOV file of size bytes (ISO/IEC 14496-12). ffprobe says the same of it, but first loads 200
// libraries, which takes a tenth of a second of processor time. Errors are errNoIndex, and those of r.
func readIndex(r io.ReaderAt, size int64) (tracks []track, err error) {
	for at := int64(0); at < size; {
		var head [16]byte
		if _, err := r.ReadAt(head[:], at); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		kind, start, length := boxHead(head[:], uint64(size-at))
		if length < start || length > uint64(size-at) {
			return nil, fmt.Errorf("%w: a box of %d bytes at %d of %d", errNoIndex, length, at, size)
		}
		if kind == "moov" && length <= maxIndex {
			index := make([]byte, length-start)
			if _, err := io.ReadFull(io.NewSectionReader(r, at+int64(start), int64(len(index))), index); err != nil {
				return nil, err
			}
			for trak := range boxes(index, "trak") {
				tracks = append(tracks, readTrack(trak))
			}
		}
		at += int64(length)
	}
	if tracks == nil {
		return nil, errNoIndex
	}
	return tracks, nil
}

// boxHead returns the kind of a box, the length of its head, and its whole length. A box without a length takes the rest.
func boxHead(head []byte, rest uint64) (kind string, start, length uint64) {
	kind, start, length = string(head[4:8]), 8, uint64(binary.BigEndian.Uint32(head))
	switch length {
	case 0:
		length = rest
	case 1:
		start, length = 16, binary.BigEndian.Uint64(head[8:16])
	}
	return kind, start, length
}

// boxes yields the contents of the boxes of a kind, until one doesn't fit.
func boxes(b []byte, kind string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(b) >= 8 {
			var head [16]byte
			copy(head[:], b)
			found, start, length := boxHead(head[:], uint64(len(b)))
			if length < start || length > uint64(len(b)) || found == kind && !yield(b[start:length]) {
				return
			}
			b = b[length:]
		}
	}
}

// box returns the content of the first box on a path, or nil.
func box(b []byte, path ...string) []byte {
	for _, kind := range path {
		inside := b
		b = nil
		for content := range boxes(inside, kind) {
			b = content
			break
		}
	}
	return b
}

// readTrack returns what a trak box says. What it doesn't say is zero.
func readTrack(trak []byte) (t track) {
	media := box(trak, "mdia")
	if handler := box(media, "hdlr"); len(handler) >= 12 {
		t.kind = ffmpegNames[string(handler[8:12])]
	}
	if sizes := box(media, "minf", "stbl", "stsz"); len(sizes) >= 12 {
		t.samples = int(binary.BigEndian.Uint32(sizes[8:]))
	}
	described := box(media, "minf", "stbl", "stsd")
	if len(described) < 8+36 { // a head, and what all descriptions of pictures and sound have
		return t
	}
	entry := described[8:]
	t.codec = ffmpegNames[string(entry[4:8])]
	if t.kind == "audio" {
		t.rate = int(binary.BigEndian.Uint16(entry[32:])) // of 16.16 bits
	} else {
		t.width, t.height = int(binary.BigEndian.Uint16(entry[32:])), int(binary.BigEndian.Uint16(entry[34:]))
	}
	return t
}
