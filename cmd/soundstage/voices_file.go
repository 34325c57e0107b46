package main

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	maxVoices     = 1000
	maxVoicesFile = 4 << 20 // 1,000 voices have about 1.4 MB
)

// enrolledVoice is a voice in the file of voices.
type enrolledVoice struct {
	Name      string        `json:"name"`
	ConsentAt time.Time     `json:"consent_at"`
	Print     diarize.Voice `json:"-"`
	Encoded   []byte        `json:"print"` // Print in its binary form
}

// voicesFile is the content of the file of voices.
type voicesFile struct {
	Version int             `json:"version"` // 1
	Voices  []enrolledVoice `json:"voices"`
}

// readVoices reads a file of voices. Errors: CodeNotFound (no file), CodeInvalid (no file of voices).
func readVoices(path string) ([]enrolledVoice, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(io.LimitReader(f, maxVoicesFile+1))
	if err != nil {
		return nil, fileError(path, err)
	}
	invalid := func(why string) error {
		return engine.Errorf(engine.CodeInvalid, "voices", "%s is no file of voices: %s.", path, why).
			WithHint("Name another file with --voices. `soundstage voices enroll` creates one.")
	}
	if len(raw) > maxVoicesFile {
		return nil, invalid("it has more than 4 MiB")
	}
	var file voicesFile
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, invalid(err.Error())
	}
	if file.Version != 1 || len(file.Voices) > maxVoices {
		return nil, invalid("its version isn't 1, or it has more than 1,000 voices")
	}
	for i := range file.Voices {
		v := &file.Voices[i]
		if err := v.Print.UnmarshalBinary(v.Encoded); err != nil || v.Name == "" {
			return nil, invalid("the voice of " + v.Name + " can't be read")
		}
	}
	return file.Voices, nil
}

// readVoicesIfAny is readVoices without an error if there is no file.
func readVoicesIfAny(path string) ([]enrolledVoice, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return readVoices(path)
}

// writeVoices replaces a file of voices. Only its owner can read it.
func writeVoices(path string, voices []enrolledVoice) error {
	for i := range voices {
		raw, err := voices[i].Print.MarshalBinary()
		if err != nil {
			return err
		}
		voices[i].Encoded = raw
	}
	slices.SortFunc(voices, func(a, b enrolledVoice) int { return strings.Compare(a.Name, b.Name) })
	return replaceFileMode(path, 0o600, func(f *os.File) error {
		e := json.NewEncoder(f)
		e.SetIndent("", "  ")
		return e.Encode(voicesFile{Version: 1, Voices: voices})
	})
}

// indexOfVoice returns the index of a name, in any case; -1 for none.
func indexOfVoice(voices []enrolledVoice, name string) int {
	return slices.IndexFunc(voices, func(v enrolledVoice) bool { return transcript.Fold(v.Name) == transcript.Fold(strings.TrimSpace(name)) })
}
