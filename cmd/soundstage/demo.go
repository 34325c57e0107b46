package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/render"
)

// demoVideo and demoAudio are a short conversation between two synthetic voices (see testdata/README.md).
var (
	//go:embed demo.mp4
	demoVideo []byte
	//go:embed demo.m4a
	demoAudio []byte
)

func newDemo(std streams) *cobra.Command {
	var dir, base string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Run a full example: upload, recording, transcript, exports, clips",
		Long: `Starts a sandbox on a free port, uploads a short video of two people talking, and waits for the transcript. Then it saves the
transcript in every format of /v1 and renders a captioned clip and an audiogram. It uses HTTP, like any other client; only a page that
plays the video comes from the engine.

With --base-url, it runs against that server, with the secret in SOUNDSTAGE_SECRET, and leaves its recordings there.`,
		Example: `  soundstage demo
  soundstage demo -o /tmp/demo
  SOUNDSTAGE_SECRET=… soundstage demo --base-url http://localhost:8765`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if base == "" {
				return demoSandbox(cmd.Context(), dir, std)
			}
			return demoServer(cmd.Context(), strings.TrimRight(base, "/"), dir, std)
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "demo-output", "output `folder`")
	cmd.Flags().StringVar(&base, "base-url", "", "`address` of a running server, without /v1; default a sandbox of its own")
	return cmd
}

