package engine

import (
	"cmp"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// RenderDefaults are the style and the target of renders whose NewRender chooses none. They are stored with each render when it is created, so
// that every process renders it the same.
type RenderDefaults struct {
	// Style is for media of its kind only: a style of videos changes no audiogram, and the other way round.
	Style RenderStyle
	Look  string // a style as data instead of Style, as NewRender.Look
	// Target decides the loudness and where text may be. It doesn't decide the aspect ratio, because clients may rely on AspectVertical.
	Target Target
}

// setRenderDefaults checks the defaults of renders. CodeInvalid; CodeUnavailable when the renderer knows no styles as data.
func (e *Engine) setRenderDefaults(d RenderDefaults) (err error) {
	const op = "Config.Renders"
	switch {
	case d.Style != "" && d.Look != "":
		return Errorf(CodeInvalid, op, "The style of renders is set twice: by name and as data.").WithHint("Set one of Style and Look.")
	case d.Style != "" && !slices.Contains(RenderStyles(), d.Style):
		return Errorf(CodeInvalid, op, "Unknown style %.100q.", d.Style).WithHint("Use one of " + input.Enumerate(RenderStyles()) + ".")
	case len(d.Look) > maxLook:
		return tooLarge(op, d.Look)
	}
	d.Look, err = e.checkLook(op, d.Look)
	e.renders = d
	return cmp.Or(err, wrap(op, d.Target.Validate()))
}

// styleOf returns the style of a render, and its look, "" for none.
func (e *Engine) styleOf(n NewRender, hasVideo bool) (RenderStyle, string) {
	usual := StyleAudiogram
	if hasVideo {
		usual = StyleCaptions
	}
	switch {
	case n.Style != "" || n.Look != "":
		return cmp.Or(n.Style, usual), n.Look
	case e.renders.Style != "" && e.renders.Style.Audiogram() == usual.Audiogram():
		return e.renders.Style, ""
	}
	return usual, e.renders.Look
}
