package engine

import (
	"context"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// UpdateRecording changes the Title, Tags, PublishedAt, EpisodeNumber, and SeasonNumber of a recording of a space that the caller belongs
// to. PublishedAt is stored in UTC and in microseconds. Changes to other fields are ignored. change may be called more than once. Errors:
// those of change, CodeInvalid, CodeNotFound, CodeConflict (another recording of the space has the external id).
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
		if wanted.PublishedAt != nil {
			at := wanted.PublishedAt.UTC().Truncate(time.Microsecond)
			wanted.PublishedAt = &at
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
	if err := checkDate(op, "PublishedAt", r.PublishedAt); err != nil {
		return err
	}
	return r.Tags.Validate()
}

// checkDate returns CodeInvalid for a time, nil for none, that not every store and JSON parser can hold.
func checkDate(op, field string, at *time.Time) error {
	if at == nil {
		return nil
	}
	if year := at.UTC().Year(); year < 1 || year > 9998 {
		return Errorf(CodeInvalid, op, "%s must be in the years 1 to 9998 (got %d).", field, year)
	}
	return nil
}
