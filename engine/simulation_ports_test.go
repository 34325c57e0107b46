package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/podcast"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// shakyPorts implements the ports that do work.
type shakyPorts struct{ *process }

// begin is the common part of a call: it takes time, and may fail.
func (p shakyPorts) begin(ctx context.Context, port string, longest time.Duration, permanent engine.Code, more ...fault) (fault, error) {
	if err := p.enter(ctx, port); err != nil {
		return fine, err
	}
	f := p.process.fault(ctx, port, append([]fault{busy, busy, broken, hangs}, more...)...)
	if f == fine || f >= garbled {
		p.work(ctx, longest)
	}
	if err := p.fail(ctx, f, permanent); err != nil {
		return f, err
	}
	if p.isDead() {
		return f, errDead
	}
	return f, nil
}

func (p shakyPorts) Probe(ctx context.Context, _ engine.Source) (engine.MediaInfo, error) {
	f, err := p.begin(ctx, "media", time.Second, engine.CodeBadMedia, garbled, panics)
	info := engine.MediaInfo{Format: "wav", Duration: 20 * time.Second, Audio: &engine.AudioStream{Codec: "pcm_s16le"}}
	if f == garbled {
		info.Duration = []time.Duration{-1, 0, 100 * time.Hour, 3 * time.Second}[p.below(ctx, 4, "nonsense")]
	}
	return info, err
}

func (p shakyPorts) Decode(ctx context.Context, _ engine.Source) (io.ReadCloser, error) {
	f, err := p.begin(ctx, "media", time.Second, engine.CodeBadMedia, halfway)
	pcm := io.Reader(bytes.NewReader(make([]byte, 320)))
	if f == halfway {
		pcm = io.MultiReader(pcm, failingReader{})
	}
	return io.NopCloser(pcm), err
}

const talk = "A: Welcome to the show about small engines.\nB: Thank you for having me.\nA: What breaks first?\nB: The queue breaks first."

func (p shakyPorts) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	_, _ = req.Checkpoints.Load(ctx, "job")
	_ = req.Checkpoints.Save(ctx, "job", []byte("checkpoint"))
	f, err := p.begin(ctx, "transcriber", 90*time.Second, engine.CodeBadMedia, garbled, halfway, panics)
	out := engine.Transcription{Words: sample.Dialogue(talk)}
	switch {
	case err != nil:
		return engine.Transcription{}, err
	case f == garbled:
		out.Words = []transcript.Word{sample.Said("", "", 9000, -5), sample.Said("", "late", 5000, 4000), sample.Said("B", "\x00", 0, 1<<40)}
	case f == halfway:
		out.Words = out.Words[:3]
	case p.percent(ctx, 30, "unlabelled"):
		for i := range out.Words {
			out.Words[i].Speaker = ""
		}
	}
	return out, nil
}

func (p shakyPorts) Diarize(ctx context.Context, pcm io.Reader, _ transcript.DiarizeOptions) ([]transcript.Turn, error) {
	_, err := p.begin(ctx, "diarizer", time.Minute, engine.CodeBadMedia, panics)
	if _, readErr := io.Copy(io.Discard, pcm); err == nil {
		err = readErr
	}
	return []transcript.Turn{{End: 5 * time.Second}, {Start: 5 * time.Second, End: time.Minute, Speaker: 1}}, err
}

func (p shakyPorts) Check(ctx context.Context, _ string) error {
	return p.enter(ctx, "check")
}

func (p shakyPorts) Fetch(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	f, err := p.begin(ctx, "fetcher", 30*time.Second, engine.CodeDownload, halfway, panics)
	if err != nil {
		return engine.FetchInfo{}, err
	}
	media := strings.Repeat("m", 1+p.below(ctx, 50, "size"))
	for i, part := range []string{media[:len(media)/2], media[len(media)/2:]} {
		if i == 1 && f == halfway {
			return engine.FetchInfo{}, engine.Errorf(engine.CodeDownload, "", "The connection broke.").Transient()
		}
		if _, err := io.WriteString(w, part); err != nil {
			return engine.FetchInfo{}, err
		}
		if r.Progress != nil {
			r.Progress(int64(len(part)), int64(len(media)))
		}
	}
	return engine.FetchInfo{URL: r.URL, Filename: "talk.mp3", Size: int64(len(media))}, nil
}

