package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/formats"
)

// demoMedia is a short conversation of two voices, the project's own (testdata/README.md says how it was made).
//
//go:embed demo.mp4
var demoMedia []byte

func newDemo(std streams) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the main job on real media: upload, recording, transcript, exports",
		Long: `Starts a sandbox on a free port, sends it a short video of two people talking, waits for the transcript, and writes it in
every format to a folder: all over HTTP, as any client would.`,
		Example: `  soundstage demo
  soundstage demo -o /tmp/demo`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd.Context(), dir, std) },
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "demo-output", "`folder` for what it makes")
	return cmd
}

func demo(ctx context.Context, dir string, std streams) (err error) {
	start := time.Now()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return engine.Errorf(engine.CodeUnavailable, "demo", "The folder %s can't be made.", dir).WithHint("Choose another with -o.").Because(err)
	}
	s, err := emulator.New(ctx, emulator.Options{Version: versionString()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	c := client{base: s.URL(), secret: "sk_sandbox_platform"}
	say := func(format string, args ...any) { fmt.Fprintf(std.out, format+"\n", args...) }
	say("1. A sandbox is listening on %s.", c.base)

	media := filepath.Join(dir, "conversation.mp4")
	if err := writeFile(media, demoMedia); err != nil {
		return err
	}
	var upload struct {
		ObjectID  string `json:"object_id"`
		UploadURL string `json:"upload_url"`
	}
	if err := c.call(ctx, "POST", "/v1/uploads", map[string]any{
		"filename": "conversation.mp4", "content_type": "video/mp4", "content_size": len(demoMedia),
	}, &upload); err != nil {
		return err
	}
	if err := c.put(ctx, upload.UploadURL, "video/mp4", demoMedia); err != nil {
		return err
	}
	say("2. POST /v1/uploads reserved %s…, PUT sent it %d bytes of video.", upload.ObjectID[:12], len(demoMedia))

	var made demoRecording
	if err := c.call(ctx, "POST", "/v1/recordings", map[string]any{"object_id": upload.ObjectID, "title": "A conversation", "speakers_expected": 2}, &made); err != nil {
		return err
	}
	say("3. POST /v1/recordings made recording number %d; its transcript is %s.", made.Recording.Number, made.Recording.Status)
	polls := 0
	for made.Recording.Status == "queued" || made.Recording.Status == "processing" {
		polls++
		if err := c.call(ctx, "GET", "/v1/recordings/"+made.Recording.ID, nil, &made); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	if made.Recording.Status != "completed" {
		return engine.Errorf(engine.CodeInternal, "demo", "The transcript ended as %s.", made.Recording.Status)
	}
	say("4. After %d polls it is %s. It begins:\n", polls, made.Recording.Status)
	var files []string
	for _, f := range formats.All() {
		body, err := c.get(ctx, "/v1/recordings/"+made.Recording.ID+"/transcript?format="+f.Name)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, "conversation"+f.Extension)
		if err := writeFile(path, body); err != nil {
			return err
		}
		files = append(files, fmt.Sprintf("   %-32s %6d bytes", path, len(body)))
		if f.Name == "txt" {
			say("%s", indent(firstLines(string(body), 9)))
		}
	}
	say("5. GET /v1/recordings/…/transcript gave it in %d formats:\n%s", len(files), strings.Join(files, "\n"))
	say("\nDone in %d ms. The video itself is %s: play it with one of the captions.", time.Since(start).Milliseconds(), media)
	say("The words are invented by the sandbox; their times and speakers follow the sound. `soundstage serve` keeps one running.")
	return nil
}

type demoRecording struct {
	Recording struct {
		ID     string `json:"id"`
		Number int    `json:"number"`
		Status string `json:"transcript_status"`
	} `json:"recording"`
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.TrimRight(strings.Join(lines[:min(n, len(lines))], "\n"), "\n")
}

func indent(s string) string { return "     " + strings.ReplaceAll(s, "\n", "\n     ") + "\n" }

// client is as much of a client of /v1 as the demonstration needs.
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

func (c client) get(ctx context.Context, path string) ([]byte, error) {
	return c.do(ctx, http.MethodGet, c.base+path, "", nil)
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
	req.Header.Set("Authorization", "Bearer "+c.secret)
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
