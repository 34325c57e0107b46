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

// speech is a second of a voice: “Welcome to the show”.
//
//go:embed probe.wav
var speech []byte

// Speech is a second of a voice in English: 16 kHz, mono, in a WAV file.
func Speech() engine.Source { return sound(speech) }

// Probe is how a service did when it was asked for little.
type Probe struct {
	Took time.Duration
	Said string // what was heard or written, one short line
	Err  error  // why it failed; a Backend's *engine.Error
}

// most is how many characters of what a service said are told.
const most = 60

// ProbeTranscriber has a second of speech transcribed. It returns when ctx is done at the latest; the error is CodeUnavailable then.
func (b *Backends) ProbeTranscriber(ctx context.Context) Probe {
	return bounded(ctx, "transcriber", func(ctx context.Context) (string, error) {
		media := wav.Media{}
		t, err := b.NewTranscriber(media)
		if err != nil {
			return "", err
		}
		info, err := media.Probe(ctx, sound(speech))
		if err != nil {
			return "", err
		}
		heard, err := t.Transcribe(ctx, engine.TranscribeRequest{Source: sound(speech), Info: info, Language: "en"})
		var words []string
		for _, w := range heard.Words {
			words = append(words, w.Text)
		}
		return strings.Join(words, " "), err
	})
}

// ProbeLLM has a question of one line answered. It returns when ctx is done at the latest; the error is CodeUnavailable then.
func (b *Backends) ProbeLLM(ctx context.Context) Probe {
	return bounded(ctx, "language model", func(ctx context.Context) (string, error) {
		return b.LLM.Write(ctx, engine.WriteRequest{
			Task: engine.TaskChat, Prompt: "What is the guest's first rule? Answer in five words.", Language: "en",
			Passages: []transcript.Passage{{Label: "1.1", Title: "Podcast", Language: "en", Utterances: []transcript.Utterance{
				{Speaker: "Guest", End: 3 * time.Second, Text: "My first rule is simple: record in a quiet room."},
			}}},
		})
	})
}

// bounded asks, and doesn't wait for whoever heeds no end.
func bounded(ctx context.Context, noun string, ask func(context.Context) (string, error)) Probe {
	begun := time.Now()
	ended := make(chan Probe, 1)
	go func() {
		said, err := ask(ctx)
		ended <- Probe{Took: time.Since(begun), Said: line(said), Err: err}
	}()
	select {
	case p := <-ended:
		if p.Err == nil || ctx.Err() == nil {
			return p
		}
	case <-ctx.Done():
	}
	return Probe{Took: time.Since(begun), Err: engine.Errorf(engine.CodeUnavailable, op, "The %s did not answer within %v.", noun, time.Since(begun).Round(time.Millisecond)).
		Because(context.Cause(ctx)).WithHint("It may be loading its model: try again, or wait longer with --timeout. Otherwise check the address.")}
}

// line is what was said on one short line.
func line(s string) string {
	runes := []rune(strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)), " "))
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}

// sound is an engine.Source in memory.
type sound []byte

// Open implements engine.Source.
func (s sound) Open(_ context.Context, off, n int64) (io.ReadCloser, error) {
	b := s[min(off, int64(len(s))):]
	if n >= 0 {
		b = b[:min(n, int64(len(b)))]
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

// Size implements engine.Source.
func (s sound) Size() int64 { return int64(len(s)) }
