package engine

import (
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// LabelVoice is the print of the voice of a label of a recording.
type LabelVoice struct {
	Label string
	Print []byte // nil for one who speaks too little
}

// EnrolledVoice is the print of a person's voice. The program that embeds the engine keeps it, and deletes it when the person withdraws the
// consent. The engine stores no prints.
type EnrolledVoice struct {
	Name      string // of the person, or any key of your program
	Print     []byte
	ConsentAt time.Time // when the person agreed to being recognised; required
}

// VoiceSuggestion is an enrolled voice that is likely that of a label.
type VoiceSuggestion struct {
	Label    string
	Name     string  // of the EnrolledVoice
	Distance float64 // 0 for the same print; its scale is that of the Diarizer
}

// PrintVoices returns the print of each label of a recording with a completed transcript, in the order of its labels. It decodes the whole
// media. Enrol a voice only with the person's consent. Errors: CodeNotFound, CodeNotReady (no completed transcript), CodeUnavailable (the
// Diarizer is no VoicePrinter).
func (e *Engine) PrintVoices(ctx context.Context, c Caller, id RecordingID) ([]LabelVoice, error) {
	const op = "PrintVoices"
	if e.printer == nil {
		return nil, Errorf(CodeUnavailable, op, "The diarizer makes no prints of voices.").WithHint("Set Config.Diarizer to one that does: diarize.Diarizer.")
	}
	t, err := e.GetRecordingTranscript(ctx, c, id)
	if err != nil {
		return nil, wrap(op, err)
	}
	labels, turns := t.Transcript.Labels(), []transcript.Turn{}
	for _, u := range t.Transcript.Utterances {
		for _, w := range u.Words {
			turns = append(turns, transcript.Turn{Start: w.Start, End: max(w.Start, w.End), Speaker: slices.Index(labels, u.Speaker), Confidence: 1})
		}
	}
	prints, err := withDeadline(ctx, e, op, t.Recording.Duration, func(ctx context.Context) ([][]byte, error) {
		return e.printVoices(ctx, t.Recording.BlobKey, turns)
	})
	if err != nil {
		return nil, wrap(op, err)
	}
	voices := make([]LabelVoice, len(labels))
	for i, label := range labels {
		voices[i].Label = label
		if i < len(prints) {
			voices[i].Print = prints[i]
		}
	}
	return voices, nil
}

// printVoices asks the Diarizer for the prints of turns of a stored media.
func (e *Engine) printVoices(ctx context.Context, key string, turns []transcript.Turn) ([][]byte, error) {
	src, err := e.source(ctx, key)
	if err != nil {
		return nil, err
	}
	pcm, err := e.media.Decode(ctx, src)
	if err != nil {
		return nil, err
	}
	prints, err := e.printer.PrintVoices(ctx, pcm, turns)
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	return prints, err
}

// SuggestVoices suggests which of the enrolled voices the labels of a recording have. It assigns nothing: AssignSpeaker does, after a person has
// confirmed. A label may have no suggestion, and a voice is suggested for one label at most. Errors: those of PrintVoices; CodeInvalid (a
// voice without consent, or with a broken print).
func (e *Engine) SuggestVoices(ctx context.Context, c Caller, id RecordingID, enrolled []EnrolledVoice) ([]VoiceSuggestion, error) {
	const op = "SuggestVoices"
	known := make([][]byte, len(enrolled))
	for i, v := range enrolled {
		if v.ConsentAt.IsZero() {
			return nil, Errorf(CodeInvalid, op, "The voice of %q has no consent.", v.Name).WithHint("Leave it out, or set ConsentAt if the person agreed.")
		}
		known[i] = v.Print
	}
	voices, err := e.PrintVoices(ctx, c, id)
	if err != nil {
		return nil, wrap(op, err)
	}
	best := map[int]VoiceSuggestion{}
	for _, v := range voices {
		if v.Print == nil {
			continue
		}
		i, distance, err := e.printer.NearestVoice(v.Print, known)
		if err != nil {
			return nil, wrap(op, err)
		}
		if before, taken := best[i]; i >= 0 && (!taken || distance < before.Distance) {
			best[i] = VoiceSuggestion{Label: v.Label, Name: enrolled[i].Name, Distance: distance}
		}
	}
	var out []VoiceSuggestion
	for _, v := range voices {
		for _, s := range best {
			if s.Label == v.Label {
				out = append(out, s)
			}
		}
	}
	return out, nil
}
