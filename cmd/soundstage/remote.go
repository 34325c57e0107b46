package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
)

// defaultServer is where `soundstage serve` listens.
const defaultServer = "http://127.0.0.1:8765"

// remote is a served sandbox that a command talks to over its control API.
type remote struct {
	server string // as the flag says; "" is SOUNDSTAGE_URL, else defaultServer
	world  string
	token  string // of its control API; "" for none
}

func (s *remote) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.server, "server", "", "`URL` of the sandbox; default $SOUNDSTAGE_URL, else "+defaultServer)
	cmd.Flags().StringVar(&s.world, "world", "", "`name` of the sandbox's world; default the default one")
	cmd.Flags().StringVar(&s.token, "control-token", "", "`token` of the sandbox's control API, if it needs one")
}

// base is the address of the sandbox without a slash at its end. CodeInvalid.
func (s *remote) base() (string, error) {
	base := cmp.Or(s.server, os.Getenv("SOUNDSTAGE_URL"), defaultServer)
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", engine.Errorf(engine.CodeInvalid, "sandbox", "%q is not the address of a sandbox.", base).WithHint("Give --server http://HOST:PORT.")
	}
	return strings.TrimRight(base, "/"), nil
}

// open sends a request to the control API and returns the answer when it is 200. CodeUnavailable when no sandbox answers; else what the
// sandbox says.
func (s *remote) open(ctx context.Context, method, path string, body any) (*http.Response, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return s.send(ctx, method, path, "application/json", bytes.NewReader(raw))
}

// send is open with a body of any type.
func (s *remote) send(ctx context.Context, method, path, contentType string, body io.Reader) (*http.Response, error) {
	base, err := s.base()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, base+"/_soundstage/"+path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", contentType)
	if s.token != "" {
		req.Header.Set("X-Soundstage-Token", s.token)
	}
	if s.world != "" {
		req.Header.Set("X-Soundstage-World", s.world)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, engine.Errorf(engine.CodeUnavailable, "sandbox", "No sandbox answers at %s.", base).
			WithHint("Start one with `soundstage serve`, or say with --server where it is.").Because(err)
	}
	if res.StatusCode == http.StatusOK {
		return res, nil
	}
	defer func() { _ = res.Body.Close() }()
	return nil, refusal(base, res)
}

// refusal is what a sandbox says when it refuses a request.
func refusal(base string, res *http.Response) error {
	var said struct{ Error, Hint string }
	raw, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	if json.Unmarshal(raw, &said) != nil || said.Error == "" {
		return engine.Errorf(engine.CodeUnavailable, "sandbox", "What answers at %s is no Soundstage sandbox.", base).
			WithHint("Start one with `soundstage serve`, or say with --server where it is.")
	}
	code := engine.CodeUnavailable
	switch res.StatusCode {
	case http.StatusBadRequest:
		code = engine.CodeInvalid
	case http.StatusUnauthorized, http.StatusForbidden:
		code = engine.CodeForbidden
	case http.StatusNotFound:
		code = engine.CodeNotFound
	case http.StatusConflict:
		code = engine.CodeConflict
	case http.StatusRequestEntityTooLarge:
		code = engine.CodeTooLarge
	case http.StatusRequestTimeout:
		code = engine.CodeNotReady
	}
	return engine.Errorf(code, "sandbox", "%s", said.Error).WithHint(said.Hint)
}

// call is open for an answer that is one JSON value.
func (s *remote) call(ctx context.Context, method, path string, body, into any) error {
	res, err := s.open(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		return engine.Errorf(engine.CodeUnavailable, "sandbox", "The sandbox's answer can't be read.").Because(err)
	}
	return nil
}
