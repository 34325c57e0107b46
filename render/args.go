package render

import (
	"fmt"
	"strconv"
	"strings"

	ffmpeg "github.com/u2takey/ffmpeg-go"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Only GetArgs and ConvertKwargsToCmdLineArgs of ffmpeg-go are used. They don't log, so this package never changes the
// global LogCompiledCommand, which would race with other users of ffmpeg-go. They sort options by name, so golden files can
// compare the arguments.

// demuxers lists the only demuxers that may open a file: audio and video containers and streams. It excludes demuxers that
// open other files named in a text (hls, concat, image2, dash, sdp), that generate pictures (lavfi, txt), or that read still
// images. With those, a text file called .mp4 could read any file of the machine.
var demuxers = []string{
	"mov", "matroska", "webm", "mpegts", "mpeg", "avi", "asf", "flv",
	"wav", "w64", "aiff", "caf", "flac", "mp3", "aac", "ogg", "amr",
}

// maxPixels rejects pictures that would take gigabytes to decode: every probe decodes the cover art.
const maxPixels = 50_000_000

// input returns the options that every input file gets.
func input(more ffmpeg.KwArgs) ffmpeg.KwArgs {
	return ffmpeg.MergeKwArgs([]ffmpeg.KwArgs{{
		"v":                  "error",
		"threads":            1, // audio needs no more, and each thread reserves address space
		"protocol_whitelist": "file",
		"format_whitelist":   strings.Join(demuxers, ","),
		"max_pixels":         maxPixels,
	}, more})
}

// fileURL returns an absolute path as an argument that ffmpeg can't take for an option or for another protocol.
func fileURL(path string) string { return "file:" + path }

// probeArgs makes ffprobe print its version, the container, the streams and their tags as JSON.
func probeArgs(path string) []string {
	return ffmpeg.ConvertKwargsToCmdLineArgs(input(ffmpeg.KwArgs{
		"i":  fileURL(path),
		"of": "json",
		"show_entries": "program_version=version:format=format_name,duration,start_time:format_tags=title,TITLE" +
			":stream=index,codec_type,codec_name,sample_rate,channels,width,height,avg_frame_rate,r_frame_rate,nb_frames,duration,start_time" +
			",profile,pix_fmt,sample_aspect_ratio,color_space,color_transfer:stream_side_data_list" + // no names for the list's elements: ffprobe before 5 has none
			":stream_tags=language,LANGUAGE,title,TITLE:stream_disposition=attached_pic,still_image,timed_thumbnails" +
			":chapter=start_time:chapter_tags=title,TITLE",
	}))
}

// copyArgs makes ffmpeg copy the packets of the first audio stream to nowhere, and print the time at which they end.
func copyArgs(path string) ([]string, error) {
	return compile(func() *ffmpeg.Stream {
		return ffmpeg.Input(fileURL(path), input(ffmpeg.KwArgs{
			"nostdin": "", "hide_banner": "", "nostats": "", "stats_period": 3600, "progress": "pipe:1", "vn": "", "sn": "", "dn": "",
		})).Get("a:0").Output("-", ffmpeg.KwArgs{"format": "null", "c": "copy"})
	})
}

// buffering is the first release whose ffprobe has the option -o.
var buffering = version{5, 1}

// packetArgs makes ffprobe print stream, time and duration of each packet, one per line. printed is its version. With -o, ffprobe writes many
// lines at a time, which halves its CPU time.
func packetArgs(path, printed string) []string {
	options := ffmpeg.KwArgs{
		"i":            fileURL(path),
		"of":           "csv=print_section=0",
		"show_entries": "packet=stream_index,pts_time,duration_time",
	}
	if v, known := parseVersion(printed); known && !v.older(buffering) {
		options["o"] = "pipe:1"
	}
	return ffmpeg.ConvertKwargsToCmdLineArgs(input(options))
}

// blocks makes ffmpeg write a second of 16 kHz sound at a time instead of the 26 ms of a packet, and wake its reader less often. Of an hour
// of MP3, that saves 0.3 s of its CPU time and 0.8 s of the reader's. It comes last: it would close gaps that aren't filled yet.
var blocks = ffmpeg.KwArgs{"n": 16384, "p": 0}

// decodeArgs makes ffmpeg write the first audio stream to standard output, as engine.Media specifies. Sample n is at time
// n/16000 of the file: late starts and gaps become silence. They are filled in the 16 kHz mono samples, where that takes the
// least memory. channels is 0, or the number of channels to mix explicitly because ffmpeg doesn't know their layout.
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
			Filter("asetnsamples", nil, blocks).
			Output("pipe:1", ffmpeg.KwArgs{"format": "s16le"})
	})
}

// channelArgs makes ffmpeg write all channels of the first audio stream to standard output, interleaved. As in decodeArgs, sample n is at
// time n/rate of the file.
func channelArgs(path string, rate, channels int) ([]string, error) {
	return compile(func() *ffmpeg.Stream {
		return ffmpeg.Input(fileURL(path), input(ffmpeg.KwArgs{
			"nostdin": "", "hide_banner": "", "max_error_rate": 1, "filter_complex_threads": 1,
			"vn": "", "sn": "", "dn": "",
		})).Get("a:0").
			Filter("aformat", nil, ffmpeg.KwArgs{"sample_fmts": "s16"}).
			Filter("aresample", nil, ffmpeg.KwArgs{"async": 1, "first_pts": 0}).
			Filter("asetnsamples", nil, blocks).
			Output("pipe:1", ffmpeg.KwArgs{"format": "s16le", "ar": rate, "ac": channels})
	})
}

// mixAll returns the pan filter's argument for the mean of all channels.
func mixAll(channels int) string {
	names := make([]string, channels)
	for i := range names {
		names[i] = "c" + strconv.Itoa(i)
	}
	return "mono|c0<" + strings.Join(names, "+")
}

// compile returns the arguments of a stream. It returns a panic of ffmpeg-go as an error.
func compile(build func() *ffmpeg.Stream) (args []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			args, err = nil, fmt.Errorf("ffmpeg-go: %v", p)
		}
	}()
	return build().GetArgs(), nil
}
