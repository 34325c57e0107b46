package render_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/golden"
	"github.com/soundstage-dev/soundstage/render"
)

// film1080 returns the facts of an ordinary video.
func film1080() render.MediaFacts {
	return render.MediaFacts{
		MediaInfo: engine.MediaInfo{
			Format: mp4, Duration: time.Minute, Audio: &engine.AudioStream{Codec: "aac", SampleRate: 48000, Channels: 2, Duration: time.Minute},
			Video: &engine.VideoStream{Codec: "h264", Width: 1920, Height: 1080, FrameRate: 25},
		},
		Picture: &render.Picture{PixelAspect: 1, Rate: render.Rate{Num: 25, Den: 1}, Matrix: "bt709", Transfer: "bt709", Duration: time.Minute},
		Sound:   &render.SoundStream{Stream: 1}, Cover: -1,
	}
}

// talk returns the facts of audio alone.
func talk() render.MediaFacts {
	f := film1080()
	f.Format, f.Video, f.Picture, f.Sound = "mp3", nil, nil, &render.SoundStream{Stream: 0}
	return f
}

// speech returns measurements of speech that is slightly too soft.
func speech() render.Sound {
	levels := make([]float64, 3*render.LevelsPerSecond)
	for i := range levels {
		levels[i] = 0.02 * float64(i%25)
	}
	return render.Sound{Loudness: -20.4, Peak: -7, Levels: levels}
}

// Each plan equals its reviewed golden file: size, rate, arguments, and ASS.
func TestPlans(t *testing.T) {
	t.Parallel()
	changed := func(f render.MediaFacts, change func(*render.MediaFacts)) render.MediaFacts { change(&f); return f }
	for name, c := range map[string]struct {
		facts   render.MediaFacts
		request render.Request
	}{
		"clip":     {film1080(), render.Request{Title: "Two people plan a podcast"}},
		"boxed":    {film1080(), render.Request{Style: engine.StyleBoxed, Fit: render.Crop, Aspect: engine.AspectSquare}},
		"karaoke":  {film1080(), render.Request{Style: engine.StyleKaraoke, Fit: render.Pad, Aspect: engine.AspectPortrait}},
		"pop":      {film1080(), render.Request{Style: engine.StylePop, Aspect: engine.AspectWide}},
		"lines":    {film1080(), render.Request{Style: engine.StyleLines, Aspect: engine.AspectWide}},
		"arabic":   {film1080(), render.Request{Aspect: engine.AspectWide, Words: wordsOf(spoken["ar"].text, 10*time.Second, 13*time.Second)}},
		"japanese": {film1080(), render.Request{Language: "ja", Style: engine.StyleLines, Words: wordsOf(spoken["ja"].text, 10*time.Second, 13*time.Second)}},
		// A phone's video: vertical, high dynamic range, 60 frames/s.
		"telephone": {changed(film1080(), func(f *render.MediaFacts) {
			f.Picture.Rotation, f.Picture.Transfer, f.Picture.Matrix, f.Picture.Rate.Num = 90, "arib-std-b67", "bt2020nc", 60
		}), render.Request{Aspect: engine.AspectSquare, Fit: render.Crop}},
		// An old camcorder's video: non-square pixels, NTSC, no index.
		"camcorder": {changed(film1080(), func(f *render.MediaFacts) {
			f.Format, f.Video.Width, f.Video.Height, f.Picture.PixelAspect = "mpegts", 720, 480, 8.0/9
			f.Picture.Rate, f.Picture.Matrix = render.Rate{Num: 30000, Den: 1001}, "smpte170m"
		}), render.Request{Aspect: engine.AspectOriginal}},
		"silent film": {changed(film1080(), func(f *render.MediaFacts) { f.Audio, f.Sound = nil, nil }), render.Request{}},
		"audiogram":   {talk(), render.Request{Title: "Two people plan a podcast"}},
		"bars": {changed(talk(), func(f *render.MediaFacts) { f.Cover, f.Audio.Channels = 1, 14 }),
			render.Request{Style: engine.StyleBars, Aspect: engine.AspectSquare, Window: window(10_000, 10_300)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.request.Window.End == 0 {
				c.request.Window = window(10_000, 13_000)
			}
			if c.request.Words == nil {
				c.request.Words = wordsOf("Hello there. Nice {to} see you again, my old friend.", 10*time.Second, 13*time.Second)
			}
			p, err := render.NewPlan(c.facts, speech(), c.request)
			require.NoError(t, err)
			args, err := p.Args("/media/in", "/results/out", 2)
			require.NoError(t, err)
			again, err := p.Args("/media/in", "/results/out", 2)
			require.NoError(t, err)
			require.Equal(t, args, again)
			got := fmt.Sprintf("%dx%d, %s frames/s, %s, audiogram: %t, poster at %s\n\n%s\n\n== captions.ass\n%s\n== title.ass\n%s\n== bars.ass\n%s\n== still.ass\n%s",
				p.Width, p.Height, p.Rate, p.Duration, p.Audiogram, p.Poster, strings.Join(args, "\n"), p.Captions, p.Title, p.Bars, p.Still)
			file := filepath.Join("testdata", "plans", strings.ReplaceAll(name, " ", "-")+".golden")
			require.Equal(t, golden.Read(t, file, []byte(got)), got)
		})
	}
}

