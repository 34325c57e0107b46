package backends

import (
	"context"
	"encoding/hex"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/command"
)

// around stands between a program and its transcriber.
type around func(ctx context.Context, c command.Call, run func() ([]byte, error)) ([]byte, error)

// recorded keeps what a program answers. A run without an answer is not kept: it says something of the machine, not of the sound.
func recorded(r *backend.Recorder) around {
	return func(_ context.Context, c command.Call, run func() ([]byte, error)) ([]byte, error) {
		answer, err := run()
		if err != nil {
			return nil, err
		}
		body := &backend.Payload{Base64: answer}
		if text := string(answer); utf8.ValidString(text) {
			body = &backend.Payload{Text: &text}
		}
		return answer, r.Keep(backend.Exchange{Kind: backend.KindCommand, Request: sent(c), Response: backend.Received{Body: body}})
	}
}

// replayed gives what was kept. Nothing is run.
func replayed(p *backend.Player) around {
	return func(_ context.Context, c command.Call, _ func() ([]byte, error)) ([]byte, error) {
		got, err := p.Find(backend.KindCommand, sent(c))
		if err != nil {
			return nil, err
		}
		return got.Body.Bytes(), nil
	}
}

func sent(c command.Call) backend.Sent {
	return backend.Sent{Program: c.Program, Args: c.Args, Body: &backend.Payload{Size: c.Size, SHA256: hex.EncodeToString(c.SHA256[:])}}
}
