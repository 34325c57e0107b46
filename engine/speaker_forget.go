package engine

import (
	"context"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// ForgetSpeaker deletes a speaker of a space that the caller belongs to: the profile with its summary, and every assignment, so that the
// labels are again "Speaker 0" and so on in all recordings, exports, and captions made from now on. Texts that were generated before stay,
// and may contain the name: outputs, chats, and renders. So do the words of transcripts. Errors: CodeNotFound, also for a forgotten speaker.
func (e *Engine) ForgetSpeaker(ctx context.Context, c Caller, id SpeakerID) error {
	const op = "ForgetSpeaker"
	err := e.update(ctx, func(tx Tx) error {
		s, err := visibleSpeaker(tx, c, id)
		if err != nil {
			return err
		}
		space, err := tx.Space(s.SpaceID)
		if err != nil {
			return err
		}
		if err := tx.DeleteSpeaker(id); err != nil {
			return err
		}
		return tx.Enqueue(e.newJob(JobSpeakerForget, string(id), string(space.AccountID), e.now()))
	})
	if err != nil {
		return wrap(op, err)
	}
	if _, err := e.stopSummaries(ctx, id); err != nil {
		e.log.Warn("summary of a forgotten speaker not canceled; its job does it", "err", err)
	}
	return nil
}

// stopSummaries cancels the unfinished summaries of a speaker, and returns how many are still running.
func (e *Engine) stopSummaries(ctx context.Context, id SpeakerID) (running int, err error) {
	return e.queue.CancelAll(ctx, func(tx ReadTx) ([]queue.Job, error) { return summariesOf(tx, id) })
}

// summariesOf returns the jobs in any status that summarise a speaker.
func summariesOf(tx ReadTx, id SpeakerID) ([]queue.Job, error) {
	jobs, err := tx.JobsOf(string(id))
	return slices.DeleteFunc(jobs, func(j queue.Job) bool { return j.Kind != JobSpeakerSummarize }), err
}

// runSpeakerForget removes the jobs that summarised a forgotten speaker.
func (e *Engine) runSpeakerForget(ctx context.Context, w *work) (func(Tx) error, error) {
	id := SpeakerID(w.job.Ref)
	running, err := e.stopSummaries(ctx, id)
	if err == nil && running > 0 {
		err = Errorf(CodeNotReady, "Forget", "The speaker is still being summarised.")
	}
	if err != nil {
		return nil, err
	}
	return func(tx Tx) error {
		jobs, err := summariesOf(tx, id)
		for _, j := range jobs {
			if err == nil {
				err = tx.DeleteJob(j.ID)
			}
		}
		return err
	}, nil
}

// summaryRef returns the Ref of a JobSpeakerSummarize.
func summaryRef(s SpeakerID, r RecordingID) string { return string(s) + "/" + string(r) }

// resetSummaries clears the summary of each speaker who was assigned in a deleted recording, because it may repeat what was said there.
// A speaker of other recordings is summarised again.
func (e *Engine) resetSummaries(ctx context.Context, w *work, d Deletion) error {
	return w.update(ctx, func(tx Tx) error {
		assignments, err := tx.Assignments(d.RecordingID)
		if err != nil {
			return err
		}
		for _, a := range assignments {
			if err := e.resetSummary(tx, a.SpeakerID); err != nil {
				return err
			}
			if err := tx.DeleteAssignment(a.RecordingID, a.Label); err != nil {
				return err
			}
		}
		return nil
	})
}

// resetSummary clears the summary of a speaker who lost an assignment, and queues another one if the speaker has others.
func (e *Engine) resetSummary(tx Tx, id SpeakerID) error {
	s, err := tx.Speaker(id)
	if CodeOf(err) == CodeNotFound || err == nil && s.AISummary == "" {
		return nil
	}
	if err != nil {
		return err
	}
	s.AISummary = ""
	if err := tx.PutSpeaker(s); err != nil {
		return err
	}
	others, err := tx.AssignmentsOf(id)
	if err != nil {
		return err
	}
	for _, a := range others {
		r, err := tx.Recording(a.RecordingID)
		if err == nil {
			return e.summarizeLater(tx, r, s)
		}
		if CodeOf(err) != CodeNotFound {
			return err
		}
	}
	return nil
}
