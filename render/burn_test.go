package render_test

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// difference returns the mean difference of each frame of two videos in a part of the picture, from 0 to 255.
func difference(tb testing.TB, a, b localFile, part string) []int {
	tb.Helper()
	out := runFFmpeg(tb, "-i", string(a), "-i", string(b), "-filter_complex",
		"[0:v][1:v]blend=all_mode=difference,format=gray,lut=y='if(gt(val,60),255,0)',crop="+part+",scale=1:1:flags=area", "-f", "rawvideo", "-")
	values := make([]int, len(out))
	for i, v := range out {
		values[i] = int(v)
	}
	return values
}

// Captions show while somebody speaks, not before or after, and only in their place.
func TestCaptionsWhileSpoken(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	for _, aspect := range []engine.AspectRatio{engine.AspectVertical, engine.AspectSquare, engine.AspectWide} {
		t.Run(string(aspect), func(t *testing.T) {
			t.Parallel()
			r := render.Request{Window: window(2000, 4400), Aspect: aspect, ShortSide: 216, Words: wordsOf("Words that are spoken", 3*time.Second, 3500*time.Millisecond)}
			with, _ := rendered(t, localFile(shared("conversation.mp4")), r)
			r.Words = nil
			without, _ := rendered(t, localFile(shared("conversation.mp4")), r)
			bottom := map[engine.AspectRatio]float64{engine.AspectVertical: 0.75, engine.AspectSquare: 0.86, engine.AspectWide: 0.86}[aspect]
			inside := difference(t, with, without, fmt.Sprintf("iw*0.5:ih*0.1:iw*0.25:ih*%.2f", bottom-0.09))
			above := difference(t, with, without, fmt.Sprintf("iw:ih*%.2f:0:0", bottom-0.2))
			below := difference(t, with, without, fmt.Sprintf("iw:ih*%.2f:0:ih*%.2f", 0.98-bottom, bottom+0.02))
			left := difference(t, with, without, "iw*0.07:ih:0:0")
			right := difference(t, with, without, "iw*0.07:ih:iw*0.93:0")
			require.Len(t, inside, 60)
			for i, d := range inside {
				at := time.Duration(i) * time.Second / 25
				if at >= time.Second && at < 1990*time.Millisecond { // a caption stays for 0.5 s
					require.Greater(t, d, 2, "at %s", at)
				} else {
					require.Zero(t, d, "at %s", at)
				}
				require.Zero(t, above[i]+below[i]+left[i]+right[i], "outside the captions at %s", at)
			}
		})
	}
}

// The highlight follows the speech: from left to right, and in Arabic from right to left.
func TestHighlightMoves(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	for text, step := range map[string]int{"alpha beta gamma": 1, "مرحبا بكم جميعا": -1} {
		file, _ := rendered(t, localFile(shared("silence.wav")), render.Request{Window: window(0, 1500), Aspect: engine.AspectSquare, ShortSide: 360, Words: wordsOf(text, 0, 1500*time.Millisecond)})
		var at []int
		for i := range 3 {
			img := poster(t, string(file), time.Duration(i)*500*time.Millisecond+250*time.Millisecond)
			at = append(at, goldMiddle(t, img, image.Rect(0, 290, 360, 340)))
		}
		require.Greater(t, (at[1]-at[0])*step, 10, "%s: %v", text, at)
		require.Greater(t, (at[2]-at[1])*step, 10, "%s: %v", text, at)
	}
}

// goldMiddle returns the mean distance from the left of the golden pixels in a part of a picture.
func goldMiddle(t *testing.T, img image.Image, part image.Rectangle) int {
	t.Helper()
	sum, n := 0, 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA); c.R > 170 && c.G > 130 && c.B < 110 {
				sum, n = sum+x, n+1
			}
		}
	}
	require.Positive(t, n, "no golden pixels")
	return sum / n
}

// No line exceeds the margins, in any script, however wide its letters.
func TestCaptionsFit(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	texts := map[transcript.Language]string{"en": "WWWWWWWW MMMMMMMM WWWWWWWWWWWWWWWWWWWWWWW @@@@@@ MMMMM", "de": "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen ÄÖÜẞÄÖÜ"}
	for language, s := range spoken {
		if texts[language] == "" {
			texts[language] = s.text
		}
	}
	for language, text := range texts {
		t.Run(string(language), func(t *testing.T) {
			t.Parallel()
			file, _ := rendered(t, localFile(shared("silence.wav")), render.Request{Window: window(0, 2000), Language: language, Style: engine.StylePop,
				Title: strings.Repeat(text+" ", 2), Words: wordsOf(text, 0, 2*time.Second)})
			for _, part := range []string{"iw*0.04:ih:0:0", "iw*0.04:ih:iw*0.96:0"} {
				for i, v := range luma(t, file, part) {
					require.Less(t, v, 80, "frame %d", i)
				}
			}
			band := luma(t, file, "iw*0.8:ih*0.12:iw*0.1:ih*0.64")
			require.Greater(t, band[len(band)/2], 0)
		})
	}
}

// Captions are legible: OCR reads at least nine of ten words.
func TestCaptionsCanBeRead(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	for language, model := range map[transcript.Language]string{"en": "eng", "de": "deu", "ru": "rus"} {
		t.Run(string(language), func(t *testing.T) {
			t.Parallel()
			if out, _ := exec.Command("tesseract", "--list-langs").Output(); !strings.Contains(string(out), model) {
				if os.Getenv("CI") == "true" {
					t.Fatalf("tesseract's %s is missing: run `make setup`", model)
				}
				t.Skipf("tesseract's %s is missing: run `make setup`", model)
			}
			text := strings.NewReplacer(",", "", ".", "", "?", "").Replace(spoken[language].text)
			src := localFile(shared("silence.wav"))
			file, _ := rendered(t, src, render.Request{Window: window(0, 3000), Language: language, Style: engine.StyleAudiogram, Aspect: engine.AspectSquare, ShortSide: 720, Words: wordsOf(text, 0, 3*time.Second)})
			picture := filepath.Join(t.TempDir(), "captions.png")
			runFFmpeg(t, "-i", string(file), "-vf", "fps=2.5,crop=iw:ih/4:0:ih*0.72,format=gray,negate,tile=1x8", "-frames:v", "1", picture)
			read, err := exec.Command("tesseract", picture, "-", "-l", model, "--psm", "6").Output()
			require.NoError(t, err)
			found, words := 0, strings.Fields(text)
			for _, w := range words {
				if strings.Contains(string(read), w) {
					found++
				}
			}
			require.GreaterOrEqual(t, found*10, len(words)*9, "%s\n%s", text, read)
		})
	}
}
