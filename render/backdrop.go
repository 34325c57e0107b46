package render

import (
	"fmt"

	ffmpeg "github.com/u2takey/ffmpeg-go"
)

// onBackdrop puts a picture that doesn't fill the frame on an enlarged, blurred and darkened copy of itself.
func (p Plan) onBackdrop(v *ffmpeg.Stream) *ffmpeg.Stream {
	// The backdrop is blurred at 1/12 of the size, where blurring is cheap and looks the same. The gblur filter of ffmpeg 5
	// brightens parts of pictures with fewer than 18 columns when it runs in one thread.
	frame := p.size()
	part := max(1.0/12, 32/float64(min(frame.w, frame.h)))
	small := even(float64(frame.w)*part, float64(frame.h)*part)
	halves := v.Filter("format", ffmpeg.Args{"yuv420p"}).Split()
	backdrop := halves.Get("0").
		Filter("scale", ffmpeg.Args{fmt.Sprintf("%d:%d", small.w, small.h)}, ffmpeg.KwArgs{"force_original_aspect_ratio": "increase", "flags": "area"}).
		Filter("crop", ffmpeg.Args{fmt.Sprintf("%d:%d", small.w, small.h)}).
		Filter("gblur", nil, ffmpeg.KwArgs{"sigma": number(36 * part)}).
		Filter("eq", nil, ffmpeg.KwArgs{"brightness": -0.08}).
		Filter("scale", ffmpeg.Args{fmt.Sprintf("%d:%d", frame.w, frame.h)}, ffmpeg.KwArgs{"flags": "bicubic"}).
		Filter("setsar", ffmpeg.Args{"1"})
	return p.insertInto(halves.Get("1"), backdrop)
}

// insertInto puts the picture into the middle of the backdrop, whose covered part is cropped away. Copying rows takes a fifth
// of the time of the overlay filter, which adds an alpha channel and blends.
func (p Plan) insertInto(picture, backdrop *ffmpeg.Stream) *ffmpeg.Stream {
	frame, whole := p.size(), p.whole
	if whole.w == frame.w {
		above := (frame.h - whole.h) / 4 * 2 // chroma has half the rows
		return p.stack("vstack", picture, backdrop, size{frame.w, above}, size{frame.w, frame.h - whole.h - above})
	}
	left := (frame.w - whole.w) / 4 * 2
	return p.stack("hstack", picture, backdrop, size{left, frame.h}, size{frame.w - whole.w - left, frame.h})
}

// stack joins the start of the backdrop, the picture, and the end of the backdrop. A part of size 0 is left out.
func (p Plan) stack(filter string, picture, backdrop *ffmpeg.Stream, begin, end size) *ffmpeg.Stream {
	frame := p.size()
	cut := func(from *ffmpeg.Stream, to size, x, y int) *ffmpeg.Stream {
		return from.Filter("crop", ffmpeg.Args{fmt.Sprintf("%d:%d:%d:%d", to.w, to.h, x, y)})
	}
	if begin.w*begin.h == 0 {
		return ffmpeg.Filter([]*ffmpeg.Stream{picture, cut(backdrop, end, frame.w-end.w, frame.h-end.h)}, filter, nil)
	}
	copies := backdrop.Split()
	parts := []*ffmpeg.Stream{cut(copies.Get("0"), begin, 0, 0), picture, cut(copies.Get("1"), end, frame.w-end.w, frame.h-end.h)}
	return ffmpeg.Filter(parts, filter, nil, ffmpeg.KwArgs{"inputs": 3})
}
