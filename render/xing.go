package render

import (
	"encoding/binary"
	"io"
	"slices"
)

// leastFrame is the size of the smallest frame, in bytes: 24 kHz at 8 kbit/s.
const leastFrame = 24

// countsAll reports whether an MP3 file of size bytes has a header that counts all of its frames and bytes: Xing's, as LAME and ffmpeg write it
// into the first frame. Then the duration that ffprobe derives from it is exact. The header of a file that was cut, or joined from several,
// counts other bytes.
func countsAll(r io.ReaderAt, size int64) bool {
	start := int64(0)
	var tag [10]byte // of ID3v2, whose size has 7 bits in each byte
	if _, err := r.ReadAt(tag[:], 0); err != nil {
		return false
	}
	if string(tag[:3]) == "ID3" {
		for _, b := range tag[6:] {
			start = start<<7 | int64(b&0x7f)
		}
		start += int64(len(tag))
	}
	// A head, the longest side information, and the header.
	var frame [4 + 32 + 16]byte
	if _, err := r.ReadAt(frame[:], start); err != nil || frame[0] != 0xff || frame[1]&0xe6 != 0xe2 { // layer III of any version
		return false
	}
	skip := 4 + 17
	switch first, mono := frame[1]&0x18 == 0x18, frame[3]>>6 == 3; {
	case first && !mono:
		skip = 4 + 32
	case !first && mono:
		skip = 4 + 9
	}
	header := frame[skip:]
	const framesAndBytes = 3
	if !slices.Contains([]string{"Xing", "Info"}, string(header[:4])) || header[7]&framesAndBytes != framesAndBytes {
		return false
	}
	frames, bytes := int64(binary.BigEndian.Uint32(header[8:])), int64(binary.BigEndian.Uint32(header[12:]))
	var old [3]byte // the head of an ID3v1 tag
	_, _ = r.ReadAt(old[:], start+bytes)
	possible := frames > 0 && frames <= bytes/leastFrame
	return possible && (start+bytes == size || string(old[:]) == "TAG" && start+bytes+128 == size)
}
