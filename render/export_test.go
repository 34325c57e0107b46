package render

import (
	"image"
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
)

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
