package fake_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

func ExampleTranscriber() {
	media := record(0, pause(500), burst(3200), pause(1000), burst(2600)) // render.FFmpeg decodes real files
	transcriber := &fake.Transcriber{Media: media}
	got, err := transcriber.Transcribe(context.Background(), engine.TranscribeRequest{
		Language: "en", BoostedWords: []string{"Soundstage"},
	})
	if err != nil {
		fmt.Println(err)
	}
	for _, u := range transcript.BuildUtterances(got.Words, got.Language) {
		fmt.Printf("%s, %v to %v: %s\n", u.Speaker, u.Start, u.End, u.Text)
	}
	// Output:
	// Speaker 0, 500ms to 3.7s: For me, Soundstage was the turning point.
	// Speaker 1, 4.7s to 7.3s: Did the name come first, or the idea?
}

func ExampleDiarizer() {
	pcm := bytes.NewReader(record(0, pause(500), burst(3000), pause(1000), burst(2500), pause(800), burst(2000)))
	turns, err := fake.Diarizer{}.Diarize(context.Background(), pcm, transcript.DiarizeOptions{Speakers: 2})
	if err != nil {
		fmt.Println(err)
	}
	for _, t := range turns {
		fmt.Printf("%v to %v: speaker %d\n", t.Start, t.End, t.Speaker)
	}
	// Output:
	// 500ms to 3.5s: speaker 0
	// 4.5s to 7s: speaker 1
	// 7.8s to 9.8s: speaker 0
}

func ExampleTranslator() {
	texts, err := fake.Translator{}.Translate(context.Background(), engine.TranslateRequest{
		From: "en", To: "de", Texts: []string{"What would you do differently if you were starting [[T0]] today?"},
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(texts[0]) // an invented sentence in German, with the term
	// Output: Wusstest du, dass [[T0]] schon in der ersten Folge vorkam?
}
