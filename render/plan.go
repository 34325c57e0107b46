package render

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render/focus"
)

// Plan is every decision made before ffmpeg runs. The same facts, sound and request give the same plan on any machine.
type Plan struct {
	Width, Height int
	Rate          Rate
	Duration      time.Duration
	Audiogram     bool
	Cues          []Cue         // in media time
	Fast          []Cue         // those of Cues that are too fast to read; captions don't change words, so they are shown as they are
	ReadingSpeed  float64       // that Fast exceeds, in characters per second
	Captions      string        // ASS; of a clip on its own canvas; "" if there are none
	Title         string        // ASS of a clip's title, on its own canvas; "" if there is none
	Bars          string        // ASS of what moves in an audiogram; "" if nothing does
	Still         string        // ASS of the rest of an audiogram, which changes rarely, including its title; "" if there is none
	Poster        time.Duration // the moment of the result to use as its poster: the loudest with a caption
	Notes         []string      // sentences for the user about what could not be shown

	request  Request
	facts    MediaFacts
	measured Sound
	sound    *SoundStream // nil for silence
	cut      cut
	whole    size // size of the whole picture inside the frame
	layers   []layer
	spoken   transcript.Language // as requested; "" if unknown
	chapters []chapter
	cover    bool  // the file will have the picture in coverFile
	ruler    ruler // sizes of texts of a Style
	face     face  // of a Style
	// lookNotes are those of Notes that depend on measured texts.
	lookNotes []string
	path      *focus.Path // of a crop that follows faces; nil for none
	still     *int        // the only frame to show; nil for the whole video
}

// NewPlan decides how to render a request. Errors: CodeInvalid if the request is invalid or its window starts after the end
// of the media; CodeBadMedia if there is neither picture nor audio to show.
func NewPlan(facts MediaFacts, measured Sound, r Request) (Plan, error) {
	const op = "Render"
	spoken := r.Language
	r, err := r.within(facts)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{
		Duration: r.Window.End - r.Window.Start, Audiogram: r.audiogram(facts), request: r, facts: facts, measured: measured, sound: facts.Sound,
		spoken: spoken, chapters: chaptersIn(r.Chapters, r.Window, r.fileTitle()),
	}
	if facts.Audio != nil && facts.Audio.Duration > 0 && r.Window.Start >= facts.Audio.Duration {
		p.sound = nil // the audio has already ended
	}
	if p.Audiogram && facts.Sound == nil {
		fail := engine.Errorf(engine.CodeBadMedia, op, "An audiogram needs sound, and the media has none.")
		if facts.Picture != nil {
			return Plan{}, fail.WithHint("Choose a style that shows the picture.")
		}
		return Plan{}, fail
	}
	frame := frameSize(r, facts)
	if min(frame.w, frame.h) < leastSide {
		return Plan{}, engine.Errorf(engine.CodeInvalid, op, "The picture is too small for a video in its own aspect ratio: %d×%d pixels.", facts.Video.Width, facts.Video.Height).
			WithHint("Choose another aspect ratio.")
	}
	p.Width, p.Height = frame.w, frame.h
	p.cut = cutOf(facts.Format, r.Window.Start, p.Duration)
	p.Rate = Rate{25, 1} // of an audiogram: a wipe that moves one pixel per frame needs no more
	if !p.Audiogram {
		p.Rate = facts.Picture.steadyRate()
		p.whole = fitInside(facts.displayed(), frame)
	}
	if r.container == GIF {
		p.Rate, p.sound = gifRate, nil
	}
	p.write()
	p.noteCrop()
	return p, nil
}

// leastSide is the shorter side of the smallest frame, in pixels: some players don't show smaller ones.
const leastSide = 16

