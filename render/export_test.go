package render

import (
	"fmt"
	"image"
	"io"
	"time"
)

// Argument lists, for golden files.
var (
	ProbeArgs    = probeArgs
	CopyArgs     = copyArgs
	PacketArgs   = packetArgs
	DecodeArgs   = decodeArgs
	Compile      = compile
	Syllables    = syllables
	TwoLines     = twoLines
	TextWidth    = textWidth
	LanguageCode = languageCode
	Alone        = alone
	Balanced     = balanced
	Directed     = directed
)

// Pieces exports pieces.
func Pieces(text string) (texts []string) {
	for _, p := range pieces(text) {
		texts = append(texts, p.text)
	}
	return texts
}

// Background exports background.
func Background(w, h int, cover image.Image) image.Image {
	return background(size{w, h}, layoutOf(size{w, h}), cover)
}

// WaitLimit exports FFmpeg.waitLimit for a command with a timeout.
func WaitLimit(f FFmpeg, timeout time.Duration) time.Duration {
	return f.waitLimit(command{timeout: timeout})
}

// AnyOf exports anyOf.
var AnyOf = anyOf

// MostKnown exports mostKnown.
const MostKnown = mostKnown

// Put keeps facts of a path.
func (k *KnownMedia) Put(path string, facts MediaFacts) { k.put(mediaVersion{path: path}, facts) }

// Len returns the number of files.
func (k *KnownMedia) Len() int { return len(k.files) }

// ErrNoIndex exports errNoIndex.
var ErrNoIndex = errNoIndex

// ReadIndex exports readIndex. A track is written as "video h264 1080x1920 0 Hz 25".
func ReadIndex(r io.ReaderAt, size int64) (tracks []string, err error) {
	found, err := readIndex(r, size)
	for _, t := range found {
		tracks = append(tracks, fmt.Sprintf("%s %s %dx%d %d Hz %d", t.kind, t.codec, t.width, t.height, t.rate, t.samples))
	}
	return tracks, err
}

// CountsAll exports countsAll.
var CountsAll = countsAll
