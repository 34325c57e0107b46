package engine

// What package engine_test needs to see of the inside.
var (
	EmitOutput      = (*Engine).emitOutput
	Sign            = sign
	Fraction        = fraction
	IndexOutput     = indexOutput
	IndexTitle      = indexTitle
	IndexTranscript = indexTranscript
)
