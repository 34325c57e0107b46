package wav

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// file is the parsed header of a WAV file. Source: Multimedia Programming Interface and Data Specifications 1.0, IBM and Microsoft, 1991;
// WAVEFORMATEXTENSIBLE.
type file struct {
	codec     string // FFmpeg's name
	rate      int    // frames per second
	channels  int
	frameSize int   // bytes per frame
	offset    int64 // start of the sound in the file
	available int64 // bytes of sound in the file, in whole frames; less than the header says if the file was cut
	title     string
	plain     bool // whether FFmpeg would report the same information
}

var errNotWAV = errors.New("wav: not a WAV file of PCM")

const (
	maxHeader   = 1 << 20 // bytes before the sound
	maxRate     = 768_000
	maxChannels = 64

	tagPCM        = 1
	tagFloat      = 3
	tagExtensible = 0xFFFE

	codec16 = "pcm_s16le"
)

// codecs are FFmpeg's names of the supported codecs, by format tag and bits per sample.
var codecs = map[[2]int]string{
	{tagPCM, 8}: "pcm_u8", {tagPCM, 16}: codec16, {tagPCM, 24}: "pcm_s24le", {tagPCM, 32}: "pcm_s32le", {tagFloat, 32}: "pcm_f32le",
}

// parse reads the chunks of a file up to the sound.
func parse(ctx context.Context, src engine.Source) (f file, err error) {
	in, err := src.Open(ctx, 0, min(src.Size(), maxHeader))
	if err != nil {
		return f, err
	}
	defer func() { _ = in.Close() }()
	r := bufio.NewReaderSize(in, 4<<10)
	var head [12]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || string(head[:4]) != "RIFF" || string(head[8:]) != "WAVE" {
		return f, errNotWAV
	}
	f.plain = true
	for at := int64(len(head)); ; {
		var chunk [8]byte
		if _, err := io.ReadFull(r, chunk[:]); err != nil {
			return f, errNotWAV
		}
		id, size := string(chunk[:4]), int64(binary.LittleEndian.Uint32(chunk[4:]))
		at += int64(len(chunk))
		if id == "data" {
			return f, f.setSound(src.Size(), at, size)
		}
		if size > maxHeader {
			return f, errNotWAV
		}
		body := make([]byte, size+size%2) // chunks are aligned to even offsets
		if _, err := io.ReadFull(r, body); err != nil {
			return f, errNotWAV
		}
		at += int64(len(body))
		if err := f.chunk(id, body[:size]); err != nil {
			return f, err
		}
	}
}

// chunk parses a chunk before the sound.
func (f *file) chunk(id string, body []byte) error {
	switch id {
	case "fmt ":
		return f.format(body)
	case "LIST":
		f.tags(body)
	case "fact", "JUNK", "PAD ":
	default:
		f.plain = false
	}
	return nil
}

func (f *file) format(body []byte) error {
	if len(body) < 16 || f.frameSize > 0 {
		return errNotWAV
	}
	word := func(at int) int { return int(binary.LittleEndian.Uint16(body[at:])) }
	tag, bits := word(0), word(14)
	f.channels, f.frameSize = word(2), word(12)
	rate := binary.LittleEndian.Uint32(body[4:])
	if tag == tagExtensible && len(body) >= 26 {
		tag = word(24) // the first two bytes of the GUID are the tag
		f.plain = false
	}
	f.codec = codecs[[2]int{tag, bits}]
	if f.codec == "" || f.channels < 1 || f.channels > maxChannels || f.frameSize != f.channels*bits/8 || rate < 1 || rate > maxRate {
		return errNotWAV
	}
	f.rate = int(rate)
	return nil
}

// native reports whether the sound is in the format that the engine works on.
func (f file) native() bool { return f.channels == 1 && f.raw() }

// stereo reports whether the sound is native but for its two channels.
func (f file) stereo() bool { return f.channels == 2 && f.raw() }

func (f file) raw() bool { return f.codec == codec16 && f.rate == transcript.SampleRate }

// tags parses a list of tags. FFmpeg reports two of them, title and language.
func (f *file) tags(body []byte) {
	if len(body) < 4 || string(body[:4]) != "INFO" {
		f.plain = false
		return
	}
	for body = body[4:]; len(body) >= 8; {
		id, size := string(body[:4]), int(binary.LittleEndian.Uint32(body[4:]))
		body = body[8:]
		if size > len(body) {
			f.plain = false
			return
		}
		switch id {
		case "INAM":
			f.title, _, _ = strings.Cut(string(body[:size]), "\x00")
			f.plain = false
		case "ILNG":
			f.plain = false
		}
		body = body[min(size+size%2, len(body)):]
	}
}

// setSound sets the position and size of the sound. A size of 0 or close to 4 GiB means that the file was written as a stream.
func (f *file) setSound(total, at, size int64) error {
	if f.frameSize == 0 {
		return errNotWAV
	}
	frame, left := int64(f.frameSize), max(0, total-at)
	if size == 0 || size >= 0xFFFFFF00 {
		size, f.plain = left, false
	}
	if size%frame != 0 || at+size+size%2 != total && at+size != total {
		f.plain = false // there is data after the sound, or the sound is incomplete
	}
	f.offset, f.available = at, min(size, left)/frame*frame
	if f.available == 0 {
		return errNotWAV
	}
	return nil
}
