package render_test

import (
	"context"
	"fmt"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

func ExampleFFmpeg_Probe() {
	info, err := render.FFmpeg{}.Probe(context.Background(), localFile("../testdata/german.m4a"))
	if err != nil {
		fmt.Println(engine.Message(err))
		return
	}
	fmt.Println(info.Title, info.Language, info.Duration, info.Audio.Codec)
	// Output: Über Podcasts deu 3.847s aac
}

func ExampleFFmpeg_Decode() {
	pcm, err := render.FFmpeg{}.Decode(context.Background(), localFile("../testdata/tone.wav"))
	if err != nil {
		fmt.Println(engine.Message(err))
		return
	}
	n, err := io.Copy(io.Discard, pcm)
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	fmt.Println(n/2, "samples", err)
	// Output: 16000 samples <nil>
}

func ExampleFFmpeg_Check() {
	err := render.FFmpeg{FFmpeg: "no-ffmpeg", FFprobe: "no-ffprobe"}.Check(context.Background())
	fmt.Println(engine.Message(err))
	// Output: ffmpeg and ffprobe are not installed, or not in PATH.
}

func ExampleFFmpeg_Inspect() {
	facts, err := render.FFmpeg{}.Inspect(context.Background(), localFile("../testdata/conversation.mp4"))
	if err != nil {
		fmt.Println(engine.Message(err))
		return
	}
	fmt.Println(facts.Video.Width, facts.Video.Height, facts.Picture.Rate, facts.Picture.HDR(), facts.Cover)
	// Output: 320 180 25 false -1
}

func ExampleFFmpeg_Render() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	request := render.Request{
		Window: transcript.Window{Start: time.Second, End: 2 * time.Second},
		Words: []transcript.Word{
			{Text: "Hello", Start: time.Second, End: 1400 * time.Millisecond},
			{Text: "there. 👋", Start: 1400 * time.Millisecond, End: 2 * time.Second},
		},
		Title: "A greeting", Aspect: engine.AspectSquare, ShortSide: 144,
	}
	result, err := render.FFmpeg{}.Render(context.Background(), localFile("../testdata/conversation.mp4"), request,
		filepath.Join(folder, "clip.mp4"), func(fraction float64, message string) {
			if fraction == 1 {
				fmt.Println(message)
			}
		})
	if err != nil {
		fmt.Println(engine.Message(err))
		return
	}
	fmt.Println(result.Width, result.Height, result.Frames, result.Message)
	// Output:
	// Done
	// 144 144 25 Emoji can't be shown and were left out: 👋.
}

func ExampleFFmpeg_Poster() {
	r, w := io.Pipe()
	go func() {
		_ = w.CloseWithError(render.FFmpeg{}.Poster(context.Background(), localFile("../testdata/conversation.mp4"), time.Second, 160, w))
	}()
	picture, err := jpeg.Decode(r)
	if err != nil {
		fmt.Println(engine.Message(err))
		return
	}
	fmt.Println(picture.Bounds().Size())
	// Output: (160,90)
}

func ExampleFFmpeg_Loudest() {
	request := render.Request{Window: transcript.Window{End: 2 * time.Second}} // no word in it
	at, err := render.FFmpeg{}.Loudest(context.Background(), localFile("../testdata/conversation.mp4"), request)
	fmt.Println(at, err)
	// Output: 1s <nil>
}

func ExampleNewPlan() {
	facts := render.MediaFacts{
		MediaInfo: engine.MediaInfo{Format: "mp3", Duration: time.Minute, Audio: &engine.AudioStream{Codec: "mp3", SampleRate: 44100, Channels: 2}},
		Sound:     &render.SoundStream{Stream: 0}, Cover: -1,
	}
	plan, err := render.NewPlan(facts, render.Sound{}, render.Request{Window: transcript.Window{End: 10 * time.Second}, Aspect: engine.AspectPortrait})
	if err != nil {
		fmt.Println(engine.Message(err))
		return
	}
	fmt.Println(plan.Width, plan.Height, plan.Rate.Frames(plan.Duration), plan.Audiogram)
	// Output: 1080 1350 250 true
}

func ExampleRemoveParts() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	fmt.Println(render.RemoveParts(folder))
	// Output: <nil>
}
