package render_test

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	scale "golang.org/x/image/draw"

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

// studio returns a video of soft colours, with a quiet sound.
func studio(tb testing.TB) string {
	path := filepath.Join(tb.TempDir(), "studio.mp4")
	runFFmpeg(tb, "-f", "lavfi", "-i", "gradients=seed=4:s=1280x720:r=25:d=3:n=4:c0=0x14213d:c1=0x3d5a80:c2=0xe07a5f:c3=0x81b29a:x0=0:y0=0:x1=1280:y1=720:speed=0.00001",
		"-f", "lavfi", "-i", "sine=f=200:d=3", "-vf", "vignette", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", path)
	return path
}

// `make frames` also writes contact sheets of every preset: one for each language, and the two of docs/clips.md. Without a folder, the test
// draws one preset.
func TestLookFrames(t *testing.T) {
	slow.Short(t, "it draws stills")
	needFFmpeg(t)
	folder, languages, aspects, presets := *frames, []transcript.Language{"en", "hi", "ja", "ar", "th", "zh"}, engine.AspectRatios()[:4], render.Presets()
	if folder == "" {
		folder, languages, aspects, presets = t.TempDir(), languages[3:4], aspects[:1], presets[1:2]
	}
	require.NoError(t, os.MkdirAll(folder, 0o755))
	media := studio(t)
	var squares [][]image.Image // of the languages with other scripts
	for _, language := range languages {
		var rows [][]image.Image
		for _, aspect := range aspects {
			var row []image.Image
			for _, preset := range presets {
				row = append(row, lookStill(t, media, language, preset, aspect))
			}
			rows = append(rows, row)
			if aspect == engine.AspectSquare && language != "en" {
				squares = append(squares, row)
			}
		}
		writeSheet(t, filepath.Join(folder, "look-"+string(language)+".jpg"), rows)
	}
	if len(squares) > 0 {
		writeSheet(t, filepath.Join(folder, "languages.jpg"), squares)
	}
}

// lookStill returns a still of a preset.
func lookStill(t *testing.T, media string, language transcript.Language, preset string, aspect engine.AspectRatio) image.Image {
	t.Helper()
	style, err := render.Preset(preset)
	require.NoError(t, err)
	text := spoken[language]
	var still bytes.Buffer
	_, err = renderer.Still(context.Background(), localFile(media), render.Request{
		Window: transcript.Window{End: 2800 * time.Millisecond}, Words: twoVoices(wordsOf(text.text, 0, 3500*time.Millisecond)), Language: language,
		Title: text.title, Aspect: aspect, Look: &style, ShortSide: 540, Fit: render.Crop, Names: map[string]string{"Speaker 0": "Ada Lovelace"},
	}, &still)
	require.NoError(t, err)
	img, err := jpeg.Decode(&still)
	require.NoError(t, err)
	return img
}

// writeSheet writes rows of pictures, each as wide as the others, as a JPEG.
func writeSheet(t *testing.T, path string, rows [][]image.Image) {
	t.Helper()
	const width, gap = 156, 4
	height := func(img image.Image) int { return img.Bounds().Dy() * width / img.Bounds().Dx() }
	total := 0
	for _, row := range rows {
		total += height(row[0]) + gap
	}
	sheet := image.NewRGBA(image.Rect(0, 0, len(rows[0])*(width+gap)-gap, total-gap))
	draw.Draw(sheet, sheet.Bounds(), image.White, image.Point{}, draw.Src)
	top := 0
	for _, row := range rows {
		for column, img := range row {
			at := image.Pt(column*(width+gap), top)
			scale.CatmullRom.Scale(sheet, image.Rectangle{at, at.Add(image.Pt(width, height(img)))}, img, img.Bounds(), scale.Src, nil)
		}
		top += height(row[0]) + gap
	}
	file, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, jpeg.Encode(file, sheet, &jpeg.Options{Quality: 82}))
	require.NoError(t, file.Close())
}
