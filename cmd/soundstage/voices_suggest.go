package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// hearVoices returns the print of each speaker of a media file, by number. speakers is their number, 0 to find it.
func hearVoices(ctx context.Context, path string, speakers int, longest time.Duration, std streams) ([]diarize.Voice, error) {
	if err := checkMaxDuration(longest); err != nil {
		return nil, err
	}
	m, err := openMedia(ctx, render.FFmpeg{}, path, longest)
	if err != nil {
		return nil, err
	}
	bar := newProgress(std.err, "Listening")
	defer bar.end()
	pcm, err := m.limited.Decode(ctx, m.src)
	if err != nil {
		return nil, err
	}
	turns, err := diarize.Run(ctx, pcm, diarize.Config{Speakers: speakers, Duration: m.info.Duration, Progress: func(done float64) { bar.set(done * 0.7) }})
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	if pcm, err = m.limited.Decode(ctx, m.src); err != nil {
		return nil, err
	}
	voices, err := diarize.Voices(ctx, pcm, turns)
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	return voices, err
}

// enrol adds a voice to the file.
func (o *voicesFlags) enrol(ctx context.Context, name, path, label string, longest time.Duration, std streams) error {
	const op = "voices"
	if name = strings.TrimSpace(name); name == "" {
		return engine.Errorf(engine.CodeInvalid, op, "The name must not be empty.")
	}
	if err := input.CheckLine(op, "name", name); err != nil {
		return err
	}
	enrolled, err := readVoicesIfAny(o.file)
	if err != nil {
		return err
	}
	if indexOfVoice(enrolled, name) >= 0 {
		return engine.Errorf(engine.CodeConflict, op, "A voice is already enrolled as %q.", name).WithHint("Revoke it first: soundstage voices revoke NAME.")
	}
	if len(enrolled) >= maxVoices {
		return engine.Errorf(engine.CodeConflict, op, "The file has %d voices, the most that it can have.", maxVoices).WithHint("Revoke some of them.")
	}
	voices, err := hearVoices(ctx, path, 0, longest, std)
	if err != nil {
		return err
	}
	i, err := chooseVoice(voices, label)
	if err != nil {
		return err
	}
	if voices[i].Spoken() == 0 {
		return engine.Errorf(engine.CodeNoSpeech, op, "%s speaks for less than %s.", transcript.SpeakerLabel(i), diarize.LeastVoice).
			WithHint("Use a longer recording.")
	}
	v := enrolledVoice{Name: name, ConsentAt: time.Now().UTC().Truncate(time.Second), Print: voices[i]}
	if err := writeVoices(o.file, append(enrolled, v)); err != nil {
		return err
	}
	if o.asJSON {
		return json.NewEncoder(std.out).Encode(map[string]any{"name": name, "spoken_ms": v.Print.Spoken().Milliseconds()})
	}
	_, err = fmt.Fprintf(std.out, "The voice of %s is enrolled, from %s of speech.\n", name, v.Print.Spoken().Round(time.Second))
	return err
}

// chooseVoice returns the index of the label, or of the only voice without one.
func chooseVoice(voices []diarize.Voice, label string) (int, error) {
	const op = "voices"
	var labels []string
	for i := range voices {
		labels = append(labels, transcript.SpeakerLabel(i))
	}
	switch {
	case len(voices) == 0:
		return 0, engine.Errorf(engine.CodeNoSpeech, op, "Nobody speaks in the recording.").WithHint("Use another recording.")
	case label != "":
		i := slices.Index(labels, label)
		if i < 0 {
			return 0, engine.Errorf(engine.CodeInvalid, op, "%q is no label of the recording.", label).WithHint("Its labels are " + strings.Join(labels, ", ") + ".")
		}
		return i, nil
	case len(voices) > 1:
		return 0, engine.Errorf(engine.CodeInvalid, op, "%d people speak in the recording.", len(voices)).
			WithHint("Set --speaker to one of " + strings.Join(labels, ", ") + "; `soundstage diarize FILE` shows when they speak.")
	}
	return 0, nil
}

// suggestion is what is suggested for a label.
type voiceSuggestion struct {
	Label    string   `json:"label"`
	Name     string   `json:"name"` // "" for nobody
	Distance *float64 `json:"distance,omitempty"`
	SpokenMS int64    `json:"spoken_ms"`
}

func newVoicesSuggest(std streams) *cobra.Command {
	var o voicesFlags
	var speakers int
	var longest time.Duration
	cmd := &cobra.Command{
		Use:   "suggest FILE",
		Short: "Suggest whose voices a recording has",
		Long: `Finds the speakers of a recording, as “soundstage diarize” does, and prints for each label the enrolled voice that is likely the same, or
nobody. Nothing is assigned: check the suggestion, and give the name yourself. A label with less than 8 s of speech has no suggestion.

Exit codes: 2 wrong flags or no file of voices, 3 no such file, 5 ffmpeg is missing, 6 the media can't be used.`,
		Example: `  soundstage voices suggest meeting.mp4 --voices voices.json
  soundstage library relabel 1 --name "Speaker 0=Ann Lee" --data ./lib`,
		Args: exactArgs(1, "one media file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			enrolled, err := readVoices(o.file)
			if err != nil {
				return err
			}
			voices, err := hearVoices(cmd.Context(), args[0], speakers, longest, std)
			if err != nil {
				return err
			}
			return o.printSuggestions(suggestVoices(voices, enrolled), std)
		},
	}
	o.add(cmd)
	cmd.Flags().IntVar(&speakers, "speakers", 0, "exact number of speakers; 0 to detect it")
	cmd.Flags().DurationVar(&longest, "max-duration", 0, maxDurationHelp)
	return cmd
}

// suggestVoices returns a suggestion for each voice. A name is suggested for at most one label, the nearest.
func suggestVoices(voices []diarize.Voice, enrolled []enrolledVoice) []voiceSuggestion {
	known := make([]diarize.Voice, len(enrolled))
	for i, e := range enrolled {
		known[i] = e.Print
	}
	out, nearest := make([]voiceSuggestion, len(voices)), map[int]int{}
	for i, v := range voices {
		out[i] = voiceSuggestion{Label: transcript.SpeakerLabel(i), SpokenMS: v.Spoken().Milliseconds()}
		at, distance := v.Nearest(known)
		if at < 0 {
			continue
		}
		if before, taken := nearest[at]; taken {
			if *out[before].Distance <= distance {
				continue
			}
			out[before].Name, out[before].Distance = "", nil
		}
		nearest[at] = i
		out[i].Name, out[i].Distance = enrolled[at].Name, &distance
	}
	return out
}

func (o *voicesFlags) printSuggestions(all []voiceSuggestion, std streams) error {
	if o.asJSON {
		for _, s := range all {
			if err := json.NewEncoder(std.out).Encode(s); err != nil {
				return err
			}
		}
		return nil
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(std.out, "No speech found.")
		return err
	}
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "label\tsuggestion\tdistance")
	for _, s := range all {
		switch {
		case s.Name != "":
			fmt.Fprintf(w, "%s\t%s\t%.1f\n", s.Label, s.Name, *s.Distance)
		case s.SpokenMS == 0:
			fmt.Fprintf(w, "%s\ttoo little speech\t\n", s.Label)
		default:
			fmt.Fprintf(w, "%s\tnobody\t\n", s.Label)
		}
	}
	return w.Flush()
}
