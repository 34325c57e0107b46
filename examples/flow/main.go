// Command flow runs the whole workflow with Go's standard library: upload → recording → webhook → transcript → render.
//
//	soundstage exec --allow-private-urls -- go run ./examples/flow talk.mp4 out
package main

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

var url, secret = os.Getenv("SOUNDSTAGE_URL"), os.Getenv("SOUNDSTAGE_SECRET") // soundstage exec sets both

func main() {
	log.SetFlags(0)
	if url == "" || secret == "" || len(os.Args) < 2 {
		log.Fatal("usage: soundstage exec --allow-private-urls -- flow MEDIA [FOLDER]")
	}
	out := "."
	if len(os.Args) > 2 {
		out = os.Args[2]
	}
	if err := flow(os.Args[1], out); err != nil {
		log.Fatal(err)
	}
}

func flow(media, out string) error {
	// 1. Start a webhook receiver that passes on the headers and the exact body. In production, this is your web server.
	received := make(chan delivery, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err == nil {
			select {
			case received <- delivery{req.Header, body}:
			default: // one is enough
			}
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()

	// 2. Subscribe the receiver. The response is the only one with the webhook's secret.
	var hook struct {
		Webhook struct{ ID, Secret string }
	}
	err := call("POST", "/v1/webhooks", map[string]any{"url": receiver.URL, "events": []string{"transcript.completed"}}, &hook)
	if err != nil {
		return err
	}
	fmt.Println("webhook:", hook.Webhook.ID)

	// 3. and 4. Upload the media and create a recording, which starts the transcription.
	object, err := upload(media)
	if err != nil {
		return err
	}
	fmt.Println("uploaded:", object)
	var made struct {
		Recording struct{ ID string }
	}
	if err := call("POST", "/v1/recordings", map[string]any{"object_id": object}, &made); err != nil {
		return err
	}
	fmt.Println("recording:", made.Recording.ID)

	// 5. Wait for the webhook, and verify it before use.
	var d delivery
	select {
	case d = <-received:
	case <-time.After(2 * time.Minute):
		return errors.New("no webhook received within 2 minutes")
	}
	e, err := d.verified(hook.Webhook.Secret)
	if err != nil {
		return err
	}
	if e.Data.RecordingID != made.Recording.ID {
		return errors.New("the webhook is about another recording")
	}
	fmt.Println("verified:", e.Type)

	// 6. Save the transcript as captions.
	captions, err := send("GET", url+"/v1/recordings/"+made.Recording.ID+"/transcript?format=vtt", "", nil)
	if err != nil {
		return err
	}
	if err := save(out, "talk.vtt", captions); err != nil {
		return err
	}
	fmt.Println("transcript:", filepath.Join(out, "talk.vtt"))

	// 7. Render a captioned clip of the first 12 s.
	clip, err := render(made.Recording.ID)
	if err != nil {
		return err
	}
	if err := save(out, "clip.mp4", clip); err != nil {
		return err
	}
	fmt.Println("render:", filepath.Join(out, "clip.mp4"))
	return nil
}

// upload reserves an object, then PUTs the bytes to the signed URL with the declared type and without the secret.
func upload(media string) (object string, err error) {
	types := map[string]string{".mp4": "video/mp4", ".m4a": "audio/mp4", ".mp3": "audio/mpeg"}
	contentType := cmp.Or(types[filepath.Ext(media)], "audio/wav")
	content, err := os.ReadFile(media)
	if err != nil {
		return "", err
	}
	var reserved struct {
		ObjectID  string `json:"object_id"`
		UploadURL string `json:"upload_url"`
	}
	err = call("POST", "/v1/uploads", map[string]any{"filename": filepath.Base(media), "content_type": contentType, "content_size": len(content)}, &reserved)
	if err != nil {
		return "", err
	}
	_, err = send("PUT", reserved.UploadURL, contentType, content)
	return reserved.ObjectID, err
}

// render renders a clip of a recording's first 12 s and returns the video.
func render(recording string) ([]byte, error) {
	var made struct {
		Render struct {
			ID, Status, Message string
			AssetURL            string `json:"asset_url"`
		}
	}
	err := call("POST", "/v1/renders", map[string]any{"recording_id": recording, "start_ms": 0, "end_ms": 12_000, "aspect_ratio": "1:1"}, &made)
	for err == nil && made.Render.Status == "rendering" {
		time.Sleep(200 * time.Millisecond)
		err = call("GET", "/v1/renders/"+made.Render.ID, nil, &made)
	}
	if err != nil {
		return nil, err
	}
	if made.Render.Status != "completed" {
		return nil, fmt.Errorf("the render failed: %s", made.Render.Message)
	}
	return send("GET", made.Render.AssetURL, "", nil)
}

// delivery is a webhook request.
type delivery struct {
	header http.Header
	body   []byte
}

// event is the body of a webhook.
type event struct {
	Type string
	Data struct {
		RecordingID string `json:"recording_id"`
	}
}

// verified returns the event of a delivery if its signature is valid and its timestamp is recent (Standard Webhooks).
func (d delivery) verified(secret string) (e event, err error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return e, err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", d.header.Get("webhook-id"), d.header.Get("webhook-timestamp"), d.body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	right := false
	for _, got := range strings.Fields(d.header.Get("webhook-signature")) {
		right = right || hmac.Equal([]byte(got), []byte(want))
	}
	at, err := strconv.ParseInt(d.header.Get("webhook-timestamp"), 10, 64)
	switch {
	case !right:
		return e, errors.New("the signature is invalid")
	case err != nil || time.Since(time.Unix(at, 0)).Abs() > 5*time.Minute:
		return e, errors.New("the webhook's timestamp is invalid or more than 5 minutes off")
	}
	return e, json.Unmarshal(d.body, &e)
}

// call sends a request to the API, with JSON in both directions.
func call(method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	answer, err := send(method, url+path, "application/json", body)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, out)
}

// send sends a request and returns the body of the response. An error includes the body, which says what is wrong. Only
// requests to the API carry the secret.
func send(method, address, contentType string, body []byte) ([]byte, error) {
	req, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if strings.HasPrefix(address, url+"/v1/") {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, address, resp.Status, answer)
	}
	return answer, err
}

func save(folder, name string, content []byte) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name), content, 0o644)
}
