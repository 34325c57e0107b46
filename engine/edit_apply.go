package engine

import (
	"slices"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// applyOperations makes operations in a transcript, and returns those that changed something, with their anchors. Errors: CodeInvalid.
func applyOperations(t transcript.Transcript, operations []EditOperation) (transcript.Transcript, []EditOperation, error) {
	var made []EditOperation
	for i, o := range operations {
		if wrong := o.misfit(t); wrong != nil {
			return t, nil, Errorf(CodeInvalid, "", "Operation %d does not fit: %s", i, wrong.Msg).WithHint(wrong.Hint)
		}
		o.Window, o.Changes, o.Dropped = transcript.Window{Start: t.Utterances[o.Utterance].Start, End: t.Utterances[o.Utterance].End}, nil, false
		changed := true
		if t, changed = o.apply(t); changed {
			made = append(made, o)
		}
	}
	return t, made, nil
}

// misfit returns why an operation doesn't fit a transcript, or nil.
func (o EditOperation) misfit(t transcript.Transcript) *Error {
	last := len(t.Utterances) - 1
	if o.Utterance < 0 || o.Utterance > last {
		return Errorf(CodeInvalid, "", "there is no utterance %d; the transcript has %d, counted from 0.", o.Utterance, last+1)
	}
	u := t.Utterances[o.Utterance]
	switch o.Kind {
	case EditSetText, EditRemove:
	case EditSetSpeaker:
		if slices.ContainsFunc(t.Utterances, func(u transcript.Utterance) bool { return u.Speaker == o.Speaker }) {
			return nil
		}
		if next := t.NextLabel(); o.Speaker != next {
			return Errorf(CodeInvalid, "", "there is no speaker label %.100q.", o.Speaker).WithHint("Use a label of the transcript, or " + next + " for a new speaker.")
		}
	case EditMerge:
		if o.Utterance == last {
			return Errorf(CodeInvalid, "", "utterance %d is the last and can't be merged with the next.", last)
		}
		if n := utf8.RuneCountInString(u.Text) + utf8.RuneCountInString(t.Utterances[o.Utterance+1].Text); n > MaxUtteranceText {
			return Errorf(CodeInvalid, "", "the merged utterance is longer than 50,000 characters.")
		}
	case EditSplit:
		if o.Word < 1 || o.Word >= len(u.Words) {
			return Errorf(CodeInvalid, "", "word must be from 1 to %d in utterance %d (got %d).", len(u.Words)-1, o.Utterance, o.Word)
		}
	default:
		return Errorf(CodeInvalid, "", "%.100q is not a kind of operation.", o.Kind).WithHint("Use text, speaker, merge, split, or remove.")
	}
	return nil
}

// apply makes an operation that fits, and sets its anchors. changed is false if the transcript is as before.
func (o *EditOperation) apply(t transcript.Transcript) (_ transcript.Transcript, changed bool) {
	u := t.Utterances[o.Utterance]
	switch o.Kind {
	case EditSetText:
		text := transcript.OneLine(o.Text)
		if text == u.Text {
			return t, false
		}
		t, o.Changes = transcript.SetText(t, o.Utterance, text)
	case EditSetSpeaker:
		if o.Speaker == u.Speaker {
			return t, false
		}
		t = transcript.SetSpeaker(t, o.Utterance, o.Speaker)
	case EditMerge:
		o.Window = transcript.Window{Start: u.End, End: t.Utterances[o.Utterance+1].Start}
		t = transcript.Merge(t, o.Utterance)
	case EditSplit:
		o.Window = transcript.Window{Start: u.Words[o.Word].Start, End: u.Words[o.Word].Start}
		t = transcript.Split(t, o.Utterance, o.Word)
	case EditRemove:
		o.Speaker = u.Speaker
		t = transcript.Remove(t, o.Utterance)
	}
	return t, true
}

// reapply makes an operation again in another transcription of the same media, and sets Dropped. labels has the other labels of the same
// speakers. A text in another language is dropped.
func (o *EditOperation) reapply(t transcript.Transcript, labels map[string]string, sameLanguage bool) transcript.Transcript {
	was := o.Speaker
	if label, known := labels[o.Speaker]; known {
		o.Speaker = label
	}
	ok := true
	switch o.Kind {
	case EditSetText:
		return o.reapplyChanges(t, sameLanguage)
	case EditSetSpeaker:
		t, ok = transcript.SetSpeakerIn(t, o.Window, o.Speaker)
	case EditMerge:
		t, ok = transcript.MergeAt(t, o.Window)
	case EditSplit:
		t, ok = transcript.SplitAt(t, o.Window.Start)
	case EditRemove:
		if t, ok = transcript.RemoveIn(t, o.Window, o.Speaker); !ok && was != o.Speaker { // a later edit may have given the label to another speaker
			if t, ok = transcript.RemoveIn(t, o.Window, was); ok {
				o.Speaker = was
			}
		}
	}
	o.Dropped = !ok
	return t
}

func (o *EditOperation) reapplyChanges(t transcript.Transcript, sameLanguage bool) transcript.Transcript {
	o.Dropped = !sameLanguage && len(o.Changes) > 0
	if !sameLanguage {
		return t
	}
	for _, c := range o.Changes {
		changed, ok := transcript.ReapplyChange(t, c)
		if ok {
			t = changed
		}
		o.Dropped = o.Dropped || !ok
	}
	return t
}
