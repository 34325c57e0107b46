package render_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/render"
)

// pngOf returns an empty picture.
func pngOf(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, w, h))))
	return b.Bytes()
}

// wideHeader returns a PNG whose header says that it is 16,000,001 pixels wide.
func wideHeader(t *testing.T) []byte {
	t.Helper()
	b := pngOf(t, 1, 1)
	binary.BigEndian.PutUint32(b[16:], 16_000_001)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return b
}

// Every preset is a valid style whose file has its name, and survives being stored as JSON.
func TestPresets(t *testing.T) {
	t.Parallel()
	require.Len(t, render.Presets(), 10)
	for _, name := range render.Presets() {
		s, err := render.Preset(name)
		require.NoError(t, err)
		require.Equal(t, name, s.Name)
		require.NoError(t, s.Validate(), name)
		stored, err := json.Marshal(s)
		require.NoError(t, err)
		again, err := render.ParseStyle(stored)
		require.NoError(t, err)
		require.Equal(t, s, again)
		copied, err := render.ParseStyle([]byte("preset: " + name))
		require.NoError(t, err)
		require.Equal(t, s, copied)
	}
}

// A style in YAML or JSON changes the members of its preset that it names, and keeps the others.
func TestParseStyle(t *testing.T) {
	t.Parallel()
	want, err := render.Preset("minimal")
	require.NoError(t, err)
	want.Font.Size, want.Text.Colour, want.Speakers.Colours, want.Logo.Data = 70, "#FFEEDD80", []render.Colour{"#112233"}, pngOf(t, 3, 2)
	logo := base64.StdEncoding.EncodeToString(want.Logo.Data)
	for _, text := range []string{
		"font: {size: 70}\npreset: minimal\ntext:\n  colour: '#FFEEDD80'\nspeakers: {colours: ['#112233']}\nlogo: {data: " + logo + "}\n",
		"{\n\t\"preset\": \"minimal\",\n\t\"font\": {\"size\": 70},\"text\":{\"colour\":\"\\u0023FFEEDD80\"},\"speakers\":{\"colours\":[\"#112233\"]},\"logo\":{\"data\":\"" + logo + "\"}}",
	} {
		got, err := render.ParseStyle([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, got)
	}
	empty, err := render.ParseStyle(nil)
	require.NoError(t, err)
	require.Equal(t, render.DefaultStyle(), empty)
}

// What is wrong with a style is said with the member, the value, and what to do.
func TestParseStyleRefuses(t *testing.T) {
	t.Parallel()
	huge := base64.StdEncoding.EncodeToString(append(pngOf(t, 1, 1), make([]byte, 1<<20)...))
	wide := base64.StdEncoding.EncodeToString(wideHeader(t))
	for text, want := range map[string]string{
		"[1]":                                       "A style must be a mapping, not a list.",
		"fonts: {}":                                 "The style has no member \"fonts\" (line 1). Did you mean font?",
		"text:\n  color: red":                       "The style's text has no member \"color\" (line 2). Did you mean colour?",
		"text: {zzz: 1}":                            "The style's text has no member \"zzz\" (line 1). It may have colour, outline, shadow, or emoji.",
		"text: {colour: red}":                       `The style's text.colour must be a colour in quotes, such as "#ffd54a" or, half transparent, "#ffd54a80" (got "red").`,
		"text: {colour: 12}":                        "The style's text.colour must be text, not \"12\" (line 1). Put it in quotes.",
		"font: {size: big}":                         "The style's font.size must be a number, not \"big\" (line 1).",
		"font: {size: .nan}":                        "The style's font.size must be a number, not \".nan\" (line 1).",
		"font: {size: 1e9}":                         "The style's font.size must be from 0 to 300 (got 1000000000).",
		"font: {weight: 1.5}":                       "The style's font.weight must be a whole number, not \"1.5\" (line 1).",
		"font: {italic: maybe}":                     "The style's font.italic must be true or false, not \"maybe\" (line 1).",
		"font: {family: 'a,b'}":                     `The style's font.family must be the name of one family (got a,b).`,
		"font: {family: '{\\b}'}":                   `The style's font.family must be the name of one family (got {\b}).`,
		"font: {data: '!'}":                         "The style's font.data must be a file in base64, not \"!\" (line 1).",
		"font: {data: AAAA}":                        "The style's font.data must be a TrueType or OpenType font (got sfnt: invalid bounds).",
		"logo: {data: AAAA}":                        "The style's logo.data must be a picture: png (got something else).",
		"logo: {data: " + huge + "}":                "The style's logo.data must be at most 1024 KiB (got 1024 KiB).",
		"logo: {data: " + wide + "}":                "The style's logo.data must be of at most 16 megapixels (got 16000001 × 1).",
		"logo: {file: /etc/passwd}":                 "The style's logo.file names a file (\"/etc/passwd\"), which is not read from here. Put the file into logo.data, in base64.",
		"highlight: {kind: pil}":                    `The style's highlight.kind must be none, colour, pill, underline, or fill; did you mean pill? (got "pil").`,
		"speakers: {colours: '#112233'}":            "The style's speakers.colours must be a list of at most 100, not \"#112233\" (line 1).",
		"background: {kind: gradient}":              "The style's background.colours must be two colours for the kind gradient (got 0).",
		"background: {kind: picture}":               "The style's background.data must be a picture for the kind picture (got none).",
		"preset: bold":                              "Unknown preset \"bold\". Use ",
		"cut: {fade_ms: 5}":                         "The style's cut.fade_ms must be from 20 to 80 (got 5).",
		"a: &x 1":                                   "The style isn't valid YAML or JSON: line 1:4: anchors, aliases, tags, and merge keys are not supported.",
		"{":                                         "The style isn't valid YAML or JSON: line 1:1:",
		strings.Repeat("{a: ", 40):                  "nested more than 5 levels deep",
		"name: \"" + strings.Repeat("x", 101) + `"`: "The style's name must be one line of at most 100 bytes (got 101 bytes).",
	} {
		_, err := render.ParseStyle([]byte(text))
		require.Error(t, err, "%.200s", text)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), "%.200s", text)
		var e *engine.Error
		require.ErrorAs(t, err, &e)
		require.Contains(t, e.Msg+" "+e.Hint, want, "%.200s", text)
	}
}

