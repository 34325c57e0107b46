package emulator

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/snapshot"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/didyoumean"
	"github.com/soundstage-dev/soundstage/render"
)

// RenderDefaults are the style and the target of a world's renders. They change how videos look and sound, and nothing that /v1 answers: not
// the style and the aspect ratio of a render.
type RenderDefaults struct {
	Style  string        // an engine.RenderStyle or a preset of package render; "" for the style of each render
	Look   *render.Style // a style as data, instead of Style
	Target engine.Target // "" for none
}

// check returns CodeInvalid for an unknown or invalid style or target.
func (d RenderDefaults) check() error {
	const op = "RenderDefaults"
	if d.Style != "" && d.Look != nil {
		return engine.Errorf(engine.CodeInvalid, op, "The style of renders is set twice: by name and as data.").WithHint("Set one of style and look.")
	}
	known := render.Presets()
	for _, s := range engine.RenderStyles() {
		known = append(known, string(s))
	}
	if d.Style != "" && !slices.Contains(known, d.Style) {
		hint := "Use one of " + strings.Join(known, ", ") + "."
		if meant := didyoumean.Suggest(d.Style, known); meant != "" {
			hint = "Did you mean " + meant + "? " + hint
		}
		return engine.Errorf(engine.CodeInvalid, op, "Unknown style %.100q.", d.Style).WithHint(hint)
	}
	if d.Look != nil {
		if err := d.Look.Validate(); err != nil {
			return err
		}
	}
	return d.Target.Validate()
}

// Engine returns the defaults for the renders of an engine that is no sandbox, which stores them with each render.
func (d RenderDefaults) Engine() (engine.RenderDefaults, error) {
	out := engine.RenderDefaults{Target: d.Target}
	look := d.Look
	if preset, err := render.Preset(d.Style); err == nil {
		look = &preset
	} else {
		out.Style = engine.RenderStyle(d.Style)
	}
	if look == nil {
		return out, nil
	}
	b, err := json.Marshal(look)
	out.Look = string(b)
	return out, err
}

// apply returns the style and the target of a render whose own are given, and the look that replaces its style, if any. A style of videos
// doesn't change audiograms, and the other way round.
func (d RenderDefaults) apply(style engine.RenderStyle, target engine.Target) (engine.RenderStyle, engine.Target, *render.Style) {
	look := d.Look
	if own := engine.RenderStyle(d.Style); slices.Contains(engine.RenderStyles(), own) && own.Audiogram() == style.Audiogram() {
		style = own
	} else if preset, err := render.Preset(d.Style); err == nil {
		look = &preset
	}
	return style, cmp.Or(target, d.Target), look
}

// wire returns the settings for the control API and snapshots.
func (d RenderDefaults) wire() (look json.RawMessage, err error) {
	if d.Look == nil {
		return nil, nil
	}
	return json.Marshal(d.Look)
}

// RenderDefaults implements control.World.
func (w *world) RenderDefaults() (control.RenderDefaults, error) {
	d := *w.renders.Load()
	look, err := d.wire()
	return control.RenderDefaults{Style: &d.Style, Look: look, Target: new(string(d.Target))}, err
}

// SetRenderDefaults implements control.World. Renders that have begun keep what they began with. With a data folder, the defaults are durable.
func (w *world) SetRenderDefaults(set control.RenderDefaults) error {
	w.settingRenders.Lock()
	defer w.settingRenders.Unlock()
	d, err := w.renders.Load().with(set)
	if err != nil {
		return err
	}
	if w.dir != "" {
		if err := writeRenders(w.dir, d); err != nil {
			return err
		}
	}
	w.renders.Store(&d)
	return nil
}

// with returns the defaults with the settings that are set. CodeInvalid.
func (d RenderDefaults) with(set control.RenderDefaults) (RenderDefaults, error) {
	if set.Style != nil {
		d.Style, d.Look = *set.Style, nil
	}
	if set.Look != nil {
		look, err := parseLook(set.Look)
		if err != nil {
			return d, err
		}
		if d.Look = look; look != nil && set.Style == nil {
			d.Style = ""
		}
	}
	if set.Target != nil {
		d.Target = engine.Target(*set.Target)
	}
	return d, d.check()
}

// parseLook parses a style as data; null is none.
func parseLook(text json.RawMessage) (*render.Style, error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	look, err := render.ParseStyle(text)
	return &look, err
}

// snapshotRenders returns the settings for a snapshot; nil for none.
func snapshotRenders(d *RenderDefaults) (*snapshot.Renders, error) {
	if d == nil || *d == (RenderDefaults{}) {
		return nil, nil
	}
	look, err := d.wire()
	return &snapshot.Renders{Style: d.Style, Look: look, Target: string(d.Target)}, err
}

// rendersOf returns the settings of a snapshot; nil for none. CodeInvalid for invalid ones.
func rendersOf(s *snapshot.Renders) (*RenderDefaults, error) {
	if s == nil {
		return nil, nil
	}
	look, err := parseLook(s.Look)
	if err != nil {
		return nil, err
	}
	d := &RenderDefaults{Style: s.Style, Look: look, Target: engine.Target(s.Target)}
	return d, d.check()
}
