package engine

import (
	"context"
	"math"
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
// consent. The engine stores no prints. A person may have several, such as one of a room and one of the telephone, with the same Name.
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
// confirmed. A label may have no suggestion, and a name is suggested for one label at most. Errors: those of PrintVoices; CodeInvalid (a
// voice without consent, or with a broken print).
func (e *Engine) SuggestVoices(ctx context.Context, c Caller, id RecordingID, enrolled []EnrolledVoice) ([]VoiceSuggestion, error) {
	const op = "SuggestVoices"
	var people []enrolledPerson
	for _, v := range enrolled {
		if v.ConsentAt.IsZero() {
			return nil, Errorf(CodeInvalid, op, "The voice of %q has no consent.", v.Name).WithHint("Leave it out, or set ConsentAt if the person agreed.")
		}
		i := slices.IndexFunc(people, func(p enrolledPerson) bool { return p.name == v.Name })
		if i < 0 {
			i, people = len(people), append(people, enrolledPerson{name: v.Name})
		}
		people[i].prints = append(people[i].prints, v.Print)
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
		i, distance, err := e.nearestPerson(v.Print, people)
		if err != nil {
			return nil, wrap(op, err)
		}
		if before, taken := best[i]; i >= 0 && (!taken || distance < before.Distance) {
			best[i] = VoiceSuggestion{Label: v.Label, Name: people[i].name, Distance: distance}
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

// enrolledPerson has the prints of a person.
type enrolledPerson struct {
	name   string
	prints [][]byte
}

// nearestPerson is NearestVoice for people. Only one print of each counts, because two prints of a person are about as near to a third one,
// and a voice between two known ones belongs to no one.
func (e *Engine) nearestPerson(print []byte, people []enrolledPerson) (index int, distance float64, err error) {
	known := make([][]byte, len(people))
	for i, p := range people {
		if known[i], err = e.nearestPrint(print, p.prints); err != nil {
			return -1, 0, err
		}
	}
	return e.printer.NearestVoice(print, known)
}

// nearestPrint returns the nearest of a person's prints that is likely of the same voice, or the first one if none is.
func (e *Engine) nearestPrint(print []byte, prints [][]byte) ([]byte, error) {
	if len(prints) == 1 {
		return prints[0], nil
	}
	nearest, least := prints[0], math.Inf(1)
	for _, p := range prints {
		i, distance, err := e.printer.NearestVoice(print, [][]byte{p})
		if err != nil {
			return nil, err
		}
		if i == 0 && distance < least {
			nearest, least = p, distance
		}
	}
	return nearest, nil
}
