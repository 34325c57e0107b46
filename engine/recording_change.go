package engine

import (
	"context"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// UpdateRecording changes the Title, Tags, PublishedAt, EpisodeNumber, and SeasonNumber of a recording of a space that the caller belongs
// to. Changes to other fields are ignored. change may be called more than once. Errors: those of change, CodeInvalid, CodeNotFound,
// CodeConflict (another recording of the space has the external id).
func (e *Engine) UpdateRecording(ctx context.Context, c Caller, id RecordingID, change func(*Recording) error) (Recording, error) {
	const op = "UpdateRecording"
	var r Recording
	err := e.update(ctx, func(tx Tx) (err error) {
		if r, _, err = visibleRecording(tx, c, id); err != nil {
			return err
		}
		wanted := r
		if err := change(&wanted); err != nil {
			return err
		}
		if err := checkChange(op, wanted); err != nil {
			return err
		}
		retitled := r.Title != strings.TrimSpace(wanted.Title)
		r.Title, r.Tags, r.PublishedAt = strings.TrimSpace(wanted.Title), wanted.Tags, wanted.PublishedAt
		r.EpisodeNumber, r.SeasonNumber = wanted.EpisodeNumber, wanted.SeasonNumber
		if err := checkExternalID(tx, r); err != nil {
			return err
		}
		if err := tx.PutRecording(r); err != nil || !retitled {
			return err
		}
		return indexTitle(tx, r)
	})
	if err != nil {
		return Recording{}, wrap(op, err)
	}
	return r, nil
}

func checkChange(op string, r Recording) error {
	if strings.TrimSpace(r.Title) == "" {
		return Errorf(CodeInvalid, op, "A recording needs a title.")
	}
	if err := input.CheckLine(op, "title", r.Title); err != nil {
		return err
	}
	return r.Tags.Validate()
}
