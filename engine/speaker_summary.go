package engine

import (
	"context"
	"slices"
	"strings"
)

// summarizeLater enqueues the summary of a speaker who was just assigned in a completed recording, unless there is one.
func (e *Engine) summarizeLater(tx Tx, r Recording, s Speaker) error {
	if e.llm == nil || s.AISummary != "" {
		return nil
	}
	space, err := tx.Space(r.SpaceID)
	if err != nil {
		return err
	}
	return tx.Enqueue(e.newJob(JobSpeakerSummarize, summaryRef(s.ID, r.ID), string(space.AccountID), e.now()))
}

// runSpeakerSummarize generates the summary of a speaker from what the speaker says in one recording. It changes nothing if the speaker
// has been unassigned in the meantime or already has a summary. If the speaker's words are others by now, the job is retried with them.
func (e *Engine) runSpeakerSummarize(ctx context.Context, w *work) (func(Tx) error, error) {
	speaker, recording, _ := strings.Cut(w.job.Ref, "/")
	id := SpeakerID(speaker)
	var s Speaker
	var m material
	var used spokenWords
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		if s, err = tx.Speaker(id); err != nil {
			return err
		}
		if used, err = wordsOf(tx, id, RecordingID(recording)); err != nil {
			return err
		}
		m, err = readMaterial(tx, RecordingID(recording))
		return err
	})
	if err != nil {
		return nil, err
	}
	req := e.addPassages(WriteRequest{Task: TaskSpeaker, Prompt: s.Name}, m.saidBy(id))
	if s.AISummary != "" || len(req.Passages) == 0 {
		return nil, nil
	}
	text, err := e.write(ctx, req)
	if err != nil {
		return nil, err
	}
	return func(tx Tx) error {
		s, err := tx.Speaker(id)
		if err != nil || s.AISummary != "" {
			return err
		}
		now, err := wordsOf(tx, id, RecordingID(recording))
		if err != nil || now.labels == "" {
			return err // the recording was deleted, or the speaker unassigned
		}
		if now != used {
			return Errorf(CodeConflict, "", "The words of the speaker changed while they were summarised.").Transient()
		}
		s.AISummary = text
		return tx.PutSpeaker(s)
	}, nil
}

// spokenWords identifies what a speaker says in a recording.
type spokenWords struct {
	transcript TranscriptID
	revision   int
	labels     string // assigned to the speaker; "" for none
}

func wordsOf(tx ReadTx, s SpeakerID, id RecordingID) (spokenWords, error) {
	r, err := tx.Recording(id)
	if err != nil {
		return spokenWords{}, err
	}
	assignments, err := tx.Assignments(id)
	var labels []string
	for _, a := range assignments {
		if a.SpeakerID == s {
			labels = append(labels, a.Label)
		}
	}
	slices.Sort(labels)
	return spokenWords{r.TranscriptID, r.Revision, strings.Join(labels, "\n")}, err
}
