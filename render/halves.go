package render

import (
	"fmt"

	ffmpeg "github.com/u2takey/ffmpeg-go"

	"github.com/soundstage-dev/soundstage/render/focus"
)

// section is a part of a result that shows one crop, or with a pair, two.
type section struct {
	from, to int // frames; to is after the last one
	pair     *focus.Pair
}

// sectionList returns the sections of the result.
func (p Plan) sectionList() (all []section) {
	end, next := p.frames(), 0
	if p.path == nil {
		return []section{{0, end, nil}}
	}
	for i := range p.path.Pairs {
		pair := &p.path.Pairs[i]
		if pair.From > next {
			all = append(all, section{next, pair.From, nil})
		}
		all, next = append(all, section{pair.From, pair.To, pair}), pair.To
	}
	if len(all) == 0 || next < p.Rate.Frames(p.Duration) {
		all = append(all, section{next, end, nil})
	}
	return all
}

// sections crops the picture to the frame: to one crop, or to two halves while there are two people.
func (p Plan) sections(v *ffmpeg.Stream) *ffmpeg.Stream {
	all := p.sectionList()
	if len(all) == 1 {
		return p.section(v, all[0])
	}
	split := v.Split()
	var parts []*ffmpeg.Stream
	for i, s := range all {
		cut := ffmpeg.KwArgs{"start_frame": s.from}
		if i < len(all)-1 {
			cut["end_frame"] = s.to
		}
		part := split.Get(fmt.Sprint(i)).Filter("trim", nil, cut).Filter("setpts", ffmpeg.Args{"PTS-STARTPTS"})
		parts = append(parts, p.section(part, s))
	}
	// Filter concat counts in microseconds, and captions change at frames. After setpts, ffmpeg 7 doesn't know the rate, and the last frame
	// would have no duration.
	return ffmpeg.Filter(parts, "concat", nil, ffmpeg.KwArgs{"n": len(parts), "v": 1, "a": 0}).
		Filter("settb", ffmpeg.Args{fmt.Sprintf("%d/%d", p.Rate.Den, p.Rate.Num)}).Filter("setpts", ffmpeg.Args{"N"}).
		Filter("fps", ffmpeg.Args{p.Rate.String()})
}

// section crops a part of the picture.
func (p Plan) section(v *ffmpeg.Stream, s section) *ffmpeg.Stream {
	if s.pair == nil {
		return p.sdr(p.scale(p.crop(v, s.from), p.size()))
	}
	split := v.Split()
	var halves []*ffmpeg.Stream
	for i, to := range p.halves() {
		view := s.pair.Views[i]
		crop := split.Get(fmt.Sprint(i)).Filter("crop", nil, ffmpeg.KwArgs{
			"w": fmt.Sprintf("min(iw,ih*%.6f)", s.pair.Height*to.ratio()/p.pixelAspect()), "h": fmt.Sprintf("ih*%.4f", s.pair.Height),
			"x": around("w", "("+middle(shifted(view.X, s.from), true)+")"), "y": around("h", number4(view.Y)), "exact": 1,
		})
		halves = append(halves, p.sdr(p.scale(crop, to)))
	}
	line := max(2, min(p.Width, p.Height)/180&^1)
	if p.Width < p.Height {
		return ffmpeg.Filter(halves, "vstack", nil).Filter("drawbox", nil, ffmpeg.KwArgs{"y": p.halves()[0].h - line/2, "h": line, "color": halfLine, "t": "fill"})
	}
	return ffmpeg.Filter(halves, "hstack", nil).Filter("drawbox", nil, ffmpeg.KwArgs{"x": p.halves()[0].w - line/2, "w": line, "color": halfLine, "t": "fill"})
}

// halfLine is the colour of the line between two halves.
const halfLine = "0x101418"

// halves returns the sizes of two halves of the frame: above each other in a high frame, otherwise side by side.
func (p Plan) halves() [2]size {
	if p.Width < p.Height {
		half := p.Height / 2 &^ 1
		return [2]size{{p.Width, half}, {p.Width, p.Height - half}}
	}
	half := p.Width / 2 &^ 1
	return [2]size{{half, p.Height}, {p.Width - half, p.Height}}
}

// stacked reports whether there are halves above each other: captions are then between them.
func (p Plan) stacked() bool { return p.path != nil && len(p.path.Pairs) > 0 && p.Width < p.Height }

// shifted returns moves whose frames count from another one.
func shifted(moves []focus.Move, from int) []focus.Move {
	out := make([]focus.Move, len(moves))
	for i, m := range moves {
		m.From -= from
		out[i] = m
	}
	return out
}
