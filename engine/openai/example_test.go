package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/openai"
)

// Transcribe with a server that has OpenAI's API. Words get their punctuation from the text.
func ExampleNewTranscriber() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"language":"english","segments":[{"text":" Hello, you!","start":0,"end":1}],
			"words":[{"word":"Hello","start":0.1,"end":0.4},{"word":"you","start":0.5,"end":0.9}]}`)
	}))
	defer server.Close()
	t, err := openai.NewTranscriber(openai.TranscriberConfig{URL: server.URL, Model: "whisper-large-v3", Media: noiseBursts(3, 300, 100, 0)})
	if err != nil {
		panic(err)
	}
	heard, err := t.Transcribe(context.Background(), engine.TranscribeRequest{})
	fmt.Println(heard.Language, heard.Words, err)
	// Output: en [Hello,[100ms–400ms] you![500ms–900ms]] <nil>
}
