package render

import (
	"fmt"
	"strconv"

	ffmpeg "github.com/u2takey/ffmpeg-go"
)

// The names of a plan's files in the folder that ffmpeg runs in, so that no path has to be escaped in a filter. Layers have others.
const (
	barsFile       = "bars.ass"
	stillFile      = "still.ass"
	backgroundFile = "background.png"
)

// Args are ffmpeg's for a plan: in and out are absolute paths, and it runs in the folder that has the plan's files.
func (p Plan) Args(in, out string, threads int) ([]string, error) {
	return compile(func() *ffmpeg.Stream {
		common := ffmpeg.KwArgs{"v": "warning", "threads": threads}
		var media, v *ffmpeg.Stream
		if p.Audiogram {
			v = p.drawn(pngInput(backgroundFile))
			if p.sound != nil {
				media = ffmpeg.Input(fileURL(in), p.cut.input(common))
			}
		} else {
			media = ffmpeg.Input(fileURL(in), p.cut.input(common))
			v = p.filmed(media.Get(strconv.Itoa(p.facts.Picture.Stream)))
		}
		return ffmpeg.Output([]*ffmpeg.Stream{v, p.audible(media)}, fileURL(out), p.encoder(threads))
	})
}

// filmed is the picture of a clip: frames at a steady rate from the window's first moment to its last, in the frame.
func (p Plan) filmed(v *ffmpeg.Stream) *ffmpeg.Stream {
	v = p.cut.picture(v).
		Filter("fps", ffmpeg.Args{p.Rate.String()}, ffmpeg.KwArgs{"start_time": 0}).
		Filter("tpad", nil, ffmpeg.KwArgs{"stop": -1, "stop_mode": "clone"}) // a picture that ends before the sound stays
	return p.written(p.fit(v)).Filter("format", ffmpeg.Args{"yuv420p"})
}

// fit brings a picture to the size of the frame.
func (p Plan) fit(v *ffmpeg.Stream) *ffmpeg.Stream {
	frame, whole := p.size(), p.whole
	switch {
	case whole == frame:
		return p.sdr(p.scale(v, frame))
	case p.request.Fit == Crop:
		ratio := frame.ratio() / p.pixelAspect()
		v = v.Filter("crop", nil, ffmpeg.KwArgs{
			"w": fmt.Sprintf("min(iw,ih*%.6f)", ratio), "h": fmt.Sprintf("min(ih,iw/%.6f)", ratio),
		})
		return p.sdr(p.scale(v, frame))
	case p.request.Fit == Pad:
		return p.sdr(p.scale(v, whole)).
			Filter("pad", ffmpeg.Args{fmt.Sprintf("%d:%d:-1:-1", frame.w, frame.h)}, ffmpeg.KwArgs{"color": "0x101418"})
	}
	// The ground is blurred at a twelfth of the size, where it costs next to nothing, and looks the same. The gblur filter of ffmpeg 5
	// brightens parts of pictures that have fewer than 18 columns, when it runs in one thread.
	part := max(1.0/12, 32/float64(min(frame.w, frame.h)))
	small := even(float64(frame.w)*part, float64(frame.h)*part)
	halves := p.sdr(p.scale(v, whole)).Filter("format", ffmpeg.Args{"yuv420p"}).Split()
	ground := halves.Get("0").
		Filter("scale", ffmpeg.Args{fmt.Sprintf("%d:%d", small.w, small.h)}, ffmpeg.KwArgs{"force_original_aspect_ratio": "increase", "flags": "area"}).
		Filter("crop", ffmpeg.Args{fmt.Sprintf("%d:%d", small.w, small.h)}).
		Filter("gblur", nil, ffmpeg.KwArgs{"sigma": number(36 * part)}).
		Filter("eq", nil, ffmpeg.KwArgs{"brightness": -0.08}).
		Filter("scale", ffmpeg.Args{fmt.Sprintf("%d:%d", frame.w, frame.h)}, ffmpeg.KwArgs{"flags": "bicubic"}).
		Filter("setsar", ffmpeg.Args{"1"})
	return p.between(halves.Get("1"), ground)
}

// between puts the picture into the middle of the ground, of which what is covered is cut away: copying rows takes a fifth of the time
// that the overlay filter takes, which gives the picture an opacity first and then blends it.
func (p Plan) between(picture, ground *ffmpeg.Stream) *ffmpeg.Stream {
	frame, whole := p.size(), p.whole
	if whole.w == frame.w {
		above := (frame.h - whole.h) / 4 * 2 // colours have a half of the rows
		return p.stacked("vstack", picture, ground, size{frame.w, above}, size{frame.w, frame.h - whole.h - above})
	}
	left := (frame.w - whole.w) / 4 * 2
	return p.stacked("hstack", picture, ground, size{left, frame.h}, size{frame.w - whole.w - left, frame.h})
}

// stacked is the picture between the beginning and the end of the ground, of these sizes; one of no size is left out.
func (p Plan) stacked(filter string, picture, ground *ffmpeg.Stream, begin, end size) *ffmpeg.Stream {
	frame := p.size()
	cut := func(from *ffmpeg.Stream, to size, x, y int) *ffmpeg.Stream {
		return from.Filter("crop", ffmpeg.Args{fmt.Sprintf("%d:%d:%d:%d", to.w, to.h, x, y)})
	}
	if begin.w*begin.h == 0 {
		return ffmpeg.Filter([]*ffmpeg.Stream{picture, cut(ground, end, frame.w-end.w, frame.h-end.h)}, filter, nil)
	}
	copies := ground.Split()
	parts := []*ffmpeg.Stream{cut(copies.Get("0"), begin, 0, 0), picture, cut(copies.Get("1"), end, frame.w-end.w, frame.h-end.h)}
	return ffmpeg.Filter(parts, filter, nil, ffmpeg.KwArgs{"inputs": 3})
}

