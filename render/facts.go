package render

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// MediaFacts are what a plan needs to know about a media file, in addition to engine.MediaInfo.
type MediaFacts struct {
	engine.MediaInfo
	Picture *Picture // nil if Video is nil
	Sound   *SoundStream
	Cover   int // index of the cover art's stream; -1 if there is none
	// Chapters are those of the file that have a title.
	Chapters []Chapter
}

// Picture describes how to show the first video stream.
type Picture struct {
	Stream      int     // index in the file
	Rotation    int     // clockwise rotation before display, in degrees: 0, 90, 180 or 270
	PixelAspect float64 // width of a stored pixel divided by its height; 1 for square ones
	Rate        Rate    // average frames per second; zero if unknown
	Variable    bool    // frames come at irregular times
	Transfer    string  // color_transfer; "" if unknown
	Matrix      string  // color_space; "" if unknown
	Duration    time.Duration
}

// SoundStream locates the first audio stream.
type SoundStream struct {
	Stream int // index in the file
}

// HDR reports whether the picture needs tone mapping for ordinary screens.
func (p Picture) HDR() bool { return p.Transfer == "smpte2084" || p.Transfer == "arib-std-b67" }

// Rate is a number of frames per second, as a fraction.
type Rate struct{ Num, Den int }

func (r Rate) perSecond() float64 {
	if r.Den == 0 {
		return 0
	}
	return float64(r.Num) / float64(r.Den)
}

func (r Rate) reduced() Rate {
	a, b := r.Num, r.Den
	for b != 0 {
		a, b = b, a%b
	}
	return Rate{r.Num / a, r.Den / a}
}

func (r Rate) String() string {
	if r.Den == 1 {
		return strconv.Itoa(r.Num)
	}
	return strconv.Itoa(r.Num) + "/" + strconv.Itoa(r.Den)
}

// frame returns the duration of a frame, less 1 ms so that rounding doesn't reach into the previous frame.
func (r Rate) frame() time.Duration {
	if r.perSecond() == 0 {
		return 0
	}
	return time.Duration(float64(time.Second)/r.perSecond()) - time.Millisecond
}

// Frames returns the number of frames in d.
func (r Rate) Frames(d time.Duration) int {
	return int(float64(d)/float64(time.Second)*r.perSecond() + 0.5)
}

// Inspect is Probe with everything that a plan needs. It returns the errors of Probe.
func (f FFmpeg) Inspect(ctx context.Context, src engine.Source) (MediaFacts, error) {
	const op = "Inspect"
	file, err := f.local(ctx, op, src)
	if err != nil {
		return MediaFacts{}, err
	}
	defer file.remove()
	return f.inspect(ctx, op, file)
}

// facts returns what the report says about showing the media.
func (r report) facts() MediaFacts {
	facts := MediaFacts{MediaInfo: r.mediaInfo(), Cover: -1, Chapters: r.chapters()}
	if a := r.audio(); a != nil {
		facts.Sound = &SoundStream{Stream: a.Index}
	}
	if v := r.video(); v != nil {
		p := v.picture()
		facts.Picture = &p
	}
	for _, s := range r.Streams {
		if s.Type == "video" && s.Disposition["attached_pic"] > 0 && facts.Cover < 0 {
			facts.Cover = s.Index
		}
	}
	return facts
}

func (s stream) picture() Picture {
	p := Picture{
		Stream: s.Index, PixelAspect: ratio(s.PixelAspect, ":"), Transfer: s.Transfer, Matrix: s.Matrix,
		Duration: s.Duration.length(), Variable: s.AverageRate != s.RealRate,
	}
	if p.PixelAspect < 0.1 || p.PixelAspect > 10 {
		p.PixelAspect = 1
	}
	for _, d := range s.SideData {
		if d.Rotation != 0 {
			p.Rotation = (4 - int(math.Round(d.Rotation/90))%4) % 4 * 90 // ffprobe counts anticlockwise, from -180 to 180
		}
	}
	for _, rate := range []string{s.AverageRate, s.RealRate} {
		if v := ratio(rate, "/"); v > 0 && v < 1000 {
			num, den, _ := strings.Cut(rate, "/")
			p.Rate.Num, _ = strconv.Atoi(num)
			p.Rate.Den, _ = strconv.Atoi(den)
			break
		}
	}
	return p
}

// ratio parses "30000/1001" or "4:3", and returns 0 for anything else.
func ratio(s, sep string) float64 {
	num, den, _ := strings.Cut(s, sep)
	n, _ := strconv.ParseFloat(num, 64)
	d, _ := strconv.ParseFloat(den, 64)
	if n <= 0 || d <= 0 {
		return 0
	}
	return n / d
}