// demoSandbox runs the demo against a sandbox of its own.
func demoSandbox(ctx context.Context, dir string, std streams) (err error) {
	if err := (render.FFmpeg{}).CheckVersion(ctx); err != nil {
		return err
	}
	s, err := emulator.New(ctx, emulator.Options{Version: versionString()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	d := demoRun{client: client{base: s.URL(), secret: "sk_sandbox_platform"}, dir: dir, out: std.out}
	if err := d.run(ctx, "A sandbox"); err != nil {
		return err
	}
	d.say("The sandbox invents the words; their times and speakers follow the sound. Start a sandbox of your own with `soundstage serve`.")
	return nil
}

// demoServer runs the demo against a running server.
func demoServer(ctx context.Context, base, dir string, std streams) error {
	if u, err := url.Parse(base); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return engine.Errorf(engine.CodeInvalid, "demo", "%q is not a valid base URL.", base).WithHint("Give an http or https URL without /v1, for example http://127.0.0.1:8765.")
	}
	secret := os.Getenv("SOUNDSTAGE_SECRET")
	if secret == "" {
		return engine.Errorf(engine.CodeInvalid, "demo", "--base-url needs an API secret.").WithHint("Set SOUNDSTAGE_SECRET.")
	}
	d := demoRun{client: client{base: base, secret: secret}, dir: dir, out: std.out}
	return d.run(ctx, "The server")
}

// run runs the demo. who is the subject of its first sentence.
func (d demoRun) run(ctx context.Context, who string) error {
	start := time.Now()
	if err := os.MkdirAll(d.dir, 0o755); err != nil {
		return engine.Errorf(engine.CodeUnavailable, "demo", "The folder %s can't be created.", d.dir).WithHint("Choose another with -o.").Because(err)
	}
	d.say("1. %s is listening on %s.", who, d.base)
	video, err := d.record(ctx, "conversation.mp4", "video/mp4", demoVideo)
	if err != nil {
		return err
	}
	d.say("2. POST /v1/uploads reserved an object, PUT uploaded %d bytes of video, and POST /v1/recordings created recording %d.", len(demoVideo), video.Number)
	if err := d.wait(ctx, &video); err != nil {
		return err
	}
	d.say("3. Its transcript was %s after %d ms. It begins:\n", video.Status, time.Since(start).Milliseconds())
	if err := d.export(ctx, video); err != nil {
		return err
	}
	d.say("5. POST /v1/renders renders a captioned clip of the first seconds …")
	clip, err := d.render(ctx, video, "clip.mp4", "9:16", "Two people talking")
	if err != nil {
		return err
	}
	sound, err := d.record(ctx, "conversation.m4a", "audio/mp4", demoAudio)
	if err == nil {
		err = d.wait(ctx, &sound)
	}
	if err != nil {
		return err
	}
	d.say("6. … and an audiogram of a recording without video.")
	audiogram, err := d.render(ctx, sound, "audiogram.mp4", "1:1", "Two people talking")
	if err != nil {
		return err
	}
	d.say("\nDone in %.1f s. Look at %s and %s.", time.Since(start).Seconds(), clip, audiogram)
	return nil
}

// demoRun is one run of the demo.
type demoRun struct {
	client
	dir string
	out io.Writer
}

func (d demoRun) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

// record uploads media and creates a recording of it.
func (d demoRun) record(ctx context.Context, name, contentType string, body []byte) (demoRecording, error) {
	var upload struct {
		ObjectID  string `json:"object_id"`
		UploadURL string `json:"upload_url"`
	}
	var made struct {
		Recording demoRecording `json:"recording"`
	}
	err := writeFile(filepath.Join(d.dir, name), body)
	if err == nil {
		err = d.call(ctx, "POST", "/v1/uploads", map[string]any{"filename": name, "content_type": contentType, "content_size": len(body)}, &upload)
	}
	if err == nil {
		err = d.put(ctx, upload.UploadURL, contentType, body)
	}
	if err == nil {
		err = d.call(ctx, "POST", "/v1/recordings", map[string]any{"object_id": upload.ObjectID, "speakers_expected": 2}, &made)
	}
	return made.Recording, err
}

// wait polls a recording until its transcript is completed.
func (d demoRun) wait(ctx context.Context, r *demoRecording) error {
	for r.Status != "completed" {
		var got struct {
			Recording demoRecording `json:"recording"`
		}
		if err := d.call(ctx, "GET", "/v1/recordings/"+r.ID, nil, &got); err != nil {
			return err
		}
		if *r = got.Recording; r.Status == "error" {
			return engine.Errorf(engine.CodeInternal, "demo", "The transcript failed.")
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// export saves the transcript in every format of /v1, and as a page.
func (d demoRun) export(ctx context.Context, r demoRecording) error {
	var made []string
	page := ""
	for _, f := range formats.Standard() {
		body, err := d.get(ctx, d.base+"/v1/recordings/"+r.ID+"/transcript?format="+f.Name)
		if err != nil {
			return err
		}
		path := filepath.Join(d.dir, "conversation"+f.Extension)
		if err := writeFile(path, body); err != nil {
			return err
		}
		made = append(made, fmt.Sprintf("   %-34s %6d bytes", path, len(body)))
		switch f.Name {
		case "txt":
			d.say("%s", indent(firstLines(string(body), 8)))
		case "json":
			if page, err = d.page(body); err != nil {
				return err
			}
		}
	}
	d.say("4. GET /v1/recordings/…/transcript exported it in %d formats:\n%s", len(made), strings.Join(made, "\n"))
	d.say("   The engine has more formats: %s plays the video, and follows it in the transcript.", page)
	return nil
}

// render renders the recording's first 12 s and saves the video.
func (d demoRun) render(ctx context.Context, r demoRecording, name, aspect, title string) (path string, err error) {
	var got struct {
		Render struct {
			ID       string  `json:"id"`
			Status   string  `json:"status"`
			Message  string  `json:"message"`
			AssetURL *string `json:"asset_url"`
		} `json:"render"`
	}
	err = d.call(ctx, "POST", "/v1/renders", map[string]any{
		"recording_id": r.ID, "start_ms": 0, "end_ms": 12_000, "aspect_ratio": aspect, "title": title,
	}, &got)
	for err == nil && got.Render.Status == "rendering" {
		if err = pause(ctx, 50*time.Millisecond); err == nil {
			err = d.call(ctx, "GET", "/v1/renders/"+got.Render.ID, nil, &got)
		}
	}
	if err == nil && got.Render.Status != "completed" {
		err = engine.Errorf(engine.CodeUnavailable, "demo", "The render failed: %s", got.Render.Message)
	}
	if err != nil {
		return "", err
	}
	body, err := d.get(ctx, *got.Render.AssetURL)
	if err != nil {
		return "", err
	}
	path = filepath.Join(d.dir, name)
	return path, writeFile(path, body)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

type demoRecording struct {
	ID     string `json:"id"`
	Number int    `json:"number"`
	Status string `json:"transcript_status"`
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.TrimRight(strings.Join(lines[:min(n, len(lines))], "\n"), "\n")
}

func indent(s string) string { return "     " + strings.ReplaceAll(s, "\n", "\n     ") + "\n" }
