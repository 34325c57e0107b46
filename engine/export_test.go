package engine

// What package engine_test needs to see of the inside.
var (
	EmitOutput      = (*Engine).emitOutput
	IndexOutput     = indexOutput
	IndexTitle      = indexTitle
	IndexTranscript = indexTranscript
)
