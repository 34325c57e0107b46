package render

import (
	"embed"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/didyoumean"
)

//go:embed presets/*.yaml
var presetFiles embed.FS

// presetNames are the presets, in the order of docs/clips.md.
var presetNames = []string{
	"bold-pop", "karaoke-pill", "lower-third", "news", "podcast-dark", "podcast-light", "minimal", "big-caps", "two-speakers", "named",
}

// Presets returns the names of the designed styles.
func Presets() []string { return append([]string{}, presetNames...) }

// Preset returns a designed style, or CodeInvalid for an unknown name.
func Preset(name string) (Style, error) {
	if s, ok := presets()[name]; ok {
		return s.clone(), nil
	}
	hint := "Use " + alternatives(presetNames) + "."
	if meant := didyoumean.Suggest(name, presetNames); meant != "" {
		hint = "Did you mean " + meant + "? " + hint
	}
	return Style{}, engine.Errorf(engine.CodeInvalid, "Style", "Unknown preset %.50q.", name).WithHint(hint)
}

// PresetText returns the YAML of a designed style, to start a style file from, or "" for an unknown name.
func PresetText(name string) string {
	text, _ := presetFiles.ReadFile("presets/" + name + ".yaml")
	return string(text)
}

// presets parses the files. They are part of the program, and a test parses each, so a mistake is a panic.
var presets = sync.OnceValue(func() map[string]Style {
	all := map[string]Style{}
	for _, name := range presetNames {
		s, err := parsePreset(PresetText(name))
		if err != nil {
			panic("render: preset " + name + ": " + err.Error())
		}
		all[name] = s
	}
	return all
})

// clone returns a copy that shares nothing.
func (s Style) clone() Style {
	s.Speakers.Colours = append([]Colour(nil), s.Speakers.Colours...)
	s.Background.Colours = append([]Colour(nil), s.Background.Colours...)
	return s
}

// DefaultStyle returns what a style is without a preset: white bold letters with an outline, and a title in a box.
func DefaultStyle() Style {
	return Style{
		Font:      StyleFont{Family: notoSans.family, Weight: 700, Case: "as-spoken"},
		Text:      StyleText{Colour: "#ffffff", Outline: StyleOutline{"#000000", 6}, Shadow: StyleShadow{Colour: "#00000080", Y: 2}, Emoji: true},
		Captions:  StyleCaptionBox{Show: true, Position: "bottom", Align: "centre", Lines: 2, BoxOf: "line", Box: StyleBox{Radius: 16, Padding: 24}},
		Highlight: StyleHighlight{Kind: "none", Scale: 1, Box: StyleBox{Radius: 16, Padding: 12}},
		Motion:    StyleMotion{Entrance: "none", Of: "caption", EntranceMS: 160, Ease: "out"},
		Emphasis:  StyleEmphasis{Scale: 1, Numbers: true, Names: true},
		Speakers:  StyleSpeakers{Paint: "nothing"},
		Title: StyleTitleBox{Show: "always", Seconds: 3, Colour: "#ffffff", Case: "as-written", BoxOf: "line",
			Box: StyleBox{"#000000b0", 18, 24}},
		Progress:   StyleProgressBar{Position: "none", Height: 10, Colour: "#ffffff", Track: "#ffffff40"},
		Logo:       StyleLogo{Corner: "top-right", Width: 140, Margin: 48, Opacity: 1},
		Background: StyleBackground{Kind: "auto", Cover: "square"},
		Wave:       StyleWave{Kind: "bars", Colour: "#ffd700", Rest: "#ffffff50"},
		Cut:        StyleCut{FadeMS: 40, HandleMS: 150},
	}
}

// parsePreset parses a style that names no other preset.
func parsePreset(text string) (Style, error) {
	return parseStyle([]byte(text), func(name string) (Style, error) {
		return Style{}, invalidStyle("A preset can't begin with the preset %s.", name)
	})
}
