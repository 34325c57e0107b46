package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// RenderStatus is the state of a Render: stored form and wire form.
type RenderStatus string

const (
	RenderRendering RenderStatus = "rendering" // waiting, or being rendered
	RenderCompleted RenderStatus = "completed" // the video is stored
	RenderFailed    RenderStatus = "failed"    // failed permanently; Message says why
)

// RenderEvent is a transition of a Render.
type RenderEvent string

const (
	RenderFinished RenderEvent = "finished" // the video is complete and durable
	RenderErrored  RenderEvent = "errored"  // it failed permanently, or was canceled
	RenderRetried  RenderEvent = "retried"  // RetryRender was called
)

// renderMachine is every state of a render and every transition (specification, "States and transitions").
var renderMachine = fsm.New("render", RenderRendering, fsm.Table[RenderStatus, RenderEvent]{
	RenderRendering: {RenderFinished: RenderCompleted, RenderErrored: RenderFailed},
	RenderCompleted: {},
	RenderFailed:    {RenderRetried: RenderRendering},
}).Reopening(RenderRetried)

// Over reports whether the status is final.
func (s RenderStatus) Over() bool { return renderMachine.Terminal(s) }

// apply changes the render's status; nothing else assigns it.
func (r *Render) apply(event RenderEvent) error {
	next, err := renderMachine.Next(r.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Render", "The render is already %s.", r.Status).Because(err)
	}
	r.Status = next
	return nil
}
