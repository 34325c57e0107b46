package engine

import (
	"cmp"
	"context"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// TranscribeSettings are the settings of TranscribeAgain. Empty ones are as in the last transcription.
type TranscribeSettings struct {
	Language         transcript.Language
	DetectLanguage   bool // detect the language when Language is ""
	SpeakersExpected int  // hint
	ContextPrompt    string
}

// TranscribeAgain queues a new transcription of a recording's stored media, with the space's present words and spellings, and returns the
// recording. Until it is completed, the old transcript can be read, but not edited; GetNextTranscript returns the new one's status, and
// WaitRecording waits for it. Then the new transcript replaces the old one: its speakers get the names of those who spoke at the same time,
// and all edits are made again where they still fit; ListEdits says which were Dropped. Prompts don't run again. If it fails, the old
// transcript stays. It counts like a first transcription.
//
// Errors: CodeInvalid, CodeNotFound, CodeConflict (a transcription is queued or running, or the space is inactive), CodeUnavailable.
func (e *Engine) TranscribeAgain(ctx context.Context, c Caller, id RecordingID, s TranscribeSettings) (Recording, error) {
	const op = "TranscribeAgain"
	asked := NewRecording{Language: s.Language, SpeakersExpected: s.SpeakersExpected, ContextPrompt: s.ContextPrompt}
	if err := asked.validateSettings(op); err != nil {
		return Recording{}, err
	}
	if err := e.canTranscribe(op); err != nil {
		return Recording{}, err
	}
	var r Recording
	err := e.update(ctx, func(tx Tx) (err error) {
		if r, _, err = visibleRecording(tx, c, id); err != nil {
			return err
		}
		space, err := activeSpace(tx, c, r.SpaceID)
		if err != nil {
			return err
		}
		old, err := idleTranscript(tx, r)
		if err != nil {
			return err
		}
		t := e.nextOf(old, space, s)
		t.UserID = c.UserID
		if err := replaceNext(tx, &r, t); err != nil {
			return err
		}
		return tx.Enqueue(e.newJob(JobTranscribe, string(t.ID), string(space.AccountID), t.CreatedAt))
	})
	if err != nil {
		return Recording{}, wrap(op, err)
	}
	return r, nil
}

// nextOf returns a new transcript of an old one's media.
func (e *Engine) nextOf(old Transcript, space Space, s TranscribeSettings) Transcript {
	now := e.now()
	t := Transcript{
		ID: TranscriptID(e.ids.NewID("transcript")), RecordingID: old.RecordingID, Status: transcriptMachine.Initial(), BlobKey: old.BlobKey,
		BoostedWords: space.BoostedWords, Spellings: space.Spellings, SpeakersExpected: cmp.Or(s.SpeakersExpected, old.SpeakersExpected),
		ContextPrompt: cmp.Or(s.ContextPrompt, old.ContextPrompt), CreatedAt: now, UpdatedAt: now,
	}
	t.Language = transcript.Language(cmp.Or(string(s.Language), string(old.Language)))
	if s.DetectLanguage && s.Language == "" {
		t.Language, t.DetectLanguage = "", true
	}
	return t
}

// idleTranscript returns the transcript of a recording of which nothing is queued or running.
func idleTranscript(tx ReadTx, r Recording) (Transcript, error) {
	running := r.TranscriptStatus
	if next, err := nextTranscript(tx, r); err == nil {
		running = next.Status
	} else if CodeOf(err) != CodeNotFound {
		return Transcript{}, err
	}
	if !running.Over() {
		return Transcript{}, Errorf(CodeConflict, "", "The recording is being transcribed: the status of its transcript is %s.", running).WithHint("Wait until that is done.")
	}
	return tx.Transcript(r.TranscriptID)
}

// replaceNext writes a new transcript of a recording. A failed one is replaced at once.
func replaceNext(tx Tx, r *Recording, t Transcript) error {
	failed := r.NextTranscriptID
	if r.NextTranscriptID = t.ID; !r.HasTranscript() {
		failed, r.NextTranscriptID = r.TranscriptID, ""
		r.follow(t)
	}
	if failed != "" {
		if err := tx.DeleteTranscript(failed); err != nil {
			return err
		}
	}
	if err := tx.PutRecording(*r); err != nil {
		return err
	}
	return tx.PutTranscript(t)
}

// GetNextTranscript returns the transcript that TranscribeAgain queued and that has not replaced the recording's yet: it is queued,
// processing, or failed. Errors: CodeNotFound (the recording, or there is none).
func (e *Engine) GetNextTranscript(ctx context.Context, c Caller, id RecordingID) (t Transcript, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		r, _, err := visibleRecording(tx, c, id)
		if err == nil {
			t, err = nextTranscript(tx, r)
		}
		return err
	})
	return t, wrap("GetNextTranscript", err)
}

func nextTranscript(tx ReadTx, r Recording) (Transcript, error) {
	if r.NextTranscriptID == "" {
		return Transcript{}, Errorf(CodeNotFound, "", "The recording is not being transcribed again.")
	}
	return tx.Transcript(r.NextTranscriptID)
}

// takeOver makes a new transcription the transcript of its recording, if that has another one. It makes the edits again, moves the speakers
// of the labels, and deletes the old transcript with what was made of it.
func takeOver(tx Tx, t *Transcript) (again bool, err error) {
	if t.RecordingID == "" {
		return false, nil
	}
	r, err := tx.Recording(t.RecordingID)
	if err != nil || r.TranscriptID == t.ID {
		return false, err
	}
	old, err := tx.Transcript(r.TranscriptID)
	if err != nil {
		return false, err
	}
	edits, err := tx.Edits(t.RecordingID)
	if err != nil {
		return false, err
	}
	labels := transcript.MatchLabels(old.Transcript, t.Transcript, relabelled(edits, old.Transcript))
	if err := reapplyEdits(tx, t, edits, labels, old.Language == t.Language); err != nil {
		return false, err
	}
	r.TranscriptID, r.NextTranscriptID = t.ID, ""
	r.Revision++
	for _, write := range []func() error{
		func() error { return tx.PutRecording(r) },
		func() error { return relabelAssignments(tx, *t, labels) },
		func() error { return dropDerived(tx, old) },
		func() error { return tx.DeleteTranscript(old.ID) },
	} {
		if err := write(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// relabelled returns the times whose labels in a transcript are those of edits: what was given another speaker, and what was merged with the
// speech before it.
func relabelled(edits []Edit, t transcript.Transcript) (times []transcript.Window) {
	for _, d := range edits {
		for _, o := range d.Operations {
			switch {
			case o.Dropped:
			case o.Kind == EditSetSpeaker:
				times = append(times, o.Window)
			case o.Kind == EditMerge:
				for _, u := range t.Utterances {
					if u.Start < o.Window.End && o.Window.End < u.End {
						times = append(times, transcript.Window{Start: o.Window.End, End: u.End})
					}
				}
			}
		}
	}
	return times
}

// reapplyEdits makes the edits of a recording again in its new transcript.
func reapplyEdits(tx Tx, t *Transcript, edits []Edit, labels map[string]string, sameLanguage bool) error {
	for _, d := range edits {
		for i := range d.Operations {
			t.Transcript = d.Operations[i].reapply(t.Transcript, labels, sameLanguage)
		}
		if err := tx.PutEdit(d); err != nil {
			return err
		}
	}
	return nil
}
