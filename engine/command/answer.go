package command

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

// heard is what a program told.
type heard struct {
	language string // as the program calls it
	segments []speech.Segment
}

// dialects are who the members of an answer give away, the most particular first.
var dialects = []struct {
	members []string // of which one is there
	read    func([]byte) (heard, error)
}{
	{[]string{"transcription"}, readWhisperCPP},
	{[]string{"utterances"}, readOurs},
	{[]string{"segments", "words", "text"}, readWhisper},
}

// read reads an answer of any dialect.
func read(b []byte) (heard, error) {
	var members map[string]json.RawMessage
	if err := backend.Decode(b, &members); err != nil {
		return heard{}, err
	}
	for _, d := range dialects {
		for _, name := range d.members {
			if value, ok := members[name]; ok && string(value) != "null" {
				return d.read(b)
			}
		}
	}
	return heard{}, errors.New("the JSON is no transcript that is known")
}

// firstOf returns the first of some texts that is an answer. It says why the last of them was none.
func firstOf(texts [][]byte) (b []byte, h heard, err error) {
	err = errors.New("there is none")
	for _, text := range texts {
		if h, err = read(text); err == nil {
			return text, h, nil
		}
		err = fmt.Errorf("%d bytes: %w", len(text), err)
	}
	return nil, heard{}, err
}