// within returns the request with its defaults, clipped to the media.
func (r Request) within(facts MediaFacts) (Request, error) {
	if facts.Duration > 0 && r.Window.Start >= facts.Duration {
		return r, engine.Errorf(engine.CodeInvalid, "Render", "The window must start before the end of the media, which is %d ms long.", facts.Duration.Milliseconds())
	}
	r = r.withHandles()
	if r.Chapters == nil {
		r.Chapters = facts.Chapters
	}
	if facts.Duration > 0 {
		r.Window.End = min(r.Window.End, facts.Duration)
	}
	return r.withDefaults(facts.shows(r.Window))
}

// withHandles widens the window into the silence around it, as the Style says.
func (r Request) withHandles() Request {
	if r.Look == nil || r.Quiet == (transcript.Window{}) {
		return r
	}
	handle := time.Duration(min(max(r.Look.Cut.HandleMS, 0), 150)) * time.Millisecond
	r.Window.Start = max(r.Window.Start-handle, min(r.Quiet.Start, r.Window.Start), 0)
	r.Window.End = min(r.Window.End+handle, max(r.Quiet.End, r.Window.End))
	return r
}

// shows reports whether the media has a picture in the window.
func (f MediaFacts) shows(w transcript.Window) bool {
	return f.Picture != nil && (f.Picture.Duration == 0 || w.Start < f.Picture.Duration)
}

// audiogram reports whether the result is an audiogram: the request asks for one, or there is no picture.
func (r Request) audiogram(f MediaFacts) bool { return r.Style.Audiogram() || !f.shows(r.Window) }

// steadyRate returns the constant frame rate of the result: the media's own or half of it if that is usual for film, else
// 30.
func (p Picture) steadyRate() Rate {
	const slowest, fastest = 23, 30.01
	own := p.Rate
	if p.Variable && own.perSecond() > 0 {
		return Rate{30, 1}
	}
	if own.perSecond() > fastest {
		own = Rate{own.Num, own.Den * 2}.reduced()
	}
	if own.perSecond() < slowest || own.perSecond() > fastest {
		return Rate{30, 1}
	}
	return own.reduced()
}

// fitInside returns the size of a whole picture scaled into a frame. A picture of nearly the frame's ratio fills it.
func fitInside(picture, frame size) size {
	scale := min(float64(frame.w)/float64(picture.w), float64(frame.h)/float64(picture.h))
	whole := even(float64(picture.w)*scale, float64(picture.h)*scale)
	whole = size{min(whole.w, frame.w), min(whole.h, frame.h)}
	if frame.w-whole.w <= frame.w/100+2 && frame.h-whole.h <= frame.h/100+2 {
		return frame
	}
	return whole
}

// layout returns where everything is in the frame.
func (p Plan) layout() layout {
	l := layoutOf(p.size())
	l = l.within(targetOf(p.request.Target), marksOf(p.request.Look, l.canvas))
	if look := p.request.Look; look != nil && p.Audiogram && look.Wave.Chapters && len(p.chapters) > 0 {
		l = l.withChapters(lookOf(*look, l))
	}
	if p.stacked() {
		l.captionBottom = l.canvas.h/2 + int(1.1*l.captionSize) // the middle of two lines is between the halves
	}
	return l
}

func (p Plan) size() size { return size{p.Width, p.Height} }

// pixelAspect returns the pixel aspect ratio of the rotated picture.
func (p Plan) pixelAspect() float64 {
	if p.facts.Picture.Rotation%180 != 0 {
		return 1 / p.facts.Picture.PixelAspect
	}
	return p.facts.Picture.PixelAspect
}

