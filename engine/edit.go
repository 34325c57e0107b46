package engine

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// EditID identifies an Edit.
type EditID string

// Limits of a TranscriptEdit.
const (
	MaxEditOperations = 1000
	MaxUtteranceText  = 50_000 // characters of an utterance
)

// TranscriptEdit is the request to edit a transcript.
type TranscriptEdit struct {
	// Revision is the Recording's Revision that the caller has seen.
	Revision int
	// Operations are made in order, 1 to MaxEditOperations. Utterance and Word count as the operations before have left them.
	Operations []EditOperation
}

// EditKind is what an EditOperation does.
type EditKind string

const (
	EditSetText    EditKind = "text"    // gives an utterance the Text, as transcript.Realign does
	EditSetSpeaker EditKind = "speaker" // gives an utterance the label Speaker: one of the transcript's, or transcript.NextLabel
	EditMerge      EditKind = "merge"   // joins an utterance and the next one, which gets its label
	EditSplit      EditKind = "split"   // makes a new utterance of the words from Word on
	EditRemove     EditKind = "remove"  // removes an utterance; a blank Text does not
)

// EditOperation is one change of a transcript.
type EditOperation struct {
	Kind      EditKind
	Utterance int    // number, from 0
	Text      string // for EditSetText: one line of at most MaxUtteranceText characters
	Speaker   string // for EditSetSpeaker: a label; for EditRemove, EditTranscript sets it to the utterance's
	Word      int    // for EditSplit: number in the utterance, from 1

	// EditTranscript sets what follows. TranscribeAgain finds the place again with it.

	Window  transcript.Window   // of the utterance; for EditMerge, the pause between the two; for EditSplit, the start of the word
	Changes []transcript.Change // for EditSetText
	Dropped bool                // the transcript that TranscribeAgain made has no place for it, or not for all of its Changes
}

// Edit is a change of a recording's transcript by a user.
type Edit struct {
	ID          EditID
	RecordingID RecordingID
	UserID      UserID
	Revision    int // that the edit made
	Operations  []EditOperation
	CreatedAt   time.Time
}

// Dropped reports whether the present transcript lacks one of the edit's operations, at least in part.
func (d Edit) Dropped() bool {
	return slices.ContainsFunc(d.Operations, func(o EditOperation) bool { return o.Dropped })
}

// EditTranscript changes a completed transcript of a space that the caller belongs to: all operations, or none. It returns the transcript
// with its recording's new Revision. Words that stay keep their times; see transcript.Realign. Search, exports, and captions have the new
// text at once. Suggestions and translations of the old text are deleted, and made again on request. A label that nobody has any more loses
// its speaker. Operations that change nothing are left out; without any other, there is no new revision.
//
// Errors: CodeInvalid, CodeNotFound, CodeConflict (another edit came first; the transcript is not completed, or is being transcribed
// again).
func (e *Engine) EditTranscript(ctx context.Context, c Caller, id RecordingID, n TranscriptEdit) (RecordingTranscript, error) {
	const op = "EditTranscript"
	if err := n.Validate(); err != nil {
		return RecordingTranscript{}, err
	}
	var rt RecordingTranscript
	err := e.update(ctx, func(tx Tx) (err error) {
		rt = RecordingTranscript{}
		if rt.Recording, rt.Space, err = visibleRecording(tx, c, id); err != nil {
			return err
		}
		t, err := editable(tx, rt.Recording, n.Revision)
		if err != nil {
			return err
		}
		old := t
		edit := Edit{ID: EditID(e.ids.NewID("edit")), RecordingID: id, UserID: c.UserID, CreatedAt: e.created("edit")}
		if t.Transcript, edit.Operations, err = applyOperations(t.Transcript, n.Operations); err != nil {
			return err
		}
		if len(edit.Operations) > 0 {
			err = e.putEdit(tx, &rt.Recording, old, t, edit)
		}
		if err == nil {
			rt.Transcript = t.Transcript
			rt.Names, err = speakerNames(tx, id)
		}
		return err
	})
	if err != nil {
		return RecordingTranscript{}, wrap(op, err)
	}
	return rt, nil
}

