package render

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	ffmpeg "github.com/u2takey/ffmpeg-go"
)

// ruler knows the sizes of texts as libass draws them, and estimates those that weren't measured yet. Its texts are markup at rulerSize.
type ruler struct {
	known   map[string]span
	unknown map[string]float64 // texts to measure, and their estimated widths in ems
}

// span is the size of a text at rulerSize: the width of its line, and where its letters begin and end above and below the line's middle.
type span struct{ width, above, below float64 }

// rulerSize is the size of measured texts, in pixels per em.
const rulerSize = 60

// of returns the size of a text at a size.
func (r ruler) of(text, markup string, size float64) span {
	s, ok := r.known[markup]
	if !ok {
		ems := textWidth(text)
		r.unknown[markup] = ems
		s = span{ems * rulerSize, 0.42 * rulerSize, 0.34 * rulerSize}
	}
	part := size / rulerSize
	return span{s.width * part, s.above * part, s.below * part}
}

// Texts are measured in rows of frames, at half size: first the box of each line, whose width includes the space around letters, and then
// the letters.
const (
	rulerRows  = 32
	rulerPitch = 200                    // of rows
	rulerWidth = 2400                   // wider texts count as this wide
	rulerEdge  = 40                     // left of a text, and from its middle to the top of its row
	rulerBox   = 4                      // border of a box, since libass draws no box without
	rulerFrame = 500 * time.Millisecond // length of a frame
)

// measureTexts measures the texts that a plan needs.
func (f FFmpeg) measureTexts(ctx context.Context, op string, p *Plan, folder string) error {
	texts := slices.Sorted(maps.Keys(p.ruler.unknown))
	if len(texts) == 0 {
		return nil
	}
	program, err := f.ffmpeg(op)
	if err != nil {
		return err
	}
	frames := (len(texts) + rulerRows - 1) / rulerRows * 2
	width, height := rulerWidth/2, rulerRows*rulerPitch/2
	args, err := compile(func() *ffmpeg.Stream {
		source := fmt.Sprintf("color=c=black:s=%dx%d:r=2:d=%s", width, height, seconds6(time.Duration(frames)*rulerFrame))
		return ffmpeg.Input(source, ffmpeg.KwArgs{"format": "lavfi", "v": "warning", "nostdin": "", "hide_banner": ""}).
			Filter("format", ffmpeg.Args{"rgb24"}).
			Filter("ass", ffmpeg.Args{rulerFile}, p.assOptions()).
			Filter("format", ffmpeg.Args{"gray"}).
			Output("pipe:1", ffmpeg.KwArgs{"format": "rawvideo", "pix_fmt": "gray"})
	})
	if err != nil {
		return internal(op, err)
	}
	process, err := f.launch(ctx, command{program: program, args: args, folder: folder, errors: io.Discard})
	if err != nil {
		return startError(ctx, op, err)
	}
	defer process.close()
	boxes, letters := make([]byte, width*height), make([]byte, width*height)
	for from := 0; from < len(texts); from += rulerRows {
		if _, err := io.ReadFull(process, boxes); err != nil {
			break // renderFailure says why
		}
		if _, err := io.ReadFull(process, letters); err != nil {
			break
		}
		for i, text := range texts[from:min(from+rulerRows, len(texts))] {
			row := func(frame []byte) []byte { return frame[i*rulerPitch/2*width : (i+1)*rulerPitch/2*width] }
			if s, ok := readSpan(row(boxes), row(letters), width); ok {
				p.ruler.known[text] = s
				delete(p.ruler.unknown, text)
			}
		}
	}
	return failure(op, process, process.wait(), localFile{}, false)
}

// readSpan reads the size of a text from two rows.
func readSpan(box, letters []byte, width int) (s span, ok bool) {
	left, _, right, _, ok := lit(box, width)
	if !ok {
		return span{}, false
	}
	s.width = max(float64(right+1-left)*2-2*rulerBox, 1)
	if _, top, _, bottom, ok := lit(letters, width); ok {
		s.above, s.below = float64(rulerPitch/2-top*2), float64((bottom+1)*2-rulerPitch/2)
	}
	return s, true
}

// lit returns the bounds of the light pixels of a picture.
func lit(pixels []byte, width int) (left, top, right, bottom int, ok bool) {
	left, top = width, len(pixels)
	for y := range len(pixels) / width {
		for x, v := range pixels[y*width : (y+1)*width] {
			if v > 110 {
				left, top, right, bottom, ok = min(left, x), min(top, y), max(right, x), max(bottom, y), true
			}
		}
	}
	return left, top, right, bottom, ok
}

// spacing returns the commands for the space between letters at rulerSize.
func (p Plan) spacing() string { return look{Style: *p.request.Look}.spacing(1) }

// rulerScript returns the ASS file of the texts to measure.
func (p Plan) rulerScript() string {
	s := newScript(layout{canvas: size{rulerWidth, rulerRows * rulerPitch}}, notoSans)
	s.styles = []string{
		"Style: Box,Noto Sans,60,&HFFFFFFFF,&HFFFFFFFF,&H00FFFFFF,&HFF000000,0,0,0,0,100,100,0,0,3," + strconv.Itoa(rulerBox) + ",0,4,0,0,0,-1",
		"Style: Letters,Noto Sans,60,&H00FFFFFF,&H00FFFFFF,&HFF000000,&HFF000000,0,0,0,0,100,100,0,0,1,0,0,4,0,0,0,-1",
	}
	for i, text := range slices.Sorted(maps.Keys(p.ruler.unknown)) {
		at := time.Duration(i/rulerRows*2) * rulerFrame
		for _, style := range []string{"Box", "Letters"} {
			s.add(0, at, at+rulerFrame, style, fmt.Sprintf(`{\an4\pos(%d,%d)%s}%s`, rulerEdge, i%rulerRows*rulerPitch+rulerPitch/2, p.spacing(), text))
			at += rulerFrame
		}
	}
	return s.String()
}
