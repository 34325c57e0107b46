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
	aspect, title, style, snap, target, focus string
}

// add adds the flags to a command. titleHelp says what the title is by default.
func (l *lookFlags) add(f *pflag.FlagSet, titleHelp string) {
	f.StringVar(&l.target, "for", "", "`target` that decides the aspect ratio, the loudness, and where text may be: "+joinNames(engine.Targets()))
	f.StringVar(&l.aspect, "aspect", "", "aspect `ratio`: "+joinNames(engine.AspectRatios())+"; default the target's, otherwise 9:16")
	f.StringVar(&l.focus, "focus", noFocus, "`point` that stays in the frame of a cropped picture: auto, both, centre, two shares such as 0.3,0.5, or none, which doesn't crop")
	f.StringVar(&l.title, "title", "", "`title` to show at the top"+titleHelp)
	f.StringVar(&l.style, "style", "", "`style`: "+joinNames(engine.RenderStyles())+"; a preset: "+joinNames(render.Presets())+
		"; or a YAML file; default captions for video, audiogram for sound")
	f.StringVar(&l.snap, "snap", "", "`unit` that the edges of a part move to: "+joinNames(transcript.Snappings())+"; default sentence for suggestions, otherwise word")
}

// noFocus is the value of --focus that doesn't crop.
const noFocus = "none"

// focused returns what stays in the frame, "" for everything.
func (l lookFlags) focused() engine.Focus {
	if l.focus == noFocus {
		return ""
	}
	return engine.Focus(l.focus)
}

// check returns CodeInvalid for values that are wrong whatever the media is.
func (l lookFlags) check(op string) error {
	switch {
	case l.target != "" && !slices.Contains(engine.Targets(), engine.Target(l.target)):
		return unknownValue(op, "target", l.target, engine.Targets())
	case l.focused().Validate() != nil:
		return engine.Errorf(engine.CodeInvalid, op, "Unknown focus %.40q.", l.focus).
			WithHint(meant("", l.focus, []engine.Focus{engine.FocusAuto, engine.FocusBoth, engine.FocusCentre, noFocus}) + "Use auto, both, centre, none, or two numbers from 0 to 1, from the left and from the top: 0.3,0.5.")
	case l.aspect != "" && !slices.Contains(engine.AspectRatios(), engine.AspectRatio(l.aspect)):
		return unknownValue(op, "aspect ratio", l.aspect, engine.AspectRatios())
	case l.snap != "" && !slices.Contains(transcript.Snappings(), transcript.Snapping(l.snap)):
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
	r.Aspect, r.Title, r.Target, r.Focus = engine.AspectRatio(l.aspect), l.title, engine.Target(l.target), l.focused()
	r.Style, r.Look, err = parseStyle(op, l.style)
	return r, err
}
