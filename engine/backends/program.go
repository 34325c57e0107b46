package backends

import (
	"context"
	"encoding/hex"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/command"
)

// around wraps a run of a transcriber's program.
type around func(ctx context.Context, c command.Call, run func() ([]byte, error)) ([]byte, error)

// recorded records a program's output. It skips failed runs, because they depend on the machine and not on the media.
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
		return answer, r.Keep(backend.Exchange{Kind: backend.KindCommand, Request: sent(c), Response: backend.ExchangeResponse{Body: body}})
	}
}

// replayed returns recorded output and runs nothing.
func replayed(p *backend.Player) around {
	return func(_ context.Context, c command.Call, _ func() ([]byte, error)) ([]byte, error) {
		got, err := p.Find(backend.KindCommand, sent(c))
		if err != nil {
			return nil, err
		}
		return got.Body.Bytes(), nil
	}
}

func sent(c command.Call) backend.ExchangeRequest {
	return backend.ExchangeRequest{Program: c.Program, Args: c.Args, Body: &backend.Payload{Size: c.Size, SHA256: hex.EncodeToString(c.SHA256[:])}}
}
