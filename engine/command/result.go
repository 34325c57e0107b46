package command

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

// result is the parsed output of a program.
type result struct {
	language string // as the program writes it: "en", "english"
	segments []speech.Segment
}

// formats are the supported JSON formats, each recognised by its members. Later ones are less specific.
var formats = []struct {
	members []string // at least one is present
	read    func([]byte) (result, error)
}{
	{[]string{"transcription"}, readWhisperCPP},
	{[]string{"utterances"}, readSoundstage},
	{[]string{"segments", "words", "text"}, readWhisper},
}

// read parses the output of a program in any of the formats.
func read(b []byte) (result, error) {
	var members map[string]json.RawMessage
	if err := backend.Decode(b, &members); err != nil {
		return result{}, err
	}
	for _, d := range formats {
		for _, name := range d.members {
			if value, ok := members[name]; ok && string(value) != "null" {
				return d.read(b)
			}
		}
	}
	return result{}, errors.New("the JSON is not in a known transcript format")
}

// firstResult returns the first text that read can parse, and the result. If there is none, it returns the error of the last one.
func firstResult(texts [][]byte) (b []byte, h result, err error) {
	err = errors.New("no JSON found")
	for _, text := range texts {
		if h, err = read(text); err == nil {
			return text, h, nil
		}
		err = fmt.Errorf("%d bytes: %w", len(text), err)
	}
	return nil, result{}, err
}