// Sizes are those of the platforms or the media's own: even, with square pixels, and no larger than needed.
func TestSizes(t *testing.T) {
	t.Parallel()
	odd := film1080()
	odd.Video.Width, odd.Video.Height = 641, 361
	large := film1080()
	large.Video.Width, large.Video.Height, large.Picture.Rotation = 3840, 2160, 270
	wide := film1080()
	wide.Video.Width, wide.Video.Height, wide.Picture.PixelAspect = 720, 576, 64.0/45
	for _, c := range []struct {
		facts  render.MediaFacts
		aspect engine.AspectRatio
		short  int
		w, h   int
	}{
		{film1080(), engine.AspectVertical, 0, 1080, 1920},
		{film1080(), engine.AspectSquare, 0, 1080, 1080},
		{film1080(), engine.AspectWide, 0, 1920, 1080},
		{film1080(), engine.AspectPortrait, 0, 1080, 1350},
		{film1080(), engine.AspectVertical, 360, 360, 640},
		{film1080(), engine.AspectOriginal, 0, 1920, 1080},
		{film1080(), engine.AspectOriginal, 360, 640, 360},
		{odd, engine.AspectOriginal, 0, 642, 362},
		{odd, engine.AspectOriginal, 1080, 642, 362},
		{large, engine.AspectOriginal, 0, 1080, 1920},
		{wide, engine.AspectOriginal, 0, 1024, 576},
		{talk(), engine.AspectOriginal, 0, 1080, 1920},
	} {
		p, err := render.NewPlan(c.facts, speech(), render.Request{Window: window(0, 1000), Aspect: c.aspect, ShortSide: c.short})
		require.NoError(t, err)
		require.Equal(t, [2]int{c.w, c.h}, [2]int{p.Width, p.Height}, "%s of %v", c.aspect, c.facts.Video)
	}
}

// The rate is the media's, half of it, or 30.
func TestRates(t *testing.T) {
	t.Parallel()
	for own, want := range map[render.Rate]string{
		{Num: 25, Den: 1}: "25", {Num: 24000, Den: 1001}: "24000/1001", {Num: 30, Den: 1}: "30", {Num: 30000, Den: 1001}: "30000/1001",
		{Num: 50, Den: 1}: "25", {Num: 60000, Den: 1001}: "30000/1001", {Num: 60, Den: 1}: "30", {Num: 120, Den: 1}: "30",
		{Num: 23, Den: 1}: "23", {Num: 22, Den: 1}: "30", {Num: 31, Den: 1}: "30", {Num: 46, Den: 1}: "23", {Num: 45, Den: 1}: "30",
		{Num: 10, Den: 1}: "30", {}: "30", {Num: 1000, Den: 1}: "30",
	} {
		facts := film1080()
		facts.Picture.Rate = own
		p, err := render.NewPlan(facts, speech(), render.Request{Window: window(0, 1000)})
		require.NoError(t, err)
		require.Equal(t, want, p.Rate.String(), own)
	}
	uneven := film1080()
	uneven.Picture.Variable = true
	p, err := render.NewPlan(uneven, speech(), render.Request{Window: window(0, 1000)})
	require.NoError(t, err)
	require.Equal(t, "30", p.Rate.String())
}

