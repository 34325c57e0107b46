package render_test

import (
	"bytes"
	"context"
	"flag"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

var frames = flag.String("frames", "", "write contact sheets of all styles to this folder")

// spoken has a few words in languages whose scripts need care.
var spoken = map[transcript.Language]struct{ title, text string }{
	"en": {"How two people plan a podcast that others love", "Welcome back. Today we talk about podcasts and why people like to listen, don't they?"},
	"hi": {"दो लोग पॉडकास्ट की योजना कैसे बनाते हैं", "नमस्ते और स्वागत है। आज हम पॉडकास्ट के बारे में बात करते हैं क्योंकि लोग सुनना पसंद करते हैं।"},
	"ja": {"二人でポッドキャストを企画する方法について", "今日はポッドキャストについて話します。なぜ人々はPodcastを聞くのが好きなのでしょうか。"},
	"ko": {"두 사람이 팟캐스트를 계획하는 방법", "안녕하세요. 오늘은 팟캐스트에 대해 이야기하고 사람들이 왜 듣기를 좋아하는지 알아봅니다."},
	"ar": {"كيف يخطط شخصان لبرنامج صوتي", "أهلا وسهلا بكم. اليوم نتحدث عن البودكاست Podcast ولماذا يحب الناس الاستماع إليه."},
	"th": {"คนสองคนวางแผนพอดแคสต์อย่างไร", "สวัสดีครับ วันนี้เรา พูดคุย เกี่ยวกับ พอดแคสต์ และทำไม ผู้คน ชอบฟัง"},
	"zh": {"两个人如何策划一档播客节目", "欢迎回来。今天我们谈谈播客，以及为什么人们喜欢听Podcast节目。"},
	"ru": {"Как два человека планируют подкаст", "С возвращением. Сегодня мы говорим о подкастах и почему людям нравится слушать."},
	"de": {"Wie zwei Menschen einen Podcast planen", "Willkommen zurück. Heute sprechen wir über Podcasts und warum Menschen gerne zuhören."},
}

// wordsOf returns the words of a text, spread evenly from start to end.
func wordsOf(text string, start, end time.Duration) []transcript.Word {
	fields := strings.Fields(text)
	words := make([]transcript.Word, len(fields))
	each := (end - start) / time.Duration(len(fields))
	for i, f := range fields {
		words[i] = transcript.Word{Text: f, Start: start + each*time.Duration(i), End: start + each*time.Duration(i+1) - each/10}
	}
	return words
}

// `make frames` writes contact sheets of every style and aspect ratio for review. Without a folder, the test renders only
// two styles, to prove that the sheets can be made.
func TestFrames(t *testing.T) {
	slow.Short(t, "it renders video")
	needFFmpeg(t)
	folder, languages, aspects, styles := *frames, []transcript.Language{"en", "hi", "ja", "ar"}, engine.AspectRatios(), engine.RenderStyles()
	if folder == "" {
		folder, languages, aspects, styles = t.TempDir(), languages[1:2], aspects[:1], styles[4:6]
	}
	require.NoError(t, os.MkdirAll(folder, 0o755))
	for _, language := range languages {
		sheet := image.NewRGBA(image.Rect(0, 0, len(styles)*290, len(aspects)*290))
		for row, aspect := range aspects {
			for column, style := range styles {
				media := "conversation.mp4"
				if style == engine.StyleBars {
					media = "cover.mp3"
				}
				window := transcript.Window{Start: 100 * time.Millisecond, End: 1900 * time.Millisecond}
				out := filepath.Join(t.TempDir(), "out.mp4")
				result, err := renderer.Render(context.Background(), localFile(shared(media)), render.Request{
					Window: window, Words: wordsOf(spoken[language].text, window.Start, window.End), Language: language,
					Title: spoken[language].title, Aspect: aspect, Style: style, ShortSide: 270, Fit: render.Fits()[column%3],
				}, out, nil)
				require.NoError(t, err)
				require.Empty(t, result.Message)
				frame := poster(t, out, time.Second)
				at := image.Pt(column*290, row*290)
				draw.Draw(sheet, image.Rectangle{at, at.Add(image.Pt(286, 286))}, shrink(frame, 286), image.Point{}, draw.Src)
			}
		}
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, sheet))
		require.NoError(t, os.WriteFile(filepath.Join(folder, string(language)+".png"), b.Bytes(), 0o644))
	}
}

// poster returns one moment of a video.
func poster(tb testing.TB, path string, at time.Duration) image.Image {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, renderer.Poster(context.Background(), localFile(path), at, 0, &b))
	img, err := jpeg.Decode(&b)
	require.NoError(tb, err)
	return img
}

// shrink returns a picture no larger than side, by dropping pixels.
func shrink(img image.Image, side int) image.Image {
	b := img.Bounds()
	longest := max(b.Dx(), b.Dy())
	if longest <= side {
		return img
	}
	small := image.NewRGBA(image.Rect(0, 0, b.Dx()*side/longest, b.Dy()*side/longest))
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			small.Set(x, y, img.At(b.Min.X+x*longest/side, b.Min.Y+y*longest/side))
		}
	}
	return small
}