func (p shakyPorts) Resolve(ctx context.Context, page string) (engine.Resolved, error) {
	_, err := p.begin(ctx, "fetcher", 3*time.Second, engine.CodeDownload)
	return engine.Resolved{URL: page + "/media.mp3", Title: "A page"}, err
}

func (p shakyPorts) ReadFeed(ctx context.Context, _ string) (podcast.Feed, error) {
	f, err := p.begin(ctx, "fetcher", 3*time.Second, engine.CodeDownload, garbled)
	feed := podcast.Feed{Title: "Show", Items: []podcast.Item{feedItem("one"), feedItem("two")}}
	if f == garbled {
		feed.Items = append(feed.Items, feedItem("one"), podcast.Item{GUID: "\x00", URL: "nonsense"})
	}
	return feed, err
}

func (p shakyPorts) Render(ctx context.Context, r engine.RenderRequest) (string, error) {
	f, err := p.begin(ctx, "renderer", time.Minute, engine.CodeBadMedia, halfway, panics)
	if err != nil {
		return "", err
	}
	r.Progress(0.5, "Encoding.")
	if _, err := io.WriteString(r.Output, "video"); err != nil {
		return "", err
	}
	if f == halfway {
		return "", engine.Errorf(engine.CodeUnavailable, "", "The encoder was killed.").Transient()
	}
	return "", nil
}

func (p shakyPorts) ContextTokens() int { return 8000 }

func (p shakyPorts) Write(ctx context.Context, _ engine.WriteRequest) (string, error) {
	f, err := p.begin(ctx, "llm", 20*time.Second, engine.CodeUnsupported, garbled, panics)
	text := "It is about engines [1.1]."
	if f == garbled {
		text = []string{"", "\xff\x00", "[none]", "[9.9]", strings.Repeat("x", 200_000)}[p.below(ctx, 5, "nonsense")]
	}
	return text, err
}

func (p shakyPorts) Suggest(ctx context.Context, t engine.Transcript, _ int) ([]clips.Suggestion, error) {
	f, err := p.begin(ctx, "llm", 20*time.Second, engine.CodeUnsupported, garbled, panics)
	if f == garbled {
		return []clips.Suggestion{{Kind: "nonsense", Window: transcript.Window{Start: -1}}}, nil
	}
	return clips.Suggest(t.Transcript), err
}

func (p shakyPorts) Translate(ctx context.Context, r engine.TranslateRequest) ([]string, error) {
	f, err := p.begin(ctx, "translator", 10*time.Second, engine.CodeUnsupported, garbled, halfway)
	switch {
	case err != nil:
		return nil, err
	case f == halfway:
		return r.Texts[:len(r.Texts)-1], nil
	case f == garbled:
		return make([]string, len(r.Texts)), nil
	}
	return r.Texts, nil
}

// Send delivers to the simulation's receiver.
func (p shakySender) Send(ctx context.Context, r engine.SendRequest) (engine.SendResponse, error) {
	p.sim.checkReceiver(r)
	f, err := shakyPorts(p).begin(ctx, "sender", 5*time.Second, engine.CodeUnavailable, lost, garbled, halfway)
	if err != nil {
		return engine.SendResponse{}, err
	}
	status := 200
	switch {
	case f == garbled:
		status = []int{302, 400, 410, 429, 500, 502}[p.below(ctx, 6, "status")]
	case p.percent(ctx, 10, "202"):
		status = 202
	}
	if !p.sim.deaf {
		p.sim.received(r, status)
	}
	if f == lost || f == halfway {
		return engine.SendResponse{}, fmt.Errorf("read: %w", io.ErrUnexpectedEOF)
	}
	return engine.SendResponse{Status: status, RetryAfter: p.span(ctx, time.Minute, "after")}, nil
}

// shakySender is the Sender; its Check is that of the Fetcher.
type shakySender shakyPorts

func (p shakySender) Check(ctx context.Context, url string) error {
	return shakyPorts(p).Check(ctx, url)
}
