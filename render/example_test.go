package render_test

import (
	"context"
	"fmt"
	"io"

	"github.com/soundstage-dev/soundstage/engine"
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
