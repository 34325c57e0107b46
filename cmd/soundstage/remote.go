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

// defaultServer is the default address of `soundstage serve`.
const defaultServer = "http://127.0.0.1:8765"

// remote is a running sandbox, which a command reaches over the control API.
type remote struct {
	server string // --server; "" for SOUNDSTAGE_URL, else defaultServer
	world  string
	token  string // control API token; "" for none
}

func (s *remote) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.server, "server", "", "`URL` of the sandbox; default $SOUNDSTAGE_URL, else "+defaultServer)
	cmd.Flags().StringVar(&s.world, "world", "", "`name` of the sandbox's world; default is the default world")
	cmd.Flags().StringVar(&s.token, "control-token", "", "`token` of the sandbox's control API, if it requires one")
}

// base returns the address of the sandbox without a trailing slash. It returns CodeInvalid if the address is not an HTTP URL.
func (s *remote) base() (string, error) {
	base := cmp.Or(s.server, os.Getenv("SOUNDSTAGE_URL"), defaultServer)
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", engine.Errorf(engine.CodeInvalid, "sandbox", "%q is not a valid sandbox URL.", base).WithHint("Use --server http://HOST:PORT.")
	}
	return strings.TrimRight(base, "/"), nil
}

// open sends a request to the control API and returns the response if its status is 200. It returns CodeUnavailable if no sandbox
// answers; otherwise the sandbox's error.
func (s *remote) open(ctx context.Context, method, path string, body any) (*http.Response, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return s.send(ctx, method, path, "application/json", bytes.NewReader(raw))
}

// send is like open, with a body of any type.
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
			WithHint("Start one with `soundstage serve`, or set --server to its address.").Because(err)
	}
	if res.StatusCode == http.StatusOK {
		return res, nil
	}
	defer func() { _ = res.Body.Close() }()
	return nil, responseError(base, res)
}

// responseError returns a sandbox's error response as an error.
func responseError(base string, res *http.Response) error {
	var said struct{ Error, Hint string }
	raw, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	if json.Unmarshal(raw, &said) != nil || said.Error == "" {
		return engine.Errorf(engine.CodeUnavailable, "sandbox", "The server at %s is not a Soundstage sandbox.", base).
			WithHint("Start one with `soundstage serve`, or set --server to its address.")
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

// call is like open, and decodes the JSON response.
func (s *remote) call(ctx context.Context, method, path string, body, into any) error {
	res, err := s.open(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		return engine.Errorf(engine.CodeUnavailable, "sandbox", "The sandbox's response can't be read.").Because(err)
	}
	return nil
}
