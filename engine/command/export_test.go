package command

import "github.com/soundstage-dev/soundstage/engine"

// Arguments are what the program would get for a request, with the names of files alone.
func (t *Transcriber) Arguments(req engine.TranscribeRequest) []string {
	values := valuesOf(req)
	values["wav"], values["dir"] = soundName, "."
	return fill(t.cfg.Args, values)
}
