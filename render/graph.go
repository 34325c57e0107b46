package render

import (
	"fmt"
	"strconv"

	ffmpeg "github.com/u2takey/ffmpeg-go"
)

// The names of a plan's files in the folder that ffmpeg runs in, so that no path has to be escaped in a filter. Layers have others.
const (
	barsFile       = "bars.ass"
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
	return coloured(p.written(p.fit(v)).Filter("format", ffmpeg.Args{"yuv420p"}))
}

// coloured says on frames what colours they are in: an encoder goes by its frames, and since ffmpeg 7 by no option of its own.
func coloured(v *ffmpeg.Stream) *ffmpeg.Stream {
	return v.Filter("setparams", nil, ffmpeg.KwArgs{"colorspace": "bt709", "color_primaries": "bt709", "color_trc": "bt709", "range": "tv"})
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
	return p.grounded(p.sdr(p.scale(v, whole)))
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

// drawn is the picture of an audiogram. What changes now and then is drawn when it does, and its frame is repeated until it changes again:
// first what changes least. What moves is drawn into each frame.
func (p Plan) drawn(v *ffmpeg.Stream) *ffmpeg.Stream {
	v = p.repeated(v.Filter("scale", nil, ffmpeg.KwArgs{"out_color_matrix": "bt709", "out_range": "tv"}).Filter("format", ffmpeg.Args{"yuv420p"}))
	var changes []int
	for _, l := range p.layers {
		changes = append(changes, l.changes...)
		v = p.at(changes, v).Filter("ass", ffmpeg.Args{l.textFile()}).Filter("fps", ffmpeg.Args{p.Rate.String()})
	}
	if p.Bars != "" {
		v = v.Filter("ass", ffmpeg.Args{barsFile})
	}
	return coloured(v.Filter("setsar", ffmpeg.Args{"1"}))
}

// written is a picture with the plan's layers.
func (p Plan) written(v *ffmpeg.Stream) *ffmpeg.Stream {
	for _, l := range p.layers {
		v = p.lay(v, l)
	}
	return v
}

// encoder are the options of the result: what every player and every platform takes. The fast coder of AAC is, by ffmpeg's
// documentation, better than the other one above 64 kbit/s, and takes half its time.
func (p Plan) encoder(threads int) ffmpeg.KwArgs {
	options := ffmpeg.KwArgs{
		// One thread more than processors keeps them busy while captions are drawn and sound is encoded.
		"format": "mp4", "t": seconds6(p.Duration), "threads": threads + 1, "filter_complex_threads": threads,
		"nostdin": "", "hide_banner": "", "y": "", "nostats": "", "stats_period": 0.25, "progress": "pipe:1",
		// The search of superfast with half the look ahead of veryfast, and no frames between frames: its likeness (SSIM 0.9921 and
		// 0.9917 of a test picture, 0.882 and 0.878 of fractals under noise, 0.839 and 0.838 of noise) in half of its time, for more
		// bytes: 7, 34 and 2 %, and 27 of a test picture on a blurred ground.
		"c:v": "libx264", "preset": "superfast", "crf": 21, "bf": 0, "x264-params": "mbtree=1:rc-lookahead=10:weightp=0",
		"profile:v": "high", "pix_fmt": "yuv420p",
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
