package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/render"
)

// clipFiles are the flags for the files of clips.
type clipFiles struct {
	sidecar        string
	preview, draft bool
	force          overwriteFlag
}

// draftSide is the shorter side of a draft in pixels.
const draftSide = 360

// sidecars are the formats of captions next to a clip.
var sidecars = []string{"srt", "vtt"}

// add adds the flags to a command.
func (c *clipFiles) add(f *pflag.FlagSet) {
	f.Var(choice{&c.sidecar, sidecars, "sidecar"}, "sidecar", "`format` of captions next to the clip, with its times: "+joinNames(sidecars))
	f.BoolVar(&c.preview, "preview", false, "write a still JPEG of the loudest moment instead of the video")
	f.BoolVar(&c.draft, "draft", false, fmt.Sprintf("make the shorter side %d pixels, to see a video soon", draftSide))
	c.force.add(f)
}

// video returns the file to write for a video: with --preview, the JPEG instead.
func (c clipFiles) video(path string) string {
	if extension := strings.ToLower(filepath.Ext(path)); c.preview && extension != ".jpg" && extension != ".jpeg" {
		return withExtension(path, ".jpg")
	}
	return path
}

// checkVideo returns CodeInvalid for a file whose extension is no format of videos, unless a still is written instead.
func (c clipFiles) checkVideo(path string) error {
	if c.preview {
		return nil
	}
	_, err := render.ContainerOf(path)
	return err
}

// captionsOf returns the file of a clip's captions, "" for none.
func (c clipFiles) captionsOf(clip string) string {
	if c.sidecar == "" {
		return ""
	}
	return withExtension(clip, "."+c.sidecar)
}
