package render

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	ffmpeg "github.com/u2takey/ffmpeg-go"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Container is the format of a result. The extension of its file decides it.
type Container string

// Containers.
const (
	MP4  Container = "mp4"  // H.264 and AAC, for every player and platform
	MOV  Container = "mov"  // the same in a QuickTime file, for video editors
	WebM Container = "webm" // VP9 and Opus, for pages
	GIF  Container = "gif"  // a small preview without sound, at most MaxGIF long
)

// Containers returns every Container, the default first.
func Containers() []Container { return []Container{MP4, MOV, WebM, GIF} }

// MaxGIF is the longest window of a GIF: each second takes about a megabyte.
const MaxGIF = 15 * time.Second

// gifSide is the default ShortSide of a GIF.
const gifSide = 360

// gifRate is the frame rate of a GIF, which counts time in 1/100 s.
var gifRate = Rate{25, 2}

// ContainerOf returns the container for a file's name, or CodeInvalid.
func ContainerOf(name string) (Container, error) {
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".mp4", ".m4v":
		return MP4, nil
	case ".mov", ".webm", ".gif":
		return Container(ext[1:]), nil
	case "":
		return "", engine.Errorf(engine.CodeInvalid, "Render", "The video's file name has no extension.").WithHint(extensionHint)
	default:
		return "", engine.Errorf(engine.CodeInvalid, "Render", "A video can't be written as %.20q.", ext).WithHint(extensionHint)
	}
}

const extensionHint = "Use a file name that ends in .mp4, .mov, .webm, or .gif."

// check returns CodeInvalid if the container can't hold the window.
func (c Container) check(w transcript.Window) error {
	if c == GIF && w.End-w.Start > MaxGIF {
		return engine.Errorf(engine.CodeInvalid, "Render", "A GIF is at most %d s long (got %d ms).", int(MaxGIF.Seconds()), (w.End - w.Start).Milliseconds()).
			WithHint("Choose a shorter part, or write an .mp4 file.")
	}
	return nil
}

// codecs returns the codecs of the picture and of the sound in a container; "" for no sound.
func (c Container) codecs() (video, audio string) {
	switch c {
	case WebM:
		return "vp9", "opus"
	case GIF:
		return "gif", ""
	}
	return "h264", "aac"
}

// webmOptions replace those of H.264 and AAC. Real-time speed 7 takes about the time of the H.264 encoder.
func webmOptions(options ffmpeg.KwArgs) {
	for _, name := range []string{"preset", "crf", "qp", "bf", "x264-params", "profile:v", "aac_coder", "movflags", "refs"} {
		delete(options, name)
	}
	options["format"], options["c:v"], options["c:a"], options["b:a"] = "webm", "libvpx-vp9", "libopus", "96k"
	options["crf"], options["b:v"], options["deadline"], options["cpu-used"], options["row-mt"] = 33, 0, "realtime", 7, 1
}

// gifOptions are those of a GIF.
func gifOptions(p Plan, threads int) ffmpeg.KwArgs {
	return ffmpeg.KwArgs{
		"format": "gif", "t": seconds6(p.Duration), "filter_complex_threads": threads, "nostdin": "", "hide_banner": "", "y": "", "nostats": "",
		"stats_period": 0.25, "progress": "pipe:1", "map_metadata": -1, "fflags": "+bitexact", "sn": "", "dn": "", "loop": 0,
	}
}

// paletted returns a picture in 256 colours that are chosen for the whole clip, so the clip must end.
func paletted(v *ffmpeg.Stream, length time.Duration) *ffmpeg.Stream {
	both := v.Filter("trim", nil, ffmpeg.KwArgs{"duration": seconds6(length)}).Split()
	palette := both.Get("0").Filter("palettegen", nil, ffmpeg.KwArgs{"stats_mode": "diff"})
	return ffmpeg.Filter([]*ffmpeg.Stream{both.Get("1"), palette}, "paletteuse", nil, ffmpeg.KwArgs{"dither": "bayer", "bayer_scale": 4, "diff_mode": "rectangle"})
}

// countedArgs makes ffprobe count the frames of a result: a WebM or GIF file doesn't say how many it has.
func countedArgs(path string) []string {
	return ffmpeg.ConvertKwargsToCmdLineArgs(input(ffmpeg.KwArgs{
		"i": fileURL(path), "of": "csv=print_section=0", "select_streams": "v:0", "count_packets": "", "show_entries": "stream=nb_read_packets",
		"format_whitelist": "matroska,webm,gif",
	}))
}

// countFrames returns the number of frames of a result.
func (f FFmpeg) countFrames(ctx context.Context, program, path string) int {
	p, err := f.start(ctx, program, countedArgs(path))
	if err != nil {
		return 0
	}
	defer p.close()
	var said [64]byte
	n, _ := p.Read(said[:])
	frames, _ := strconv.Atoi(strings.TrimSpace(string(said[:n])))
	return frames
}
