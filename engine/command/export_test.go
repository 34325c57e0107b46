package command

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Arguments returns the program's arguments for a request, with file names instead of paths.
func (t *Transcriber) Arguments(req engine.TranscribeRequest) []string {
	values := placeholderValues(req)
	values["wav"], values["dir"] = soundName, "."
	return expand(t.cfg.Args, values)
}

// Read returns the words of a program's output.
func Read(b []byte, duration time.Duration) ([]transcript.Word, error) {
	h, err := read(b)
	return speech.Words(h.segments, speech.Language(h.language), duration), err
}
