package render

// The argument lists, for golden files.
var (
	ProbeArgs  = probeArgs
	PacketArgs = packetArgs
	DecodeArgs = decodeArgs
	Compile    = compile
)
