package render_test

import (
	"context"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// twoVoices labels the first half of the words with one speaker, and the rest with another.
func twoVoices(words []transcript.Word) []transcript.Word {
	for i := range words {
		words[i].Speaker = map[bool]string{true: "Speaker 0", false: "Speaker 1"}[i < len(words)/2]
	}
	return words
}

// busy returns a video of noise and stripes, which makes letters hard to read, with a quiet sound.
func busy(tb testing.TB, seconds string) string {
	path := filepath.Join(tb.TempDir(), "busy.mp4")
	runFFmpeg(tb, "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d="+seconds, "-f", "lavfi", "-i", "sine=f=200:d="+seconds,
		"-vf", "noise=alls=60:allf=t", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", path)
	return path
}

// `make frames` also writes contact sheets of every preset. Without a folder, the test renders one preset.
func TestLookFrames(t *testing.T) {
	slow.Short(t, "it renders video")
	needFFmpeg(t)
	folder, languages, aspects, presets, short := *frames, []transcript.Language{"en", "hi", "ja", "ar", "th", "zh"}, engine.AspectRatios(), render.Presets(), 360
	if folder == "" {
		folder, languages, aspects, presets, short = t.TempDir(), languages[3:4], aspects[:1], presets[1:2], 270
	}
	require.NoError(t, os.MkdirAll(folder, 0o755))
	media := busy(t, "3")
	const side = 240
	for _, language := range languages {
		sheet := image.NewRGBA(image.Rect(0, 0, len(presets)*side, len(aspects)*side))
		for row, aspect := range aspects {
			for column, preset := range presets {
				style, err := render.Preset(preset)
				require.NoError(t, err)
				window := transcript.Window{End: 2800 * time.Millisecond}
				text := spoken[language]
				out := filepath.Join(t.TempDir(), "out.mp4")
				result, err := render.FFmpeg{}.Render(context.Background(), localFile(media), render.Request{
					Window: window, Words: twoVoices(wordsOf(text.text, 0, 3500*time.Millisecond)), Language: language, Title: text.title,
					Aspect: aspect, Look: &style, ShortSide: short, Names: map[string]string{"Speaker 0": "Ada Lovelace"},
				}, out, nil)
				require.NoError(t, err)
				require.Empty(t, result.Message)
				frame := shrink(poster(t, out, 1300*time.Millisecond), side-4)
				draw.Draw(sheet, frame.Bounds().Add(image.Pt(column*side, row*side)), frame, image.Point{}, draw.Src)
			}
		}
		file, err := os.Create(filepath.Join(folder, "look-"+string(language)+".png"))
		require.NoError(t, err)
		require.NoError(t, png.Encode(file, sheet))
		require.NoError(t, file.Close())
	}
}
