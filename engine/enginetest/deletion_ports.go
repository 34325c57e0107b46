package enginetest

import (
	"bytes"
	"context"
	"io"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// The ports of TestDeletion. Each text has the marker.

// minutes is a Media for which everything is one minute of sound.
type minutes struct{}

func (minutes) Probe(context.Context, engine.Source) (engine.MediaInfo, error) {
	return engine.MediaInfo{Format: "wav", Duration: time.Minute, Audio: &engine.AudioStream{Codec: "pcm_s16le"}}, nil
}

func (minutes) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(nil)), nil
}

// hears is a Transcriber that also saves a checkpoint.
type hears struct{}

func (hears) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	var words []transcript.Word
	for i := range 30 {
		start := time.Duration(i) * time.Second
		words = append(words, transcript.Word{Text: marker, Start: start, End: start + 900*time.Millisecond, Confidence: 1, Speaker: "A"})
	}
	return engine.Transcription{Language: req.Language, Words: words}, req.Checkpoints.Save(ctx, "one", []byte(marker))
}

// draws is a Renderer.
type draws struct{}

func (draws) Render(_ context.Context, req engine.RenderRequest) (string, error) {
	_, err := io.WriteString(req.Output, marker)
	return "Done with " + marker + ".", err
}

// writes is an LLM.
type writes struct{}

func (writes) Write(_ context.Context, req engine.WriteRequest) (string, error) {
	if req.Task == engine.TaskChat {
		return marker + " [" + req.Passages[0].Label + "]", nil
	}
	return "On " + marker + ".", nil
}

func (writes) ContextTokens() int { return 100_000 }

// shouts is a Translator.
type shouts struct{}

func (shouts) Translate(_ context.Context, req engine.TranslateRequest) ([]string, error) {
	out := make([]string, len(req.Texts))
	for i, text := range req.Texts {
		out[i] = strings.ToUpper(text)
	}
	return out, nil
}
