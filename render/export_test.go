package render

import "image"

// The argument lists, for golden files.
var (
	ProbeArgs  = probeArgs
	PacketArgs = packetArgs
	DecodeArgs = decodeArgs
	Compile    = compile
)

// Background draws what is behind an audiogram.
func Background(w, h int, cover image.Image) image.Image { return background(size{w, h}, cover) }