// A style file names its logo relative to itself; the loaded style contains it. A file that is missing, not a file, or too large is refused.
func TestLoadStyle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "style.yaml")
	load := func(text string) (render.Style, error) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return render.LoadStyle(path)
	}
	logo := pngOf(t, 4, 4)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "logo.png"), logo, 0o600))
	s, err := load("logo: {file: logo.png}")
	require.NoError(t, err)
	require.Equal(t, logo, s.Logo.Data)
	require.Empty(t, s.Logo.File)

	large, err := os.Create(filepath.Join(dir, "large.png"))
	require.NoError(t, err)
	require.NoError(t, large.Truncate(100<<20))
	require.NoError(t, large.Close())
	for name, want := range map[string]string{
		"large.png": "it is larger than 1024 KiB", "none.png": "no such file or directory", ".": "it is not a file",
	} {
		_, err := load("logo: {file: " + name + "}")
		require.ErrorContains(t, err, want, name)
	}
	_, err = render.LoadStyle(filepath.Join(dir, "none.yaml"))
	require.ErrorContains(t, err, "The style can't be read: no such file or directory: stat ")
}

// docs/clips.md names every member of a style and every preset.
func TestStyleDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "docs", "clips.md"))
	require.NoError(t, err)
	_, text, _ := strings.Cut(string(page), "## Styles as data")
	var check func(v reflect.Type)
	check = func(v reflect.Type) {
		for i := range v.NumField() {
			f := v.Field(i)
			require.Contains(t, text, "`"+f.Tag.Get("json")+"`", "%s.%s", v.Name(), f.Name)
			if f.Type.Kind() == reflect.Struct {
				check(f.Type)
			}
		}
	}
	check(reflect.TypeFor[render.Style]())
	for _, name := range render.Presets() {
		require.Contains(t, text, "| `"+name+"` |")
		require.NotEmpty(t, render.PresetText(name))
	}
}

// FuzzParseStyle parses styles: none panics, and what is accepted is valid and survives being stored.
func FuzzParseStyle(f *testing.F) {
	for _, name := range render.Presets() {
		f.Add([]byte(render.PresetText(name)))
	}
	f.Add([]byte(`{"preset":"minimal","font":{"size":1e400,"data":"AAEAAAAB"},"speakers":{"colours":[null]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := render.ParseStyle(text)
		if err != nil {
			require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
			return
		}
		stored, err := json.Marshal(s)
		require.NoError(t, err)
		again, err := render.ParseStyle(stored)
		require.NoError(t, err, "%s", stored)
		require.Equal(t, s, again)
	})
}
