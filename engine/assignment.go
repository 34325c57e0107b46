package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// Assignment assigns a label of a recording to a speaker.
type Assignment struct {
	RecordingID RecordingID
	Label       string // "Speaker 0"
	SpeakerID   SpeakerID
}

// LabelSpeaker is a label of a recording's transcript with the speaker it is assigned to.
type LabelSpeaker struct {
	Label   string
	Speaker *Profile // nil when unassigned
}

// ListLabels returns every label of a recording's transcript in label order, or none before the transcript is completed. Errors:
// CodeNotFound.
func (e *Engine) ListLabels(ctx context.Context, c Caller, id RecordingID) (labels []LabelSpeaker, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		r, _, err := visibleRecording(tx, c, id)
		if err != nil || !r.HasTranscript() {
			return err
		}
		t, err := tx.Transcript(r.TranscriptID)
		if err != nil {
			return err
		}
		assignments, err := tx.Assignments(id)
		if err != nil {
			return err
		}
		for _, label := range t.Labels() {
			l := LabelSpeaker{Label: label}
			if i := slices.IndexFunc(assignments, func(a Assignment) bool { return a.Label == label }); i >= 0 {
				s, err := tx.Speaker(assignments[i].SpeakerID)
				if err != nil {
					return err
				}
				p, err := profileOf(tx, s)
				if err != nil {
					return err
				}
				l.Speaker = &p
			}
			labels = append(labels, l)
		}
		return nil
	})
	return labels, wrap("ListLabels", err)
}

// AssignSpeaker assigns a label of a recording to a speaker. It replaces an earlier assignment, as UnassignSpeaker does. Errors: CodeInvalid
// (a missing field, or a label that the transcript lacks), CodeNotFound (the recording, or no speaker of its space).
func (e *Engine) AssignSpeaker(ctx context.Context, c Caller, a Assignment) (p Profile, err error) {
	const op = "AssignSpeaker"
	if err := a.validate(); err != nil {
		return Profile{}, wrap(op, err)
	}
	err = e.update(ctx, func(tx Tx) error {
		r, s, err := assignmentRows(tx, c, a)
		if err != nil {
			return err
		}
		if p, err = profileOf(tx, s); err != nil {
			return err
		}
		if err := checkLabel(tx, r, a.Label); err != nil {
			return err
		}
		before, err := tx.Assignments(r.ID)
		if err != nil {
			return err
		}
		if err := tx.PutAssignment(a); err != nil {
			return err
		}
		for _, b := range before {
			if b.Label == a.Label && b.SpeakerID != a.SpeakerID {
				err = e.resetSummary(tx, b.SpeakerID)
			}
		}
		return errors.Join(err, e.summarizeLater(tx, r, s))
	})
	if err != nil {
		return Profile{}, wrap(op, err)
	}
	return p, nil
}

// checkLabel returns CodeInvalid for a label that the recording's transcript doesn't have.
func checkLabel(tx ReadTx, r Recording, label string) error {
	if !r.HasTranscript() {
		return Errorf(CodeInvalid, "", "label is not in the recording's transcript, whose status is %s.", r.TranscriptStatus).WithRule("assignment.label-unknown")
	}
	t, err := tx.Transcript(r.TranscriptID)
	if err != nil {
		return err
	}
	if !slices.Contains(t.Labels(), label) {
		return Errorf(CodeInvalid, "", "label is not in the recording's transcript.").WithRule("assignment.label-unknown").
			WithHint("Use one of the labels that the recording's speakers are listed with.")
	}
	return nil
}

// UnassignSpeaker removes an assignment, and the speaker's summary, which may be about what was said there. A speaker with other
// assignments is summarised again. Errors: CodeInvalid (a missing field, an unknown label), CodeNotFound (the recording, the speaker, or the
// assignment).
func (e *Engine) UnassignSpeaker(ctx context.Context, c Caller, a Assignment) error {
	const op = "UnassignSpeaker"
	if err := a.validate(); err != nil {
		return wrap(op, err)
	}
	return wrap(op, e.update(ctx, func(tx Tx) error {
		r, _, err := assignmentRows(tx, c, a)
		if err != nil {
			return err
		}
		if err := checkLabel(tx, r, a.Label); err != nil {
			return err
		}
		assignments, err := tx.Assignments(a.RecordingID)
		if err != nil {
			return err
		}
		if !slices.Contains(assignments, a) {
			return Errorf(CodeNotFound, op, "The label is not assigned to this speaker.").WithRule("assignment.unknown")
		}
		if err := tx.DeleteAssignment(a.RecordingID, a.Label); err != nil {
			return err
		}
		return e.resetSummary(tx, a.SpeakerID)
	}))
}

func (a Assignment) validate() error {
	switch {
	case strings.TrimSpace(a.Label) == "":
		return Errorf(CodeInvalid, "", "label is required.").WithRule("assignment.label-required")
	case a.SpeakerID == "":
		return Errorf(CodeInvalid, "", "speaker_id is required.").WithRule("assignment.speaker-required")
	}
	return nil
}

// assignmentRows returns the recording and the speaker of an assignment, which belong to the same space.
func assignmentRows(tx ReadTx, c Caller, a Assignment) (Recording, Speaker, error) {
	r, _, err := visibleRecording(tx, c, a.RecordingID)
	if err != nil {
		return Recording{}, Speaker{}, err
	}
	s, err := visibleSpeaker(tx, c, a.SpeakerID)
	if err == nil && s.SpaceID != r.SpaceID {
		err = NotFound("", "speaker")
	}
	return r, s, addRule(CodeNotFound, "assignment.speaker-unknown", err)
}
