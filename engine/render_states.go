package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// RenderStatus is the state of a Render: stored form and wire form.
type RenderStatus string

const (
	RenderRendering RenderStatus = "rendering" // being made, or waiting for it
	RenderCompleted RenderStatus = "completed" // the video is there
	RenderFailed    RenderStatus = "failed"    // it can't be made; Message says why
)

// RenderEvent is what happens to a Render.
type RenderEvent string

const (
	RenderFinished RenderEvent = "finished" // the video is whole and durable
	RenderErrored  RenderEvent = "errored"  // it failed for good, or was canceled
)

// renderMachine is every state of a render and every way out of it (service.md, States and transitions).
var renderMachine = fsm.New("render", RenderRendering, fsm.Table[RenderStatus, RenderEvent]{
	RenderRendering: {RenderFinished: RenderCompleted, RenderErrored: RenderFailed},
	RenderCompleted: {},
	RenderFailed:    {},
})

// Over reports whether nothing more happens to a render in this status.
func (s RenderStatus) Over() bool { return renderMachine.Terminal(s) }

// apply moves the render; it is the only place that assigns its status.
func (r *Render) apply(event RenderEvent) error {
	next, err := renderMachine.Next(r.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Render", "The render is already %s.", r.Status).Because(err)
	}
	r.Status = next
	return nil
}
