package engine

import "context"

// What package engine_test needs to see of the inside.
var (
	EmitOutput      = (*Engine).emitOutput
	IndexOutput     = indexOutput
	IndexTitle      = indexTitle
	IndexTranscript = indexTranscript
)

// ReportProgress reports progress of any row.
func ReportProgress(e *Engine, v Event) { e.events.report(v) }

// Update is the engine's own update.
func Update(ctx context.Context, e *Engine, fn func(Tx) error) error { return e.update(ctx, fn) }

// RecordingDeleted writes the event of a deletion.
var RecordingDeleted = (*Engine).recordingDeleted
