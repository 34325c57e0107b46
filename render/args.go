package render

import (
	"fmt"
	"strconv"
	"strings"

	ffmpeg "github.com/u2takey/ffmpeg-go"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Only ffmpeg-go's GetArgs and ConvertKwargsToCmdLineArgs are used. They log nothing, so that the package variable
// LogCompiledCommand, whose change would be a data race with another user of ffmpeg-go, needn't be touched. Options
// come out sorted by name, which is why the arguments can be compared with golden files.

// demuxers are the only ones that may open a file: containers and streams of sound and film. Those that read text and
// then open other files (hls, concat, image2, dash, sdp), draw something (lavfi, txt) or hold a picture are not here: a
// text called .mp4 would otherwise be a way to read any file of this machine.
var demuxers = []string{
	"mov", "matroska", "webm", "mpegts", "mpeg", "avi", "asf", "flv",
	"wav", "w64", "aiff", "caf", "flac", "mp3", "aac", "ogg", "amr",
}

// maxPixels refuses pictures that would take gigabytes to decode: cover art is decoded by every probe.
const maxPixels = 50_000_000

// input returns the options of everything that opens a file.
func input(more ffmpeg.KwArgs) ffmpeg.KwArgs {
	return ffmpeg.MergeKwArgs([]ffmpeg.KwArgs{{
		"v":                  "error",
		"threads":            1, // sound needs no more, and each thread reserves address space
		"protocol_whitelist": "file",
		"format_whitelist":   strings.Join(demuxers, ","),
		"max_pixels":         maxPixels,
	}, more})
}

// fileURL makes an absolute path an argument that is neither an option nor another protocol, whatever is in it.
func fileURL(path string) string { return "file:" + path }

// probeArgs ask ffprobe for its version, the container, its streams and their tags, as JSON.
func probeArgs(path string) []string {
	return ffmpeg.ConvertKwargsToCmdLineArgs(input(ffmpeg.KwArgs{
		"i":  fileURL(path),
		"of": "json",
		"show_entries": "program_version=version:format=format_name,duration,start_time:format_tags=title,TITLE" +
			":stream=index,codec_type,codec_name,sample_rate,channels,width,height,avg_frame_rate,r_frame_rate,nb_frames,duration,start_time" +
			",profile,pix_fmt,sample_aspect_ratio,color_space,color_transfer:stream_side_data_list" + // the parts of the list have no name of their own before ffmpeg 5
			":stream_tags=language,LANGUAGE,title,TITLE:stream_disposition=attached_pic,still_image,timed_thumbnails",
	}))
}

// packetArgs ask ffprobe for stream, time and duration of each packet, a line each.
func packetArgs(path string) []string {
	return ffmpeg.ConvertKwargsToCmdLineArgs(input(ffmpeg.KwArgs{
		"i":            fileURL(path),
		"of":           "csv=print_section=0",
		"show_entries": "packet=stream_index,pts_time,duration_time",
	}))
}

// decodeArgs ask ffmpeg for the first audio stream as engine.Media says, on standard output. Sample n is at time
// n/16000 of the file: a stream that begins later than the others, or has a gap, gets silence there. That is done on the
// 16 kHz mono samples, where it takes the least memory. channels is 0, or the number of channels to mix by hand when
// ffmpeg doesn't know what they are.
func decodeArgs(path string, channels int) ([]string, error) {
	return compile(func() *ffmpeg.Stream {
		audio := ffmpeg.Input(fileURL(path), input(ffmpeg.KwArgs{
			"nostdin": "", "hide_banner": "", "max_error_rate": 1, "filter_complex_threads": 1,
			"vn": "", "sn": "", "dn": "",
		})).Get("a:0")
		if channels > 0 {
			audio = audio.Filter("pan", ffmpeg.Args{mixAll(channels)})
		}
		return audio.
			Filter("aresample", ffmpeg.Args{strconv.Itoa(transcript.SampleRate)}).
			Filter("aformat", nil, ffmpeg.KwArgs{"channel_layouts": "mono", "sample_fmts": "s16"}).
			Filter("aresample", nil, ffmpeg.KwArgs{"async": 1, "first_pts": 0}).
			Output("pipe:1", ffmpeg.KwArgs{"format": "s16le"})
	})
}

// mixAll is the pan filter's recipe for the mean of all channels.
func mixAll(channels int) string {
	names := make([]string, channels)
	for i := range names {
		names[i] = "c" + strconv.Itoa(i)
	}
	return "mono|c0<" + strings.Join(names, "+")
}

// compile returns the arguments of a stream, and ffmpeg-go's panic as an error.
func compile(build func() *ffmpeg.Stream) (args []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			args, err = nil, fmt.Errorf("ffmpeg-go: %v", p)
		}
	}()
	return build().GetArgs(), nil
}
