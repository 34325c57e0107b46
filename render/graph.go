package render

import (
	"fmt"
	"strconv"
	"time"

	ffmpeg "github.com/u2takey/ffmpeg-go"
)

// Names of the plan's files in ffmpeg's working folder. Relative names need no escaping in filters. Layers add their own
// files.
const (
	barsFile       = "bars.ass"
	backgroundFile = "background.png"
)

// Args returns the arguments of ffmpeg for the plan. in and out are absolute paths; ffmpeg runs in the folder with the
// plan's files.
func (p Plan) Args(in, out string, threads int) ([]string, error) {
	args, err := compile(func() *ffmpeg.Stream {
		common := ffmpeg.KwArgs{"v": "warning", "threads": threads}
		var media, v *ffmpeg.Stream
		if p.Audiogram {
			v = p.audiogramPicture(pngInput(backgroundFile))
			if p.sound != nil {
				media = ffmpeg.Input(fileURL(in), p.cut.input(common))
			}
		} else {
			media = ffmpeg.Input(fileURL(in), p.cut.input(common))
			v = p.clipPicture(media.Get(strconv.Itoa(p.facts.Picture.Stream)))
		}
		if p.request.container == GIF {
			return paletted(v, p.Duration).Output(fileURL(out), gifOptions(p, threads))
		}
		streams := []*ffmpeg.Stream{v, p.audio(media)}
		if p.cover {
			streams = append(streams, ffmpeg.Input(fileURL(coverFile), ffmpeg.KwArgs{"format": "jpeg_pipe", "v": "warning", "protocol_whitelist": "file"}).Get("v"))
		}
		return ffmpeg.Output(streams, fileURL(out), p.encoder(threads))
	})
	if err != nil {
		return nil, err
	}
	return p.withMetadata(args), nil
}

// clipPicture returns the picture of a clip: frames at a constant rate for the whole window, at the size of the frame.
func (p Plan) clipPicture(v *ffmpeg.Stream) *ffmpeg.Stream {
	v = p.cut.picture(v).
		Filter("fps", ffmpeg.Args{p.Rate.String()}, ffmpeg.KwArgs{"start_time": 0}).
		Filter("tpad", nil, ffmpeg.KwArgs{"stop": -1, "stop_mode": "clone"}) // a picture that ends before the audio freezes
	if p.still != nil {
		v = p.atItsTime(v)
	}
	return tagColours(p.withPictures(p.withLayers(p.fit(v))).Filter("format", ffmpeg.Args{"yuv420p"}))
}

// tagColours tags frames with their colour space: encoders read it from the frames, and since ffmpeg 7 from nowhere else.
func tagColours(v *ffmpeg.Stream) *ffmpeg.Stream {
	return v.Filter("setparams", nil, ffmpeg.KwArgs{"colorspace": "bt709", "color_primaries": "bt709", "color_trc": "bt709", "range": "tv"})
}

// fit scales a picture to the frame.
func (p Plan) fit(v *ffmpeg.Stream) *ffmpeg.Stream {
	frame, whole := p.size(), p.whole
	switch {
	case whole == frame:
		return p.sdr(p.scale(v, frame))
	case p.request.Fit == Crop:
		return p.sections(v)
	case p.ownBackdrop():
		return p.insertInto(p.sdr(p.scale(v, whole)).Filter("format", ffmpeg.Args{"yuv420p"}), p.repeatPicture(p.toVideo(pngInput(backdropFile))))
	case p.request.Fit == Pad:
		return p.sdr(p.scale(v, whole)).
			Filter("pad", ffmpeg.Args{fmt.Sprintf("%d:%d:-1:-1", frame.w, frame.h)}, ffmpeg.KwArgs{"color": "0x101418"})
	}
	return p.onBackdrop(p.sdr(p.scale(v, whole)))
}

// scale resizes a picture to square pixels and converts it to the colour space that the result is tagged with.
func (p Plan) scale(v *ffmpeg.Stream, to size) *ffmpeg.Stream {
	options := ffmpeg.KwArgs{"flags": "bicubic"}
	if !p.facts.Picture.HDR() {
		options["in_color_matrix"], options["out_color_matrix"], options["out_range"] = p.matrix(), "bt709", "tv"
	}
	return v.Filter("scale", ffmpeg.Args{fmt.Sprintf("%d:%d", to.w, to.h)}, options).Filter("setsar", ffmpeg.Args{"1"})
}

