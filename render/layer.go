package render

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	ffmpeg "github.com/u2takey/ffmpeg-go"
)

// layer is text that libass draws only when it changes, a few times in a second: drawing it into each frame took six times as long. A
// clip's is on a canvas of its own, with nothing behind it, and is laid over the frames. An audiogram's is drawn into frames that are
// repeated.
type layer struct {
	name        string // of its files, without their endings
	text        string // ASS
	top, height int    // of the band of the frame that it is laid over, in pixels, both even; 0 where it is drawn into frames
	changes     []int  // the frames at which it becomes another, sorted; the first is 0
}

func (l layer) canvasFile() string { return l.name + ".png" }
func (l layer) textFile() string   { return l.name + ".ass" }

// writeCanvas writes the picture that its text is drawn on: transparent, as wide as the frame. An edge of a letter is of a colour between
// the letter's and the canvas's, so that the canvas is black: letters have a black outline.
func (l layer) writeCanvas(w io.Writer, width int) error {
	return png.Encode(w, image.NewNRGBA(image.Rect(0, 0, width, l.height)))
}

// band returns a layout for a canvas that is only a part of another's height, and where that part begins and how high it is
// in pixels of the frame. Above and below are in the layout's own units.
func (l layout) band(frame size, above, below float64) (part layout, top, height int) {
	scale := float64(frame.h) / float64(l.canvas.h)
	top = max(0, int(above*scale)) &^ 1
	bottom := min(frame.h, int(math.Ceil(below*scale))+1) &^ 1
	part, height = l, bottom-top
	part.canvas.h = int(math.Round(float64(height) / scale))
	up := int(math.Round(float64(top) / scale))
	part.captionBottom -= up
	part.titleTop -= up
	return part, top, height
}

// titleBand has room for a title of two lines of the highest letters and the box around them.
func (l layout) titleBand(frame size) (part layout, top, height int) {
	return l.band(frame, float64(l.titleTop)-2*l.titleSize, float64(l.titleTop)+4.5*l.titleSize)
}

// captionBand has room for captions of some lines of the highest letters, in one row or two.
func (l layout) captionBand(frame size, rows, lines int) (part layout, top, height int) {
	above := rowHeight*float64(rows-1) + 1.5*float64(lines) + 0.75
	return l.band(frame, float64(l.captionBottom)-above*l.captionSize, float64(l.captionBottom)+0.6*l.captionSize)
}

// changes returns the frames at which what a script shows changes, of so many, and frame 0. It computes a frame's time as ffmpeg's
// filter does, to the bit: a frame too early would show what was before until the next change.
func (s *script) changes(rate Rate, frames int) []int {
	perFrame := float64(rate.Den) / float64(rate.Num)
	at := func(n int) int64 { return int64(float64(n) * perFrame * 1000) }
	changes := []int{0}
	for _, t := range s.times {
		n := max(0, int(t.Seconds()/perFrame)-1)
		for at(n) < t.Milliseconds() {
			n++
		}
		if n < frames {
			changes = append(changes, n)
		}
	}
	slices.Sort(changes)
	return slices.Compact(changes)
}

// frames is how many frames the result has, and one more for what is rounded.
func (p Plan) frames() int { return int(math.Ceil(p.Duration.Seconds()*p.Rate.perSecond())) + 1 }

// addLayer adds a script as a layer, if it shows anything, and returns its text.
func (p *Plan) addLayer(name string, s *script, top, height int) string {
	text := s.String()
	if text != "" {
		p.layers = append(p.layers, layer{name: name, text: text, top: top, height: height, changes: s.changes(p.Rate, p.frames())})
	}
	return text
}

// lay lays a layer over the frames. It is drawn in RGB, from where it comes into the frames' own colours: drawn into them, it would have
// those of a film of standard definition.
func (p Plan) lay(v *ffmpeg.Stream, l layer) *ffmpeg.Stream {
	text, over := pngInput(l.canvasFile()).Filter("format", ffmpeg.Args{"gbrap"}), ffmpeg.KwArgs{"format": "yuv420"}
	if len(l.changes) > 1 {
		text = p.at(l.changes, p.repeated(text))
		over["repeatlast"] = 0 // for a layer whose last picture may be repeated, the filter copies each frame
	}
	text = text.
		Filter("ass", ffmpeg.Args{l.textFile()}, ffmpeg.KwArgs{"alpha": 1}).
		Filter("scale", nil, ffmpeg.KwArgs{"out_color_matrix": "bt709", "out_range": "tv"}).
		Filter("format", ffmpeg.Args{"yuva420p"})
	return ffmpeg.Filter([]*ffmpeg.Stream{v, text}, "overlay", ffmpeg.Args{fmt.Sprintf("0:%d", l.top)}, over)
}

// repeated is one picture for as many frames as the result has, and one behind its end.
func (p Plan) repeated(v *ffmpeg.Stream) *ffmpeg.Stream {
	return v.Filter("loop", nil, ffmpeg.KwArgs{"loop": p.frames(), "size": 1}).
		Filter("settb", ffmpeg.Args{fmt.Sprintf("%d/%d", p.Rate.Den, p.Rate.Num)}).
		Filter("setpts", ffmpeg.Args{"N"})
}

// at leaves only the frames at which something changes, and the one behind the end, up to which the last of them lasts.
func (p Plan) at(changes []int, v *ffmpeg.Stream) *ffmpeg.Stream {
	frames := append(slices.Clone(changes), p.frames())
	slices.Sort(frames)
	return v.Filter("select", nil, ffmpeg.KwArgs{"expr": anyOf(slices.Compact(frames))})
}

// pngInput is a picture of ours in the folder that ffmpeg runs in.
func pngInput(name string) *ffmpeg.Stream {
	return ffmpeg.Input(fileURL(name), ffmpeg.KwArgs{"format": "png_pipe", "v": "warning", "protocol_whitelist": "file"}).Get("v")
}

// anyOf is an expression that isn't 0 for the frames of some numbers. It is made of sums of a few, so that none nests deeply.
func anyOf(frames []int) string {
	var sums []string
	for few := range slices.Chunk(frames, 30) {
		terms := make([]string, len(few))
		for i, n := range few {
			terms[i] = "not(n-" + strconv.Itoa(n) + ")"
		}
		sums = append(sums, "("+strings.Join(terms, "+")+")")
	}
	return strings.Join(sums, "+")
}

// hundredths returns a time as a script has it.
func hundredths(d time.Duration) time.Duration {
	return (max(d, 0) + 5*time.Millisecond) / (10 * time.Millisecond) * (10 * time.Millisecond)
}
