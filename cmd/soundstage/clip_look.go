package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// lookFlags are the flags for what a clip looks like.
type lookFlags struct {
	aspect, title, style, snap string
}

// add adds the flags to a command. titleHelp says what the title is by default.
func (l *lookFlags) add(f *pflag.FlagSet, titleHelp string) {
	f.StringVar(&l.aspect, "aspect", string(engine.AspectVertical), "aspect `ratio`: "+joinNames(engine.AspectRatios()))
	f.StringVar(&l.title, "title", "", "`title` to show at the top"+titleHelp)
	f.StringVar(&l.style, "style", "", "`style`: "+joinNames(engine.RenderStyles())+"; a preset: "+joinNames(render.Presets())+
		"; or a YAML file; default captions for video, audiogram for sound")
	f.StringVar(&l.snap, "snap", string(transcript.SnapWord), "what the edges of the part move to: `word` or sentence")
}

// check returns CodeInvalid for values that are wrong whatever the media is.
func (l lookFlags) check(op string) error {
	switch {
	case !slices.Contains(engine.AspectRatios(), engine.AspectRatio(l.aspect)):
		return unknownValue(op, "aspect ratio", l.aspect, engine.AspectRatios())
	case !slices.Contains(transcript.Snappings(), transcript.Snapping(l.snap)):
		return unknownValue(op, "snapping", l.snap, transcript.Snappings())
	}
	_, _, err := parseStyle(op, l.style)
	return err
}

// parseStyle returns the style of a flag: a built-in one, a preset, or that of a file. Files have a folder or an extension in their name.
func parseStyle(op, value string) (engine.RenderStyle, *render.Style, error) {
	if value == "" || slices.Contains(engine.RenderStyles(), engine.RenderStyle(value)) {
		return engine.RenderStyle(value), nil, nil
	}
	if slices.Contains(render.Presets(), value) {
		preset, err := render.Preset(value)
		return "", &preset, err
	}
	if strings.ContainsAny(value, `/\`) || filepath.Ext(value) != "" {
		own, err := render.LoadStyle(value)
		return "", &own, err
	}
	names := append(render.Presets(), strings.Split(joinNames(engine.RenderStyles()), ", ")...)
	return "", nil, engine.Errorf(engine.CodeInvalid, op, "Unknown style %.100q.", value).
		WithHint(meant("", value, names) + "Use one of " + joinNames(engine.RenderStyles()) + "; a preset: " + joinNames(render.Presets()) + "; or a YAML file.")
}

// request returns a request of the renderer with the look. The flags have been checked.
func (l lookFlags) request(op string) (r render.Request, err error) {
	r.Aspect, r.Title = engine.AspectRatio(l.aspect), l.title
	r.Style, r.Look, err = parseStyle(op, l.style)
	return r, err
}
