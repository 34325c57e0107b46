package engine

import (
	"context"
	"slices"
	"strings"
)

// Assignment says that the voice with this label in this recording is the speaker's.
type Assignment struct {
	RecordingID RecordingID
	Label       string // "Speaker 0"
	SpeakerID   SpeakerID
}

// LabelSpeaker is a label of a recording's transcript and who it is assigned to.
type LabelSpeaker struct {
	Label   string
	Speaker *Profile // nil when unassigned
}

// ListLabels returns every label of a recording's transcript in label order; none before it is completed. Errors:
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

// AssignSpeaker says whose voice a label of a recording is, in place of whoever it was assigned to before. Errors:
// CodeInvalid (nothing given, a label that the transcript doesn't have), CodeNotFound (the recording, or no speaker of its
// space).
func (e *Engine) AssignSpeaker(ctx context.Context, c Caller, a Assignment) (p Profile, err error) {
	const op = "AssignSpeaker"
	if err := a.validate(); err != nil {
		return Profile{}, wrap(op, err)
	}
	err = e.update(ctx, func(tx Tx) error {
		r, s, err := assignable(tx, c, a)
		if err != nil {
			return err
		}
		if p, err = profileOf(tx, s); err != nil {
			return err
		}
		if !r.HasTranscript() {
			return Errorf(CodeInvalid, op, "label is not in the recording's transcript, whose status is %s.", r.TranscriptStatus).WithRule("assignment.label-unknown")
		}
		t, err := tx.Transcript(r.TranscriptID)
		if err != nil {
			return err
		}
		if !slices.Contains(t.Labels(), a.Label) {
			return Errorf(CodeInvalid, op, "label is not in the recording's transcript.").WithRule("assignment.label-unknown").
				WithHint("Use one of the labels that the recording's speakers are listed with.")
		}
		if err := tx.PutAssignment(a); err != nil {
			return err
		}
		return e.summarizeLater(tx, r, s)
	})
	if err != nil {
		return Profile{}, wrap(op, err)
	}
	return p, nil
}

// UnassignSpeaker takes an assignment back. Errors: CodeInvalid (nothing given), CodeNotFound (the recording, the speaker,
// or the label is not assigned to this speaker).
func (e *Engine) UnassignSpeaker(ctx context.Context, c Caller, a Assignment) error {
	const op = "UnassignSpeaker"
	if err := a.validate(); err != nil {
		return wrap(op, err)
	}
	return wrap(op, e.update(ctx, func(tx Tx) error {
		if _, _, err := assignable(tx, c, a); err != nil {
			return err
		}
		assignments, err := tx.Assignments(a.RecordingID)
		if err != nil {
			return err
		}
		if !slices.Contains(assignments, a) {
			return Errorf(CodeNotFound, op, "The label is not assigned to this speaker.").WithRule("assignment.unknown")
		}
		return tx.DeleteAssignment(a.RecordingID, a.Label)
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

// assignable returns the recording and the speaker of an assignment, who are of one space.
func assignable(tx ReadTx, c Caller, a Assignment) (Recording, Speaker, error) {
	r, _, err := visibleRecording(tx, c, a.RecordingID)
	if err != nil {
		return Recording{}, Speaker{}, err
	}
	s, err := visibleSpeaker(tx, c, a.SpeakerID)
	if err == nil && s.SpaceID != r.SpaceID {
		err = NotFound("", "speaker")
	}
	return r, s, ruledAs(CodeNotFound, "assignment.speaker-unknown", err)
}
