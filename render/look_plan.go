package render

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	ffmpeg "github.com/u2takey/ffmpeg-go"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Names in ffmpeg's working folder.
const (
	rulerFile   = "ruler.ass"
	fontsFolder = "fonts"
)

// newLook returns what draws the plan's Style.
func (p *Plan) newLook(l layout) look {
	r := p.request
	if p.ruler.known == nil {
		p.ruler = ruler{map[string]span{}, map[string]float64{}}
		p.face = faceOf(r.Look.Font, r.Language)
	}
	k := look{
		Style: *r.Look, face: p.face, layout: l, language: r.Language, start: r.Window.Start, length: p.Duration, overlaid: !p.Audiogram,
		ruler: p.ruler, names: r.Names, keys: map[string]bool{}, speakers: map[string]int{},
	}
	k.toLeft, _ = r.toLeft()
	if p.stacked() && k.Captions.Position == "bottom" {
		k.Captions.Position = "middle" // between the halves
	}
	for _, word := range r.KeyWords {
		k.keys[transcript.Fold(word)] = true
	}
	for _, w := range r.Words {
		if _, known := k.speakers[w.Speaker]; !known && w.Speaker != "" {
			k.speakers[w.Speaker] = len(k.speakers)
		}
	}
	return k
}

// lookOf returns a look that knows its sizes, and draws nothing.
func lookOf(s Style, l layout) look { return look{Style: s, layout: l} }

// limits returns the limits of captions that fit.
func (l look) limits() CueLimits {
	style := engine.StyleCaptions
	padX, _ := l.padding()
	narrow := l.layout
	narrow.captionSize = l.captionEm() / emsPerSize
	narrow.side += int(padX)
	if square := l.language == "ja" || l.language == "zh" || l.language == "ko"; !square && (l.Font.Case == "upper" || l.face.file != nil) {
		narrow.captionSize *= 1.15 // wider letters
	}
	limits := narrow.limits(style, l.language)
	limits.Columns, limits.Lines = max(limits.Columns, 6), l.Captions.Lines
	if l.Captions.Words > 0 && l.language.Spaced() {
		limits.Words = l.Captions.Words
	}
	if l.Captions.Words > 0 && !l.language.Spaced() {
		// A word takes about two characters of two columns. Less than six characters would cut words off their endings.
		limits.Columns, limits.Sentences = min(limits.Columns, max(l.Captions.Words*4, 12)), true
	}
	return limits
}

// writeLook writes the layers of a Style.
func (p *Plan) writeLook() {
	p.Notes = slices.DeleteFunc(p.Notes, func(n string) bool { return slices.Contains(p.lookNotes, n) }) // of an earlier pass
	before := len(p.Notes)
	p.layers, p.Bars = nil, ""
	r := p.request
	k := p.newLook(p.layout())
	words, emoji, cut := cleanWords(r.Words, r.Window, k.drawsEmoji)
	title := cleanKeeping(r.Title, maxTitle, k.drawsEmoji)
	if len(words) > 0 && k.Captions.Show {
		p.breakCues(k, words)
	}
	texts, titles := &easel{rate: p.Rate}, &easel{rate: p.Rate}
	if k.title(titles, title.text) || len([]rune(title.text)) > maxTitle {
		p.Notes = append(p.Notes, shortenedTitle)
	}
	k.captions(texts, p.Cues)
	if p.Audiogram {
		p.writeLookAudiogram(k, titles, texts)
	} else {
		p.Title = p.addMarks("title", k, titles)
		p.Captions = p.addMarks("captions", k, texts)
	}
	p.Poster = p.loudest()
	p.note(append(title.emoji, emoji...), cut)
	p.noteFont()
	p.lookNotes = slices.Clone(p.Notes[before:])
}

// noteFont adds a note about scripts that the style's font lacks.
func (p *Plan) noteFont() {
	if len(p.face.lacking) == 0 {
		return
	}
	p.Notes = append(p.Notes, "The style's font lacks some letters; they are shown in "+strings.Join(slices.Sorted(maps.Keys(p.face.lacking)), ", ")+".")
}

// breakCues breaks words into captions.
func (p *Plan) breakCues(k look, words []transcript.Word) {
	r := p.request
	limits := k.limits()
	words = breakable(words, r.Language, widestWord)
	p.Cues = tidyCues(r.Cues(words, r.Language, limits), r.Window, limits, r.Captions.Gap > 0)
	p.ReadingSpeed = captionOptions(r.Captions, r.Language, limits).WithDefaults(r.Language).ReadingSpeed
	p.Fast = fastCues(p.Cues, r.Language, p.ReadingSpeed)
}

// addMarks adds the marks as a layer on a canvas of its own, as high as they need, and returns its text.
func (p *Plan) addMarks(name string, k look, e *easel) string {
	if len(e.marks) == 0 {
		return ""
	}
	const edge = 24 // for outlines and shadows
	top, bottom := e.bounds()
	part, from, height := k.layout.band(p.size(), max(top-edge, 0), min(bottom+edge, float64(k.layout.canvas.h)))
	s := newScript(part, notoSans)
	e.write(s, float64(from)*float64(k.layout.canvas.h)/float64(p.Height))
	text := p.addLayer(name, s, from, height)
	p.layers[len(p.layers)-1].canvas = k.canvasColour()
	return text
}

// canvasColour returns the colour of a layer's transparent canvas, which antialiased edges mix with: that of what is outside.
func (k look) canvasColour() Colour {
	switch {
	case k.Captions.Box.Colour != "":
		return k.Captions.Box.Colour
	case k.Text.Outline.Colour != "" && k.Text.Outline.Width > 0:
		return k.Text.Outline.Colour
	}
	return "#000000"
}

// writeLookAudiogram writes what is drawn into the frames of an audiogram.
func (p *Plan) writeLookAudiogram(k look, titles, texts *easel) {
	base := notoSans
	moving, still, spoken := newScript(k.layout, base), newScript(k.layout, base), newScript(k.layout, base)
	titles.write(still, 0)
	texts.write(spoken, 0)
	k.wave(p, moving, still)
	p.Bars = moving.String()
	p.Still = p.addLayer("still", still, 0, 0)
	p.Captions = p.addLayer("captions", spoken, 0, 0)
}

// assOptions returns the options of every ass filter.
func (p Plan) assOptions() ffmpeg.KwArgs {
	if len(p.face.data) > 0 {
		return ffmpeg.KwArgs{"fontsdir": fontsFolder}
	}
	return ffmpeg.KwArgs{}
}

// writeFont writes the style's font into ffmpeg's folder.
func (p Plan) writeFont(folder string) error {
	if len(p.face.data) == 0 {
		return nil
	}
	folder = filepath.Join(folder, fontsFolder)
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "style.ttf"), p.face.data, 0o600)
}

// measureLook measures the texts of a Style, and plans again with their sizes.
func (f FFmpeg) measureLook(ctx context.Context, op string, p *Plan) error {
	if p.request.Look == nil || len(p.ruler.unknown) == 0 {
		return nil
	}
	folder, err := os.MkdirTemp(f.TempDir, "soundstage-*.render")
	if err != nil {
		return writeError(op, err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if folder, err = filepath.Abs(folder); err != nil {
		return internal(op, err)
	}
	if err := p.writeFont(folder); err != nil {
		return writeError(op, err)
	}
	if err := os.WriteFile(filepath.Join(folder, rulerFile), []byte(p.rulerScript()), 0o600); err != nil {
		return writeError(op, err)
	}
	if err := f.measureTexts(ctx, op, p, folder); err != nil {
		return err
	}
	p.writeLook()
	return nil
}
