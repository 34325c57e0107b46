package render

import (
	"slices"
	"strconv"
	"strings"
	"time"

	ffmpeg "github.com/u2takey/ffmpeg-go"
)

// cut is how a stretch of the media is taken out of it. Seeking before the input is opened takes the same time anywhere
// in a file, and ffmpeg then decodes from the key frame before to the very frame.
type cut struct {
	seek   time.Duration // where reading begins
	skip   time.Duration // what is decoded and thrown away after it
	length time.Duration
}

// preRoll is how much of a stream without an index is decoded to find its picture: an MPEG transport stream that is
// opened in the middle has none before the next key frame, ten seconds later.
const preRoll = 15 * time.Second

// cutOf returns the cut of a window.
func cutOf(format string, start, length time.Duration) cut {
	unindexed := []string{"mpegts", "mpeg", "asf", "flv"}
	if slices.ContainsFunc(strings.Split(format, ","), func(f string) bool { return slices.Contains(unindexed, f) }) {
		seek := max(0, start-preRoll)
		return cut{seek: seek, skip: start - seek, length: length}
	}
	return cut{seek: start, length: length}
}

// input returns the options of the input that is cut.
func (c cut) input(more ffmpeg.KwArgs) ffmpeg.KwArgs {
	options := ffmpeg.KwArgs{"ss": seconds6(c.seek)}
	if c.skip == 0 {
		options["t"] = seconds6(c.length)
	}
	return input(ffmpeg.MergeKwArgs([]ffmpeg.KwArgs{options, more}))
}

// picture trims frames, whose clock then begins with the window.
func (c cut) picture(v *ffmpeg.Stream) *ffmpeg.Stream {
	if c.skip == 0 {
		return v
	}
	return v.Filter("trim", nil, ffmpeg.KwArgs{"start": seconds6(c.skip), "duration": seconds6(c.length)}).
		Filter("setpts", ffmpeg.Args{"PTS-" + seconds6(c.skip) + "/TB"})
}

// sound trims samples, whose clock then begins with the window.
func (c cut) sound(a *ffmpeg.Stream) *ffmpeg.Stream {
	if c.skip == 0 {
		return a
	}
	return a.Filter("atrim", nil, ffmpeg.KwArgs{"start": seconds6(c.skip), "duration": seconds6(c.length)}).
		Filter("asetpts", ffmpeg.Args{"PTS-" + seconds6(c.skip) + "/TB"})
}

// seconds6 writes a time for ffmpeg.
func seconds6(d time.Duration) string {
	s := strconv.FormatFloat(d.Seconds(), 'f', 6, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