// Validate returns what is wrong with the request, as CodeInvalid, as far as that can be said without the transcript.
func (n TranscriptEdit) Validate() error {
	const op = "EditTranscript"
	if len(n.Operations) == 0 || len(n.Operations) > MaxEditOperations {
		return Errorf(CodeInvalid, op, "An edit has 1 to %d operations (got %d).", MaxEditOperations, len(n.Operations))
	}
	for i, o := range n.Operations {
		if o.Kind != EditSetText {
			continue
		}
		if wrong := wrongText(o.Text); wrong != "" {
			return Errorf(CodeInvalid, op, "The text of operation %d %s.", i, wrong)
		}
	}
	return nil
}

// wrongText says why a text can't be an utterance's, or returns "".
func wrongText(text string) string {
	switch {
	case len(text) > utf8.UTFMax*MaxUtteranceText || utf8.RuneCountInString(text) > MaxUtteranceText:
		return "is longer than the limit of 50,000 characters"
	case !utf8.ValidString(text):
		return "is not valid UTF-8"
	case transcript.HasControl(text):
		return "has control characters, such as line breaks"
	case strings.TrimSpace(transcript.OneLine(text)) == "":
		return "is blank; the operation remove removes an utterance"
	}
	return ""
}

// editable returns the transcript of a recording, if it can be edited.
func editable(tx ReadTx, r Recording, revision int) (Transcript, error) {
	if !r.HasTranscript() {
		return Transcript{}, Errorf(CodeConflict, "", "The transcript can't be edited: its status is %s, and a completed transcript is required.", r.TranscriptStatus)
	}
	next, err := nextTranscript(tx, r)
	if err == nil && !next.Status.Over() {
		return Transcript{}, Errorf(CodeConflict, "", "The transcript can't be edited while the recording is transcribed again.").WithHint("Wait until that is done.")
	}
	if err != nil && CodeOf(err) != CodeNotFound {
		return Transcript{}, err
	}
	if revision != r.Revision {
		return Transcript{}, Errorf(CodeConflict, "", "Somebody changed the transcript in the meantime: its revision is %d, and this edit is for revision %d.", r.Revision, revision).
			WithHint("Read the transcript again, and edit that.")
	}
	return tx.Transcript(r.TranscriptID)
}

// putEdit writes an edit with the transcript that it made, and everything that follows from its text.
func (e *Engine) putEdit(tx Tx, r *Recording, old, t Transcript, edit Edit) error {
	r.Revision++
	edit.Revision, t.UpdatedAt = r.Revision, edit.CreatedAt
	for _, write := range []func() error{
		func() error { return tx.PutRecording(*r) },
		func() error { return tx.PutTranscript(t) },
		func() error { return tx.PutEdit(edit) },
		func() error { return dropDerived(tx, t) },
		func() error { return reindexTranscript(tx, *r, old, t) },
		func() error { return relabelAssignments(tx, t, nil) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// dropDerived deletes what was made of the text of a transcript and is made again on request.
func dropDerived(tx Tx, t Transcript) error {
	if err := tx.DeleteSuggestions(t.RecordingID); err != nil {
		return err
	}
	return tx.DeleteTranslations(t.ID)
}

// relabelAssignments changes the labels of a recording's assignments; nil leaves them. Labels that the transcript doesn't have lose theirs.
func relabelAssignments(tx Tx, t Transcript, labels map[string]string) error {
	assignments, err := tx.Assignments(t.RecordingID)
	if err != nil {
		return err
	}
	there, kept := t.Labels(), []Assignment{}
	for _, a := range assignments {
		moved := a
		if labels != nil {
			moved.Label = labels[a.Label]
		}
		if slices.Contains(there, moved.Label) {
			kept = append(kept, moved)
		}
	}
	if slices.Equal(assignments, kept) {
		return nil
	}
	for _, a := range assignments {
		if err := tx.DeleteAssignment(a.RecordingID, a.Label); err != nil {
			return err
		}
	}
	for _, a := range kept {
		if err := tx.PutAssignment(a); err != nil {
			return err
		}
	}
	return nil
}

// ListEdits returns the edits of a recording's transcript, oldest first. Errors: CodeNotFound.
func (e *Engine) ListEdits(ctx context.Context, c Caller, id RecordingID) (edits []Edit, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		if _, _, err := visibleRecording(tx, c, id); err != nil {
			return err
		}
		edits, err = tx.Edits(id)
		return err
	})
	return edits, wrap("ListEdits", err)
}
