package command

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Arguments are what the program would get for a request, with the names of files alone.
func (t *Transcriber) Arguments(req engine.TranscribeRequest) []string {
	values := valuesOf(req)
	values["wav"], values["dir"] = soundName, "."
	return fill(t.cfg.Args, values)
}

// Read returns the words of an answer.
func Read(b []byte, duration time.Duration) ([]transcript.Word, error) {
	h, err := read(b)
	return speech.Words(h.segments, speech.Language(h.language), duration), err
}
