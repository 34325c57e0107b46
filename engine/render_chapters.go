package engine

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/answer"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Chapter is a part of a recording with a title. It ends where the next one begins.
type Chapter struct {
	Start time.Duration
	Title string
}

// renderChapters returns the newest chapters that were generated before a render was requested. Chapters that are completed later would
// make the video depend on when its job runs.
func renderChapters(tx ReadTx, r Render, t Transcript) ([]Chapter, error) {
	outputs, err := tx.Outputs(r.RecordingID)
	if err != nil {
		return nil, err
	}
	text := ""
	for _, o := range outputs { // oldest first
		if o.Type == OutputChapters && o.Status == OutputCompleted && !o.UpdatedAt.After(r.CreatedAt) {
			text = o.Text
		}
	}
	var all []Chapter
	for _, c := range answer.Chapters(text) {
		all = append(all, Chapter{exactStart(t.Utterances, c.Start), c.Title})
	}
	return all, nil
}

// exactStart returns when the first utterance begins in the second that starts at at, or at if none does: lists of chapters have whole
// seconds.
func exactStart(utterances []transcript.Utterance, at time.Duration) time.Duration {
	for _, u := range utterances {
		if u.Start.Truncate(time.Second) == at {
			return u.Start
		}
	}
	return at
}
