package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

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
	if err := decode(b, &members); err != nil {
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

// decode is json.Unmarshal that takes NaN and infinities, which programs in Python print and JSON doesn't have, as null.
func decode(b []byte, v any) error {
	err := json.Unmarshal(b, v)
	if !errors.As(err, new(*json.SyntaxError)) {
		return err
	}
	plain, changed := withoutNaN(b)
	if !changed {
		return err
	}
	return json.Unmarshal(plain, v)
}

// withoutNaN replaces what isn't quoted.
func withoutNaN(b []byte) (plain []byte, changed bool) {
	quoted := false
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '"':
			quoted = !quoted
		case quoted && b[i] == '\\' && i+1 < len(b):
			plain = append(plain, b[i])
			i++
		case !quoted:
			if n := nonNumber(b[i:]); n > 0 {
				plain, changed = append(plain, "null"...), true
				i += n - 1
				continue
			}
		}
		plain = append(plain, b[i])
	}
	return plain, changed
}

// nonNumber returns how long what b begins with is, if that is no number but is written as one.
func nonNumber(b []byte) int {
	if b[0] != 'N' && b[0] != 'I' && b[0] != '-' {
		return 0
	}
	for _, word := range []string{"NaN", "Infinity", "-Infinity", "-NaN"} {
		if bytes.HasPrefix(b, []byte(word)) {
			return len(word)
		}
	}
	return 0
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
