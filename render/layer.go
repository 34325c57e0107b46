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

// layer is text that libass draws only when it changes, a few times per second: drawing it into every frame took six times
// as long. A clip's layers have their own transparent canvas and are overlaid on the frames. An audiogram's layers are drawn
// into repeated frames.
type layer struct {
	name        string // name of its files, without extension
	text        string // ASS
	top, height int    // band of the frame that it covers, in pixels, both even; 0 if it is drawn into the frames
	canvas      Colour // of the transparent canvas; "" is black
	changes     []int  // the frames at which it changes, sorted; the first is 0
}

func (l layer) canvasFile() string { return l.name + ".png" }
func (l layer) textFile() string   { return l.name + ".ass" }

// writeCanvas writes the transparent picture that the text is drawn on, as wide as the frame. Antialiased edges mix the
// colours of letter and canvas, so the canvas is black like the letters' outline, or has the colour of the layer.
func (l layer) writeCanvas(w io.Writer, width int) error {
	canvas := image.NewNRGBA(image.Rect(0, 0, width, l.height))
	if c := l.canvas.rgba(); l.canvas != "" {
		c.A = 0
		for i := 0; i < len(canvas.Pix); i += 4 {
			copy(canvas.Pix[i:i+4], []byte{c.R, c.G, c.B, 0})
		}
	}
	return png.Encode(w, canvas)
}

// band returns a layout for a canvas that covers only a part of l's height. It also returns that part's top and height in
// pixels of the frame. above and below are in units of the layout.
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

// titleBand returns the band of a title: two lines of the tallest letters, and the box around them.
func (l layout) titleBand(frame size) (part layout, top, height int) {
	return l.band(frame, float64(l.titleTop)-2*l.titleSize, float64(l.titleTop)+4.5*l.titleSize)
}

// captionBand returns the band of captions: rows of captions with up to lines lines of the tallest letters.
func (l layout) captionBand(frame size, rows, lines int) (part layout, top, height int) {
	above := rowHeight*float64(rows-1) + 1.5*float64(lines) + 0.75
	return l.band(frame, float64(l.captionBottom)-above*l.captionSize, float64(l.captionBottom)+0.6*l.captionSize)
}

// changes returns frame 0 and every frame below frames at which the script's picture changes. It computes a frame's time
// exactly like ffmpeg's filter, to the bit: one frame too early would show the previous text until the next change.
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

// frames returns the number of frames of the result, plus one for rounding.
func (p Plan) frames() int { return int(math.Ceil(p.Duration.Seconds()*p.Rate.perSecond())) + 1 }

// addLayer adds a script as a layer, if it shows anything, and returns its text.
func (p *Plan) addLayer(name string, s *script, top, height int) string {
	text := s.String()
	if text != "" {
		p.layers = append(p.layers, layer{name: name, text: text, top: top, height: height, changes: s.changes(p.Rate, p.frames())})
	}
	return text
}

// overlay overlays a layer on the frames. The layer is drawn in RGB and converted to the frames' colours. Drawn directly into
// YUV frames, it would get the colours of standard definition.
func (p Plan) overlay(v *ffmpeg.Stream, l layer) *ffmpeg.Stream {
	text, over := pngInput(l.canvasFile()).Filter("format", ffmpeg.Args{"gbrap"}), ffmpeg.KwArgs{"format": "yuv420"}
	if len(l.changes) > 1 {
		text = p.selectFrames(l.changes, p.repeatPicture(text))
		over["repeatlast"] = 0 // if the last picture may repeat, the filter copies every frame
	}
	text = text.
		Filter("ass", ffmpeg.Args{l.textFile()}, ffmpeg.MergeKwArgs([]ffmpeg.KwArgs{{"alpha": 1}, p.assOptions()})).
		Filter("scale", nil, ffmpeg.KwArgs{"out_color_matrix": "bt709", "out_range": "tv"}).
		Filter("format", ffmpeg.Args{"yuva420p"})
	return ffmpeg.Filter([]*ffmpeg.Stream{v, text}, "overlay", ffmpeg.Args{fmt.Sprintf("0:%d", l.top)}, over)
}

// repeatPicture returns one picture for every frame of the result, and one frame after its end.
func (p Plan) repeatPicture(v *ffmpeg.Stream) *ffmpeg.Stream {
	if p.still != nil {
		return p.atItsTime(v)
	}
	return v.Filter("loop", nil, ffmpeg.KwArgs{"loop": p.frames(), "size": 1}).
		Filter("settb", ffmpeg.Args{fmt.Sprintf("%d/%d", p.Rate.Den, p.Rate.Num)}).
		Filter("setpts", ffmpeg.Args{"N"})
}

// selectFrames keeps only the frames at which something changes, and the frame after the end, which ends the last one.
func (p Plan) selectFrames(changes []int, v *ffmpeg.Stream) *ffmpeg.Stream {
	if p.still != nil {
		return v
	}
	frames := append(slices.Clone(changes), p.frames())
	slices.Sort(frames)
	return v.Filter("select", nil, ffmpeg.KwArgs{"expr": anyOf(slices.Compact(frames))})
}

// pngInput returns a picture that this package wrote into ffmpeg's working folder.
func pngInput(name string) *ffmpeg.Stream {
	return ffmpeg.Input(fileURL(name), ffmpeg.KwArgs{"format": "png_pipe", "v": "warning", "protocol_whitelist": "file"}).Get("v")
}

// anyOf returns an expression that is nonzero for the given frame numbers, which are sorted. It adds sums of 30 terms each to limit nesting.
// Three and more frames in a row are one term, so that the arguments of a long clip with motion fit into a command line of Windows.
func anyOf(frames []int) string {
	var terms, sums []string
	quote := ""
	for i := 0; i < len(frames); {
		last := i
		for last+1 < len(frames) && frames[last+1] == frames[last]+1 {
			last++
		}
		if last < i+2 {
			terms = append(terms, "not(n-"+strconv.Itoa(frames[i])+")")
			i++
			continue
		}
		quote = "'" // for the commas
		terms = append(terms, fmt.Sprintf("between(n,%d,%d)", frames[i], frames[last]))
		i = last + 1
	}
	for few := range slices.Chunk(terms, 30) {
		sums = append(sums, "("+strings.Join(few, "+")+")")
	}
	return quote + strings.Join(sums, "+") + quote
}

// hundredths rounds a time to 1/100 s, the resolution of a script.
func hundredths(d time.Duration) time.Duration {
	return (max(d, 0) + 5*time.Millisecond) / (10 * time.Millisecond) * (10 * time.Millisecond)
}
