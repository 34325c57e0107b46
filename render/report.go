package render

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
)

// report is the JSON output of ffprobe.
type report struct {
	Program struct {
		Version string `json:"version"`
	} `json:"program_version"`
	Format struct {
		Name      string  `json:"format_name"`
		Duration  seconds `json:"duration"`
		StartTime seconds `json:"start_time"`
		Tags      tags    `json:"tags"`
	} `json:"format"`
	Streams  []stream `json:"streams"`
	Chapters []struct {
		StartTime seconds `json:"start_time"`
		Tags      tags    `json:"tags"`
	} `json:"chapters"`
}

// chapters returns the chapters of the file that have a title.
func (r report) chapters() (all []Chapter) {
	for _, c := range r.Chapters {
		title := c.Tags.get("title")
		if at, ok := c.StartTime.parse(); ok && title != "" && len(all) < maxSourceChapters {
			all = append(all, Chapter{Start: max(at, 0), Title: title})
		}
	}
	return all
}

type stream struct {
	Index       int            `json:"index"`
	Type        string         `json:"codec_type"`
	Codec       string         `json:"codec_name"`
	SampleRate  string         `json:"sample_rate"`
	Channels    int            `json:"channels"`
	Width       int            `json:"width"`
	Height      int            `json:"height"`
	AverageRate string         `json:"avg_frame_rate"`
	RealRate    string         `json:"r_frame_rate"`
	Frames      string         `json:"nb_frames"`
	Duration    seconds        `json:"duration"`
	StartTime   seconds        `json:"start_time"`
	PixelAspect string         `json:"sample_aspect_ratio"`
	PixelFormat string         `json:"pix_fmt"`
	Profile     string         `json:"profile"`
	Transfer    string         `json:"color_transfer"`
	Matrix      string         `json:"color_space"`
	Disposition map[string]int `json:"disposition"`
	SideData    []sideData     `json:"side_data_list"`
	Tags        tags           `json:"tags"`
}

type sideData struct {
	Rotation float64 `json:"rotation"`
}

func (r report) mediaInfo() engine.MediaInfo {
	info := engine.MediaInfo{Format: r.Format.Name, Duration: r.Format.Duration.length(), Title: r.Format.Tags.get("title")}
	if a := r.audio(); a != nil {
		rate, _ := strconv.Atoi(a.SampleRate)
		info.Audio = &engine.AudioStream{Codec: a.Codec, SampleRate: rate, Channels: a.Channels, Duration: a.Duration.length()}
		if tag := a.Tags.get("language"); !strings.EqualFold(tag, "und") {
			info.Language = tag
		}
		if info.Title == "" && info.Format == "ogg" { // Ogg keeps the file's tags in the stream
			info.Title = a.Tags.get("title")
		}
	}
	if v := r.video(); v != nil {
		info.Video = &engine.VideoStream{Codec: v.Codec, Width: v.Width, Height: v.Height, FrameRate: v.frameRate()}
	}
	return info
}

// audio returns the first audio stream, the one that Decode decodes, or nil if ffprobe could not read its parameters.
func (r report) audio() *stream {
	for i, s := range r.Streams {
		if s.Type == "audio" {
			if s.SampleRate == "" || s.SampleRate == "0" || s.Channels == 0 {
				return nil
			}
			return &r.Streams[i]
		}
	}
	return nil
}

// video returns the first stream of moving pictures.
func (r report) video() *stream {
	for i, s := range r.Streams {
		still := s.Disposition["attached_pic"]+s.Disposition["still_image"]+s.Disposition["timed_thumbnails"] > 0 || s.Frames == "1"
		if s.Type == "video" && !still {
			return &r.Streams[i]
		}
	}
	return nil
}

func (s stream) frameRate() float64 {
	for _, rate := range []string{s.AverageRate, s.RealRate} {
		if v := ratio(rate, "/"); v > 0 {
			return v
		}
	}
	return 0
}

// tags are metadata of the file: untrusted.
type tags map[string]string

// get returns a tag on one line. Some containers have upper-case tag names.
func (t tags) get(name string) string {
	v := t[name]
	if v == "" {
		v = t[strings.ToUpper(name)]
	}
	v = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, v)
	return strings.TrimSpace(v)
}

// seconds is a time as ffprobe prints it: "12.345678", "N/A".
type seconds string

// maxSeconds exceeds any media, and fits a time.Duration.
const maxSeconds = 1e9

// parse returns the time. ok is false if it isn't known.
func (s seconds) parse() (d time.Duration, ok bool) {
	v, err := strconv.ParseFloat(string(s), 64)
	if err != nil || !(v > -maxSeconds && v < maxSeconds) {
		return 0, false
	}
	return time.Duration(math.Round(v*1e6)) * time.Microsecond, true
}

// length returns the time as a duration, or 0 if it isn't known.
func (s seconds) length() time.Duration {
	d, _ := s.parse()
	return max(d, 0)
}
