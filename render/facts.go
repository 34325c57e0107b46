package render

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Facts are what a plan has to know of a media file, beside what the engine knows.
type Facts struct {
	engine.MediaInfo
	Picture *Picture // nil when Video is
	Sound   *SoundStream
	Cover   int // number of the stream that is cover art; -1 when there is none
}

// Picture is how the first stream of moving pictures is to be shown.
type Picture struct {
	Stream      int     // its number in the file
	Rotation    int     // degrees that it is turned by before it is shown, clockwise: 0, 90, 180 or 270
	PixelAspect float64 // width of a stored pixel divided by its height; 1 for square ones
	Rate        Rate    // frames per second on average; zero when unknown
	Variable    bool    // frames come at uneven times
	Transfer    string  // color_transfer; "" when unknown
	Matrix      string  // color_space; "" when unknown
	Duration    time.Duration
}

// SoundStream is where the first audio stream is.
type SoundStream struct {
	Stream int // its number in the file
}

// HDR reports whether the picture has to be mapped to what any screen can show.
func (p Picture) HDR() bool { return p.Transfer == "smpte2084" || p.Transfer == "arib-std-b67" }

// Rate is a number of frames per second.
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

// frame returns how long a frame is on screen, a little less so that rounding doesn't reach into the one before.
func (r Rate) frame() time.Duration {
	if r.perSecond() == 0 {
		return 0
	}
	return time.Duration(float64(time.Second)/r.perSecond()) - time.Millisecond
}

// Frames returns how many frames a length has.
func (r Rate) Frames(d time.Duration) int {
	return int(float64(d)/float64(time.Second)*r.perSecond() + 0.5)
}

// Inspect is Probe with what a plan needs. Errors: those of Probe.
func (f FFmpeg) Inspect(ctx context.Context, src engine.Source) (Facts, error) {
	const op = "Inspect"
	file, err := f.local(ctx, op, src)
	if err != nil {
		return Facts{}, err
	}
	defer file.remove()
	return f.inspect(ctx, op, file)
}

// facts returns what the report says about showing the media.
func (r report) facts() Facts {
	facts := Facts{MediaInfo: r.mediaInfo(), Cover: -1}
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

// ratio reads "30000/1001" or "4:3"; 0 when it isn't one.
func ratio(s, sep string) float64 {
	num, den, _ := strings.Cut(s, sep)
	n, _ := strconv.ParseFloat(num, 64)
	d, _ := strconv.ParseFloat(den, 64)
	if n <= 0 || d <= 0 {
		return 0
	}
	return n / d
}
