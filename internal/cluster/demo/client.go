package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// client is a minimal client of /v1.
type client struct{ base, secret string }

// record uploads media, creates a recording, and waits for its transcript.
func (c client) record(ctx context.Context, name, contentType string, body []byte) (id string, err error) {
	var upload struct {
		ObjectID  string `json:"object_id"`
		UploadURL string `json:"upload_url"`
	}
	if err := c.call(ctx, "POST", "/v1/uploads", map[string]any{"filename": name, "content_type": contentType, "content_size": len(body)}, &upload); err != nil {
		return "", err
	}
	if _, err := c.do(ctx, "PUT", upload.UploadURL, contentType, body); err != nil {
		return "", err
	}
	var got struct {
		Recording struct {
			ID     string `json:"id"`
			Status string `json:"transcript_status"`
		} `json:"recording"`
	}
	err = c.call(ctx, "POST", "/v1/recordings", map[string]any{"object_id": upload.ObjectID, "speakers_expected": 2}, &got)
	for err == nil && got.Recording.Status != "completed" {
		if got.Recording.Status == "error" {
			return "", errors.New("the transcription failed")
		}
		if err = pause(ctx, poll); err == nil {
			err = c.call(ctx, "GET", "/v1/recordings/"+got.Recording.ID, nil, &got)
		}
	}
	return got.Recording.ID, err
}

type renderBody struct {
	Render struct {
		ID       string `json:"id"`
		Status   string `json:"status"`
		AssetURL string `json:"asset_url"`
	} `json:"render"`
}

// createRender starts to render the beginning of a recording.
func (c client) createRender(ctx context.Context, recording string, length time.Duration) (id string, err error) {
	var got renderBody
	err = c.call(ctx, "POST", "/v1/renders", map[string]any{
		"recording_id": recording, "start_ms": 0, "end_ms": length.Milliseconds(), "aspect_ratio": "9:16", "title": "Still here",
	}, &got)
	return got.Render.ID, err
}

// render returns the status of a render, and the address of its video once it is completed.
func (c client) render(ctx context.Context, id string) (status, address string, err error) {
	var got renderBody
	err = c.call(ctx, "GET", "/v1/renders/"+id, nil, &got)
	return got.Render.Status, got.Render.AssetURL, err
}

// call sends JSON to a path and decodes the answer.
func (c client) call(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	answer, err := c.do(ctx, method, c.base+path, "application/json", body)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, out)
}

// do sends a request. Only the API receives the secret.
func (c client) do(ctx context.Context, method, url, contentType string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(url, c.base+"/v1/") {
		req.Header.Set("Authorization", "Bearer "+c.secret)
	}
	if body != nil {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, url, resp.Status, answer)
	}
	return answer, err
}