// write sets every field that is text.
func (p *Plan) write() {
	if p.request.Look != nil {
		p.writeLook()
		return
	}
	r := p.request
	l := p.layout()
	words, emoji, cut := cleanWords(r.Words, r.Window, nil)
	title := clean(r.Title, maxTitle)
	style, letters := r.Style, styleCaption
	if style.Audiogram() {
		style = engine.StyleCaptions
	}
	if p.Audiogram {
		letters = stylePlain
	}
	limits := l.limits(style, r.Language)
	if len(words) > 0 {
		words = breakable(words, r.Language, widestWord)
		p.Cues = tidyCues(r.Cues(words, r.Language, limits), r.Window, limits, r.Captions.Gap > 0)
		p.ReadingSpeed = captionOptions(r.Captions, r.Language, limits).WithDefaults(r.Language).ReadingSpeed
		p.Fast = fastCues(p.Cues, r.Language, p.ReadingSpeed)
	}
	base := baseFont(r.Language)
	c := captionWriter{layout: l, style: style, letters: letters, language: r.Language, start: r.Window.Start}
	c.toLeft, c.mixed = r.toLeft()
	if p.Audiogram {
		p.writeAudiogram(c, title.text, base)
	} else {
		p.writeClip(c, title.text, base)
	}
	if isShortened(r.Title, title.text, l, r.Language) {
		p.Notes = append(p.Notes, shortenedTitle)
	}
	p.Poster = p.loudest()
	p.note(append(title.emoji, emoji...), cut)
}

// writeClip writes what is overlaid on the frames of a clip.
func (p *Plan) writeClip(c captionWriter, title string, base font) {
	part, top, height := c.layout.titleBand(p.size())
	s := newScript(part, base)
	writeTitle(s, part, title, c.language, styleTitle, p.Duration+time.Second)
	p.Title = p.addLayer("title", s, top, height)
	rows, lines := extent(p.Cues)
	c.layout, top, height = c.layout.captionBand(p.size(), rows, lines)
	s = newScript(c.layout, base)
	c.write(s, p.Cues)
	p.Captions = p.addLayer("captions", s, top, height)
}

// writeAudiogram writes what is drawn into the frames of an audiogram.
func (p *Plan) writeAudiogram(c captionWriter, title string, base font) {
	moving, still, spoken := newScript(c.layout, base), newScript(c.layout, base), newScript(c.layout, base)
	writeTitle(still, c.layout, title, c.language, styleHeading, p.Duration+time.Second)
	w := wave{layout: c.layout, cover: p.facts.Cover >= 0, levels: p.measured.Levels, length: p.Duration}
	if p.request.Style == engine.StyleBars {
		w.levelBars(moving)
	} else {
		w.progressBars(moving, still)
	}
	c.write(spoken, p.Cues)
	p.Bars = moving.String()
	p.Still = p.addLayer("still", still, 0, 0)
	p.Captions = p.addLayer("captions", spoken, 0, 0)
}

// widestWord is the most columns of a word in a language without spaces; wider ones are split.
const widestWord = 8

// note adds notes about emoji that were left out, and about a word that was cut.
func (p *Plan) note(emoji []string, cut bool) {
	if cut {
		p.Notes = append(p.Notes, fmt.Sprintf("A word of more than %d characters was shortened.", maxWord))
	}
	if len(emoji) == 0 {
		return
	}
	slices.Sort(emoji)
	kinds := slices.Compact(slices.Clone(emoji))
	p.Notes = append(p.Notes, fmt.Sprintf("Emoji can't be shown and were left out: %s.", strings.Join(kinds[:min(len(kinds), 10)], " ")))
}

// loudest returns the loudest moment of the result that has a caption, or the middle if there are no captions.
func (p *Plan) loudest() time.Duration {
	best, at := -1.0, p.Duration/2
	for _, cue := range p.Cues {
		from, to := cue.Start-p.request.Window.Start, cue.End-p.request.Window.Start
		for i := int(from * LevelsPerSecond / time.Second); i < len(p.measured.Levels); i++ {
			t := time.Duration(i)*time.Second/LevelsPerSecond + 10*time.Millisecond
			if t >= to {
				break
			}
			if t >= from && p.measured.Levels[i] > best {
				best, at = p.measured.Levels[i], t
			}
		}
	}
	return at
}
