package render

import "image"

// Argument lists, for golden files.
var (
	ProbeArgs  = probeArgs
	PacketArgs = packetArgs
	DecodeArgs = decodeArgs
	Compile    = compile
)

// Background exports background.
func Background(w, h int, cover image.Image) image.Image { return background(size{w, h}, cover) }
