package main

import (
	"github.com/spf13/pflag"
)

// clipFiles are the flags for the files of clips.
type clipFiles struct {
	sidecar string
	force   overwriteFlag
}

// sidecars are the formats of captions next to a clip.
var sidecars = []string{"srt", "vtt"}

// add adds the flags to a command.
func (c *clipFiles) add(f *pflag.FlagSet) {
	f.Var(choice{&c.sidecar, sidecars, "sidecar"}, "sidecar", "`format` of captions next to the clip, with its times: "+joinNames(sidecars))
	c.force.add(f)
}

// captionsOf returns the file of a clip's captions, "" for none.
func (c clipFiles) captionsOf(clip string) string {
	if c.sidecar == "" {
		return ""
	}
	return withExtension(clip, "."+c.sidecar)
}