// scale brings a picture to a size, with square pixels, and to the colours that the result says it has.
func (p Plan) scale(v *ffmpeg.Stream, to size) *ffmpeg.Stream {
	options := ffmpeg.KwArgs{"flags": "bicubic"}
	if !p.facts.Picture.HDR() {
		options["in_color_matrix"], options["out_color_matrix"], options["out_range"] = p.matrix(), "bt709", "tv"
	}
	return v.Filter("scale", ffmpeg.Args{fmt.Sprintf("%d:%d", to.w, to.h)}, options).Filter("setsar", ffmpeg.Args{"1"})
}

// matrix is what the picture's colours are made with. Where nothing says so it goes by the height, as players do.
func (p Plan) matrix() string {
	switch m := p.facts.Picture.Matrix; {
	case m == "smpte170m", m == "bt470bg":
		return "bt601"
	case m == "bt2020nc", m == "bt2020c":
		return "bt2020"
	case m == "smpte240m":
		return "smpte240m"
	case m == "bt709", p.facts.Video.Height >= 720:
		return "bt709"
	}
	return "bt601"
}

// sdr maps a picture of high dynamic range to what any screen can show.
func (p Plan) sdr(v *ffmpeg.Stream) *ffmpeg.Stream {
	if !p.facts.Picture.HDR() {
		return v
	}
	return v.Filter("zscale", nil, ffmpeg.KwArgs{"t": "linear", "npl": 100}).
		Filter("format", ffmpeg.Args{"gbrpf32le"}).
		Filter("zscale", nil, ffmpeg.KwArgs{"p": "bt709"}).
		Filter("tonemap", nil, ffmpeg.KwArgs{"tonemap": "hable", "desat": 0}).
		Filter("zscale", nil, ffmpeg.KwArgs{"t": "bt709", "m": "bt709", "r": "tv"}).
		Filter("format", ffmpeg.Args{"yuv420p"})
}

// drawn is the picture of an audiogram: what doesn't move is drawn a few times and repeated.
func (p Plan) drawn(v *ffmpeg.Stream) *ffmpeg.Stream {
	v = v.Filter("scale", nil, ffmpeg.KwArgs{"out_color_matrix": "bt709", "out_range": "tv"}).
		Filter("format", ffmpeg.Args{"yuv420p"}).
		Filter("loop", nil, ffmpeg.KwArgs{"loop": -1, "size": 1}).
		Filter("settb", ffmpeg.Args{"1/1000"}).
		Filter("setpts", ffmpeg.Args{fmt.Sprintf("(N*%s+%s)/TB", seconds6(p.Duration/stills), seconds6(stillDelay))})
	v = p.burn(v, stillFile, p.Still).
		Filter("fps", ffmpeg.Args{p.Rate.String()}, ffmpeg.KwArgs{"start_time": 0})
	return p.burn(p.written(v), barsFile, p.Bars).Filter("setsar", ffmpeg.Args{"1"}) // in this order a frame is copied once
}

// written is a picture with the plan's layers.
func (p Plan) written(v *ffmpeg.Stream) *ffmpeg.Stream {
	for _, l := range p.layers {
		v = p.lay(v, l)
	}
	return v
}

// burn draws an ASS file into the picture; an empty one costs nothing.
func (p Plan) burn(v *ffmpeg.Stream, name, text string) *ffmpeg.Stream {
	if text == "" {
		return v
	}
	return v.Filter("ass", ffmpeg.Args{name})
}

// encoder are the options of the result: what every player and every platform takes. The fast coder of AAC is, by ffmpeg's
// documentation, better than the other one above 64 kbit/s, and takes half its time.
func (p Plan) encoder(threads int) ffmpeg.KwArgs {
	options := ffmpeg.KwArgs{
		// One thread more than processors keeps them busy while captions are drawn and sound is encoded.
		"format": "mp4", "t": seconds6(p.Duration), "threads": threads + 1, "filter_complex_threads": threads,
		"nostdin": "", "hide_banner": "", "y": "", "nostats": "", "stats_period": 0.25, "progress": "pipe:1",
		// The search of superfast with half the look ahead of veryfast, and no frames between frames: its likeness (SSIM 0.9921 and
		// 0.9917 of a test picture, 0.882 and 0.878 of fractals under noise, 0.839 and 0.838 of noise) in half of its time, for 2 to
		// 7 % more bytes, of fractals a third.
		"c:v": "libx264", "preset": "superfast", "crf": 21, "bf": 0, "x264-params": "mbtree=1:rc-lookahead=10:weightp=0",
		"profile:v": "high", "pix_fmt": "yuv420p",
		"colorspace": "bt709", "color_primaries": "bt709", "color_trc": "bt709",
		"c:a": "aac", "aac_coder": "fast", "b:a": "128k", "ar": 48000, "ac": 2, "movflags": "+faststart",
		"map_metadata": -1, "map_chapters": -1, "fflags": "+bitexact", "sn": "", "dn": "",
	}
	if p.Audiogram {
		// Hardly anything moves, and never by a part of a pixel: at a steady quantizer without a look at the frames ahead, this is
		// nearer to the frames than veryfast at CRF 21 (SSIM 0.9992 and 0.9989), in half of its time.
		delete(options, "crf")
		options["qp"], options["x264-params"] = 20, "subme=0:weightp=0:scenecut=0"
	}
	return options
}
