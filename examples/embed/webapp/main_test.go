package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

const video = "../../../testdata/conversation.mp4"

// TestMain runs the program instead of the tests if WEBAPP_MAIN is set.
func TestMain(m *testing.M) {
	if os.Getenv("WEBAPP_MAIN") == "1" {
		main()
	}
	os.Exit(m.Run())
}

// start starts the program on a folder, and returns its address and a function that kills it.
func start(t *testing.T, folder string) (address string, kill func()) {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil && os.Getenv("CI") != "true" {
		t.Skip("ffmpeg is missing: run `make setup`")
	}
	cmd := exec.Command(os.Args[0], folder, "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "WEBAPP_MAIN=1")
	out, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	kill = func() { _, _ = cmd.Process.Kill(), cmd.Wait() }
	t.Cleanup(kill)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, found, ok := strings.Cut(lines.Text(), "open "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return found, kill
		}
		t.Log(lines.Text())
	}
	require.Fail(t, "the program ended")
	return "", nil
}

// client is a browser without a page.
type client struct {
	http.Client
	t        *testing.T
	address  string
	progress float64 // the highest that was seen
}

func newClient(t *testing.T, address, name, password string) *client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	c := &client{Client: http.Client{Jar: jar}, t: t, address: address}
	c.post(200, "/login", "application/x-www-form-urlencoded", url.Values{"name": {name}, "password": {password}}.Encode())
	return c
}

func (c *client) do(status int, req *http.Request, err error) []byte {
	c.t.Helper()
	require.NoError(c.t, err)
	resp, err := c.Do(req)
	require.NoError(c.t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(c.t, err)
	require.Equal(c.t, status, resp.StatusCode, "%s", body)
	return body
}

func (c *client) get(status int, path string, header ...string) string {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.address+path, nil)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return string(c.do(status, req, err))
}

func (c *client) post(status int, path, contentType, body string) []byte {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.address+path, strings.NewReader(body))
	req.Header.Set("Content-Type", contentType)
	return c.do(status, req, err)
}

// recording is one of an event.
type recording struct{ ID, Title, Status string }

// until returns the recordings of the first list that ok accepts.
func (c *client) until(ok func([]recording) bool) []recording {
	c.t.Helper()
	resp, err := c.Get(c.address + "/events")
	require.NoError(c.t, err)
	defer func() { _ = resp.Body.Close() }()
	require.Equal(c.t, "text/event-stream", resp.Header.Get("Content-Type"))
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if data, found := strings.CutPrefix(lines.Text(), "data: "); found {
			var event struct {
				List     []recording
				ID       string
				Progress float64
			}
			require.NoError(c.t, json.Unmarshal([]byte(data), &event))
			if event.List != nil && ok(event.List) {
				return event.List
			}
			c.progress = max(c.progress, event.Progress)
		}
	}
	require.Fail(c.t, "the events ended")
	return nil
}

// A user sends a video to the storage, follows its transcription, and plays it with captions. No other user sees it, and it survives a kill.
func TestWebapp(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it reads a video")
	folder := t.TempDir()
	address, kill := start(t, folder)
	ann := newClient(t, address, "Ann", "correct horse")
	require.Contains(t, ann.get(200, "/"), "<title>Studio</title>")
	require.Empty(t, ann.until(func([]recording) bool { return true }))

	media, err := os.ReadFile(video)
	require.NoError(t, err)
	wanted, err := json.Marshal(map[string]any{"Filename": "talk.mp4", "ContentType": "video/mp4", "Size": len(media)})
	require.NoError(t, err)
	var upload struct {
		ID string
		To engine.Address
	}
	require.NoError(t, json.Unmarshal(ann.post(200, "/uploads", "application/json", string(wanted)), &upload))
	use := url.Values{"upload": {upload.ID}}.Encode()
	require.Contains(t, string(ann.post(400, "/recordings", "application/x-www-form-urlencoded", use)), "never arrived")
	put, err := http.NewRequestWithContext(t.Context(), upload.To.Method, upload.To.URL, bytes.NewReader(media))
	for name, value := range upload.To.Header {
		put.Header.Set(name, value)
	}
	ann.do(200, put, err)
	list := ann.until(func(list []recording) bool {
		if len(list) == 0 { // the events are being followed now
			ann.post(200, "/recordings", "application/x-www-form-urlencoded", use)
		}
		return len(list) == 1 && list[0].Status == "completed"
	})
	require.Positive(t, ann.progress)
	require.Equal(t, "talk.mp4", list[0].Title)

	path := "/recordings/" + list[0].ID
	require.Equal(t, string(media), ann.get(200, path+"/media"))
	require.Equal(t, string(media[100:200]), ann.get(206, path+"/media", "Range", "bytes=100-199"))
	require.Regexp(t, `^WEBVTT[\s\S]+ --> `, ann.get(200, path+"/captions"))

	bob := newClient(t, address, "Bob", "another horse")
	require.Empty(t, bob.until(func([]recording) bool { return true }))
	bob.get(400, path+"/media")
	bob.get(400, path+"/captions")
	bob.post(401, "/login", "application/x-www-form-urlencoded", "name=Ann&password=wrong")
	nobody := &client{t: t, address: address}
	nobody.get(401, path+"/media")
	nobody.get(401, "/events")
	nobody.post(401, "/uploads", "application/json", string(wanted))

	kill()
	address, _ = start(t, folder)
	ann = newClient(t, address, "Ann", "correct horse")
	require.Equal(t, list, ann.until(func([]recording) bool { return true }))
	require.Equal(t, string(media), ann.get(200, path+"/media"))
	(&client{t: t, address: address}).post(401, "/login", "application/x-www-form-urlencoded", "name=Ann&password=wrong")
}