// matrix returns the colour matrix of the picture. If the media doesn't say, it depends on the height, as in players.
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

// sdr maps high dynamic range to standard dynamic range.
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

// audiogramPicture returns the picture of an audiogram. Layers that change rarely are drawn when they change, the rarest
// first, and their frames are repeated. Moving bars are drawn into every frame.
func (p Plan) audiogramPicture(v *ffmpeg.Stream) *ffmpeg.Stream {
	v = p.repeatPicture(p.toVideo(v))
	var changes []int
	for _, l := range p.layers {
		changes = append(changes, l.changes...)
		v = p.selectFrames(changes, v).Filter("ass", ffmpeg.Args{l.textFile()}, p.assOptions()).Filter("fps", ffmpeg.Args{p.Rate.String()})
	}
	if p.Bars != "" { // only drawings: no fonts
		v = v.Filter("ass", ffmpeg.Args{barsFile})
	}
	return tagColours(p.withPictures(v).Filter("setsar", ffmpeg.Args{"1"}))
}

// toVideo converts a picture to the colours of the result.
func (p Plan) toVideo(v *ffmpeg.Stream) *ffmpeg.Stream {
	return v.Filter("scale", nil, ffmpeg.KwArgs{"out_color_matrix": "bt709", "out_range": "tv"}).Filter("format", ffmpeg.Args{"yuv420p"})
}

// withLayers returns a picture with the plan's layers on top.
func (p Plan) withLayers(v *ffmpeg.Stream) *ffmpeg.Stream {
	for _, l := range p.layers {
		v = p.overlay(v, l)
	}
	return v
}

// keyInterval returns the most frames from one key frame to the next: platforms and editors cut at key frames, and want one every 2 s.
func (p Plan) keyInterval() int { return p.Rate.Frames(2 * time.Second) }

// encoder returns the options of the output, which every player and platform supports. According to ffmpeg's documentation,
// the fast AAC coder is better than the default above 64 kbit/s; it takes half the time.
func (p Plan) encoder(threads int) ffmpeg.KwArgs {
	options := ffmpeg.KwArgs{
		// One thread more than processors keeps the processors busy while captions are drawn and audio is encoded.
		"format": "mp4", "t": seconds6(p.Duration), "threads": threads + 1, "filter_complex_threads": threads,
		"nostdin": "", "hide_banner": "", "y": "", "nostats": "", "stats_period": 0.25, "progress": "pipe:1",
		// veryfast with a longer lookahead, a simpler search, and no weighted prediction makes up for a key frame every 2 s. It neither splits
		// predicted macroblocks nor chooses the number of B-frames, which takes a fifth of the time and hardly makes files smaller. Quantizers
		// that adapt to the variance of the whole frame (aq-mode 2) spend more on skin, walls, and shade. At the same SSIM, the files of eight films
		// are 0.77 to 1.01 times as large as those of veryfast without such key frames.
		"c:v": "libx264", "preset": "veryfast", "crf": 21.4, "bf": 3, "g": p.keyInterval(),
		"x264-params": "rc-lookahead=16:sync-lookahead=0:weightp=0:me=dia:partitions=i8x8,i4x4:b-adapt=0:aq-mode=2",
		"profile:v":   "high", "pix_fmt": "yuv420p",
		"c:a": "aac", "aac_coder": "fast", "b:a": "128k", "ar": 48000, "ac": 2, "movflags": "+faststart",
		"map_metadata": -1, "map_chapters": -1, "fflags": "+bitexact", "sn": "", "dn": "",
	}
	options["x264-params"] = fmt.Sprint(options["x264-params"], p.panZones())
	if p.Audiogram {
		// Little moves, and never by a fraction of a pixel. A constant quantizer without lookahead is closer to the source
		// than veryfast at CRF 21 (SSIM 0.9992 and 0.9989), in half the time.
		// At this quantizer, the usual deblocking only blurs edges of bars and letters, which then cost bits in the next frame.
		delete(options, "crf")
		options["preset"], options["bf"], options["qp"] = "superfast", 0, 20
		options["x264-params"] = "subme=0:weightp=0:scenecut=0:deblock=-1,-1"
	}
	p.addMetadata(options)
	switch p.request.container {
	case MOV:
		options["format"] = "mov"
	case WebM:
		webmOptions(options)
	}
	return options
}
