package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// client is a minimal client of the /v1 API.
type client struct{ base, secret string }

func (c client) call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(b)
	}
	b, err := c.do(ctx, method, c.base+path, "application/json", body)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, out)
}

func (c client) get(ctx context.Context, url string) ([]byte, error) {
	return c.do(ctx, http.MethodGet, url, "", nil)
}

func (c client) put(ctx context.Context, url, contentType string, b []byte) error {
	_, err := c.do(ctx, http.MethodPut, url, contentType, bytes.NewReader(b))
	return err
}

func (c client) do(ctx context.Context, method, url, contentType string, body io.Reader) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(url, c.base+"/") { // a storage must not receive the secret, and rejects it beside a signature
		req.Header.Set("Authorization", "Bearer "+c.secret)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, url, resp.Status, b)
	}
	return b, err
}
