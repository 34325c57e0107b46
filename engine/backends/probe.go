package backends

import (
	"bytes"
	"context"
	_ "embed"
	"io"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// speech is one second of speech: “Welcome to the show”.
//
//go:embed probe.wav
var speech []byte

// Speech returns one second of English speech: a WAV file, 16 kHz, mono.
func Speech() engine.Source { return memorySource(speech) }

// Probe is the result of a small test request to a service.
type Probe struct {
	Took time.Duration
	Text string // the transcript or text, on one short line
	Err  error  // why it failed, an *engine.Error
}

// maxText is the maximum length of Probe.Text, in characters.
const maxText = 60

// ProbeTranscriber transcribes one second of speech. If ctx ends first, it returns immediately with CodeUnavailable.
func (b *Backends) ProbeTranscriber(ctx context.Context) Probe {
	return withDeadline(ctx, "transcriber", func(ctx context.Context) (string, error) {
		media := wav.Media{}
		t, err := b.NewTranscriber(media)
		if err != nil {
			return "", err
		}
		info, err := media.Probe(ctx, memorySource(speech))
		if err != nil {
			return "", err
		}
		heard, err := t.Transcribe(ctx, engine.TranscribeRequest{Source: memorySource(speech), Info: info, Language: "en"})
		var words []string
		for _, w := range heard.Words {
			words = append(words, w.Text)
		}
		return strings.Join(words, " "), err
	})
}

// ProbeLLM asks a one-line question. If ctx ends first, it returns immediately with CodeUnavailable.
func (b *Backends) ProbeLLM(ctx context.Context) Probe {
	return withDeadline(ctx, "language model", func(ctx context.Context) (string, error) {
		return b.LLM.Write(ctx, engine.WriteRequest{
			Task: engine.TaskChat, Prompt: "What is the guest's first rule? Answer in five words.", Language: "en",
			Passages: []transcript.Passage{{Label: "1.1", Title: "Podcast", Language: "en", Utterances: []transcript.Utterance{
				{Speaker: "Guest", End: 3 * time.Second, Text: "My first rule is simple: record in a quiet room."},
			}}},
		})
	})
}

// withDeadline calls ask, and returns when ctx ends even if ask doesn't.
func withDeadline(ctx context.Context, noun string, ask func(context.Context) (string, error)) Probe {
	begun := time.Now()
	ended := make(chan Probe, 1)
	go func() {
		said, err := ask(ctx)
		ended <- Probe{Took: time.Since(begun), Text: line(said), Err: err}
	}()
	select {
	case p := <-ended:
		if p.Err == nil || ctx.Err() == nil {
			return p
		}
	case <-ctx.Done():
	}
	return Probe{Took: time.Since(begun), Err: engine.Errorf(engine.CodeUnavailable, op, "The %s did not answer within %v.", noun, time.Since(begun).Round(time.Millisecond)).
		Because(context.Cause(ctx)).WithHint("It may be loading its model: try again, or set a longer --timeout. Otherwise check the URL.")}
}

// line shortens a text to one line of at most most characters.
func line(s string) string {
	runes := []rune(strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)), " "))
	if len(runes) > maxText {
		return string(runes[:maxText-1]) + "…"
	}
	return string(runes)
}

// memorySource is an engine.Source in memory.
type memorySource []byte

// Open implements engine.Source.
func (s memorySource) Open(_ context.Context, off, n int64) (io.ReadCloser, error) {
	b := s[min(off, int64(len(s))):]
	if n >= 0 {
		b = b[:min(n, int64(len(b)))]
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

// Size implements engine.Source.
func (s memorySource) Size() int64 { return int64(len(s)) }
