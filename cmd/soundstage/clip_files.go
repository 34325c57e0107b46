package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/render"
)

// clipFiles are the flags for the files of clips.
type clipFiles struct {
	output         string
	poster         string
	sidecar        string
	preview, draft bool
	force          overwriteFlag
}

// draftSide is the shorter side of a draft in pixels.
const draftSide = 360

// sidecars are the formats of captions next to a clip.
var sidecars = []string{"srt", "vtt"}

// add adds the flags to a command. outputHelp says what the output is by default.
func (c *clipFiles) add(f *pflag.FlagSet, outputHelp string) {
	f.StringVarP(&c.output, "output", "o", "", "`file` to write: .mp4, .mov, .webm, or .gif"+outputHelp)
	f.StringVar(&c.poster, "poster", "", "JPEG `file` for a still of the loudest moment, besides the video; of several clips, the names get numbers")
	f.Var(choice{&c.sidecar, sidecars, "sidecar"}, "sidecar", "`format` of captions next to the clip, with its times: "+joinNames(sidecars))
	f.BoolVar(&c.preview, "preview", false, "write a still JPEG of the loudest moment instead of the video")
	f.BoolVar(&c.draft, "draft", false, fmt.Sprintf("make the shorter side %d pixels, to see a video soon", draftSide))
	c.force.add(f)
}

// check returns CodeInvalid for flags that contradict each other.
func (c clipFiles) check(op string) error {
	extension := strings.ToLower(filepath.Ext(c.poster))
	switch {
	case c.poster == "":
		return nil
	case extension != ".jpg" && extension != ".jpeg":
		return engine.Errorf(engine.CodeInvalid, op, "--poster must end in .jpg or .jpeg (got %q).", c.poster)
	case c.preview:
		return engine.Errorf(engine.CodeInvalid, op, "--poster and --preview contradict each other: both are stills.").WithHint("Leave one of them out.")
	case strings.EqualFold(filepath.Ext(c.output), ".gif"):
		return engine.Errorf(engine.CodeInvalid, op, "--poster is for videos, and %q is a GIF.", c.output).WithHint("Leave it out, or write an .mp4 file.")
	}
	return nil
}

// checkVideo returns CodeInvalid for a file whose extension is no format of videos, unless a still is written instead.
func (c clipFiles) checkVideo(path string) error {
	if c.preview {
		return nil
	}
	_, err := render.ContainerOf(path)
	return err
}

// one returns the files of the one clip that --output names.
func (c clipFiles) one() cutFiles { return c.of(c.output, "") }

// cutFiles are the files of one clip. poster and sidecar are "" for none.
type cutFiles struct{ video, poster, sidecar string }

// of returns the files of a clip whose video has a path. The poster's name gets a suffix. With --preview, video is the JPEG instead.
func (c clipFiles) of(video, suffix string) cutFiles {
	if extension := strings.ToLower(filepath.Ext(video)); c.preview && !slices.Contains([]string{".jpg", ".jpeg"}, extension) {
		video = withExtension(video, ".jpg")
	}
	all := cutFiles{video: video}
	if c.poster != "" {
		all.poster = withExtension(c.poster, suffix+filepath.Ext(c.poster))
	}
	if c.sidecar != "" {
		all.sidecar = withExtension(video, "."+c.sidecar)
	}
	return all
}

// checkFiles reports, before the work, why files of clips can't be written.
func (c clipFiles) checkFiles(op string, inputs []string, clips ...cutFiles) error {
	var outputs []string
	for _, clip := range clips {
		outputs = append(outputs, clip.video, clip.poster, clip.sidecar)
	}
	return cmp.Or(c.checkVideo(clips[0].video), c.force.check(op, inputs, outputs...))
}
