package render

import (
	"slices"
	"strconv"
	"strings"
	"time"

	ffmpeg "github.com/u2takey/ffmpeg-go"
)

// cut describes how to extract a part of the media. Seeking before the input opens takes the same time anywhere in a file;
// ffmpeg then decodes from the previous key frame to the exact frame.
type cut struct {
	seek   time.Duration // where reading starts
	skip   time.Duration // what is decoded and discarded after seek
	length time.Duration
}

// preRoll is how much of a stream without an index is decoded to find its picture. An MPEG transport stream opened in the
// middle has no picture before the next key frame, up to ten seconds later.
const preRoll = 15 * time.Second

// cutOf returns the cut for a window.
func cutOf(format string, start, length time.Duration) cut {
	unindexed := []string{"mpegts", "mpeg", "asf", "flv"}
	if slices.ContainsFunc(strings.Split(format, ","), func(f string) bool { return slices.Contains(unindexed, f) }) {
		seek := max(0, start-preRoll)
		return cut{seek: seek, skip: start - seek, length: length}
	}
	return cut{seek: start, length: length}
}

// input returns the options of the input to cut.
func (c cut) input(more ffmpeg.KwArgs) ffmpeg.KwArgs {
	options := ffmpeg.KwArgs{"ss": seconds6(c.seek)}
	if c.skip == 0 {
		options["t"] = seconds6(c.length)
	}
	return input(ffmpeg.MergeKwArgs([]ffmpeg.KwArgs{options, more}))
}

// picture trims frames. Their timestamps then start at 0 with the window.
func (c cut) picture(v *ffmpeg.Stream) *ffmpeg.Stream {
	if c.skip == 0 {
		return v
	}
	return v.Filter("trim", nil, ffmpeg.KwArgs{"start": seconds6(c.skip), "duration": seconds6(c.length)}).
		Filter("setpts", ffmpeg.Args{"PTS-" + seconds6(c.skip) + "/TB"})
}

// sound trims samples. Their timestamps then start at 0 with the window.
func (c cut) sound(a *ffmpeg.Stream) *ffmpeg.Stream {
	if c.skip == 0 {
		return a
	}
	return a.Filter("atrim", nil, ffmpeg.KwArgs{"start": seconds6(c.skip), "duration": seconds6(c.length)}).
		Filter("asetpts", ffmpeg.Args{"PTS-" + seconds6(c.skip) + "/TB"})
}

// seconds6 formats a time for ffmpeg.
func seconds6(d time.Duration) string {
	s := strconv.FormatFloat(d.Seconds(), 'f', 6, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