// What a crop keeps has the ratio of the frame as shown: a quarter turn swaps the sides of a pixel, a half turn doesn't.
func TestCropCountsRotationAndPixelAspect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rotation    int
		pixelAspect float64
		kept        float64 // width of what is kept divided by its height, in stored pixels after the rotation
	}{
		{0, 1, 1}, {90, 1, 1},
		{0, 2, 0.5}, {180, 2, 0.5}, {90, 2, 2}, {270, 2, 2},
		{0, 0.8, 1.25}, {180, 0.8, 1.25}, {90, 0.8, 0.8}, {270, 0.8, 0.8},
	} {
		facts := film1080()
		facts.Picture.Rotation, facts.Picture.PixelAspect = c.rotation, c.pixelAspect
		p, err := render.NewPlan(facts, speech(), render.Request{Window: window(0, 1000), Aspect: engine.AspectSquare, Fit: render.Crop})
		require.NoError(t, err)
		args, err := p.Args("/media/in", "/results/out", 1)
		require.NoError(t, err)
		graph := strings.Join(args, " ")
		_, crop, found := strings.Cut(graph, "]crop=")
		require.True(t, found, graph)
		crop, _, _ = strings.Cut(strings.ReplaceAll(crop, `\`, ""), "[")
		want := fmt.Sprintf("h=min(ih,max(2,iw/%.6f)):w=min(iw,max(2,ih*%.6f))", c.kept, c.kept)
		require.Equal(t, want, crop, "%d degrees, pixels of %g", c.rotation, c.pixelAspect)
	}
}

// The whole picture inside the frame has its ratio as shown, after the rotation and with square pixels.
func TestPadCountsRotationAndPixelAspect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rotation    int
		pixelAspect float64
		want        string // size of the whole picture in a square frame of 1080 pixels
	}{
		{0, 1, "1080:608"}, {90, 1, "608:1080"}, {180, 1, "1080:608"}, {270, 1, "608:1080"},
		{0, 1.5, "1080:406"}, {90, 1.5, "406:1080"}, // 2880 × 1080
		{0, 0.28125, "540:1080"}, {270, 0.28125, "1080:540"}, // 540 × 1080
	} {
		facts := film1080()
		facts.Picture.Rotation, facts.Picture.PixelAspect = c.rotation, c.pixelAspect
		p, err := render.NewPlan(facts, speech(), render.Request{Window: window(0, 1000), Aspect: engine.AspectSquare, Fit: render.Pad})
		require.NoError(t, err)
		args, err := p.Args("/media/in", "/results/out", 1)
		require.NoError(t, err)
		require.Contains(t, strings.Join(args, " "), "]scale="+c.want+":", "%d degrees, pixels of %g", c.rotation, c.pixelAspect)
	}
}

// The colours of a picture are read with the matrix that the media names. Without a known name, it depends on the height.
func TestColourMatrix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		matrix string
		height int
		want   string
	}{
		{"bt709", 480, "bt709"}, {"smpte170m", 1080, "bt601"}, {"bt470bg", 1080, "bt601"}, {"smpte240m", 480, "smpte240m"},
		{"bt2020nc", 480, "bt2020"}, {"bt2020c", 480, "bt2020"},
		{"", 720, "bt709"}, {"", 718, "bt601"}, {"gbr", 1080, "bt709"}, {"gbr", 360, "bt601"},
	} {
		facts := film1080()
		facts.Picture.Matrix, facts.Video.Height = c.matrix, c.height
		p, err := render.NewPlan(facts, speech(), render.Request{Window: window(0, 1000)})
		require.NoError(t, err)
		args, err := p.Args("/media/in", "/results/out", 1)
		require.NoError(t, err)
		require.Contains(t, strings.Join(args, " "), "in_color_matrix="+c.want+":", "%q, %d", c.matrix, c.height)
	}
}

// Captions have fewer columns in scripts with wider letters, and the words that suit the format and the style.
func TestCaptionLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		style    engine.RenderStyle
		aspect   engine.AspectRatio
		want     render.CueLimits
	}{
		{"en", engine.StyleCaptions, engine.AspectVertical, render.CueLimits{Columns: 24, Lines: 2, Words: 6}},
		{"ru", engine.StyleCaptions, engine.AspectVertical, render.CueLimits{Columns: 21, Lines: 2, Words: 6}},
		{"uk", engine.StyleCaptions, engine.AspectVertical, render.CueLimits{Columns: 21, Lines: 2, Words: 6}},
		{"hi", engine.StyleCaptions, engine.AspectVertical, render.CueLimits{Columns: 25, Lines: 2, Words: 6}},
		{"ja", engine.StyleCaptions, engine.AspectVertical, render.CueLimits{Columns: 28, Lines: 2, Words: 0}},
		{"ko", engine.StyleCaptions, engine.AspectVertical, render.CueLimits{Columns: 28, Lines: 2, Words: 6}},
		{"zh", engine.StylePop, engine.AspectVertical, render.CueLimits{Columns: 14, Lines: 1, Words: 0, Sentences: true}},
		{"en", engine.StylePop, engine.AspectVertical, render.CueLimits{Columns: 24, Lines: 1, Words: 3}},
		{"en", engine.StyleLines, engine.AspectVertical, render.CueLimits{Columns: 24, Lines: 2, Words: 0}},
		{"en", engine.StyleCaptions, engine.AspectPortrait, render.CueLimits{Columns: 28, Lines: 2, Words: 8}},
		{"en", engine.StyleCaptions, engine.AspectSquare, render.CueLimits{Columns: 32, Lines: 2, Words: 10}},
		{"en", engine.StyleCaptions, engine.AspectWide, render.CueLimits{Columns: 42, Lines: 2, Words: 14}},
	} {
		var got render.CueLimits
		planned(t, render.Request{Language: c.language, Style: c.style, Aspect: c.aspect, Words: wordsOf("one", 0, time.Second),
			Cues: func(_ []transcript.Word, _ transcript.Language, limits render.CueLimits) []render.Cue {
				got = limits
				return nil
			}})
		require.Equal(t, c.want, got, "%s %s %s", c.language, c.style, c.aspect)
	}
}

// NewPlan rejects an invalid request with a message before any program runs.
func TestPlanErrors(t *testing.T) {
	t.Parallel()
	mute := film1080()
	mute.Audio, mute.Sound = nil, nil
	for name, c := range map[string]struct {
		facts   render.MediaFacts
		request render.Request
		want    engine.Code
	}{
		"unknown aspect":       {film1080(), render.Request{Aspect: "3:2"}, engine.CodeInvalid},
		"unknown style":        {film1080(), render.Request{Style: "comic"}, engine.CodeInvalid},
		"unknown fit":          {film1080(), render.Request{Fit: "stretch"}, engine.CodeInvalid},
		"odd size":             {film1080(), render.Request{ShortSide: 361}, engine.CodeInvalid},
		"too large":            {film1080(), render.Request{ShortSide: 4000}, engine.CodeInvalid},
		"empty window":         {film1080(), render.Request{Window: window(5000, 5000)}, engine.CodeInvalid},
		"end before start":     {film1080(), render.Request{Window: window(5000, 4000)}, engine.CodeInvalid},
		"negative window":      {film1080(), render.Request{Window: window(-1000, 4000)}, engine.CodeInvalid},
		"after the end":        {film1080(), render.Request{Window: window(60_000, 61_000)}, engine.CodeInvalid},
		"audiogram of silence": {mute, render.Request{Style: engine.StyleAudiogram}, engine.CodeBadMedia},
	} {
		if c.request.Window == (transcript.Window{}) {
			c.request.Window = window(0, 1000)
		}
		_, err := render.NewPlan(c.facts, speech(), c.request)
		require.NotEmpty(t, code(t, c.want, err).Msg, name)
	}
	long := film1080()
	long.Duration = time.Hour
	_, err := render.NewPlan(long, speech(), render.Request{Window: window(0, 180_001)})
	code(t, engine.CodeInvalid, err)
}

// A window is clipped to the file's duration, and a picture that ends early is replaced by an audiogram.
func TestPlanKeepsInside(t *testing.T) {
	t.Parallel()
	p, err := render.NewPlan(film1080(), speech(), render.Request{Window: window(59_000, 65_000)})
	require.NoError(t, err)
	require.Equal(t, time.Second, p.Duration)

	short := film1080()
	short.Picture.Duration = 30 * time.Second
	p, err = render.NewPlan(short, speech(), render.Request{Window: window(40_000, 42_000)})
	require.NoError(t, err)
	require.True(t, p.Audiogram)
}

// The poster is the loudest moment that has a caption.
func TestPosterMoment(t *testing.T) {
	t.Parallel()
	heard := render.Sound{Levels: make([]float64, 10*render.LevelsPerSecond)}
	heard.Levels[1*render.LevelsPerSecond] = 0.9 // before the words
	heard.Levels[4*render.LevelsPerSecond] = 0.5
	heard.Levels[5*render.LevelsPerSecond] = 0.3
	p, err := render.NewPlan(film1080(), heard, render.Request{Window: window(10_000, 20_000), Words: wordsOf("one two three", 13*time.Second, 16*time.Second)})
	require.NoError(t, err)
	require.Equal(t, 4*time.Second+10*time.Millisecond, p.Poster)
}
