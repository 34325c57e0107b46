// Command scenario uploads a recording, reads its transcript, and downloads a render of it. It uses the clients that ogen generates from the
// contracts into the packages client and control, which are not committed. It exits with 1 at the first unexpected response. The environment
// is the same as for the other Go scenario.
package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"time"

	"scenario/client"
	"scenario/control"
)

const patience = 90 * time.Second

// secret is the API secret of each request.
type secret string

func (s secret) Secret(context.Context, client.OperationName) (client.Secret, error) {
	return client.Secret{Token: string(s)}, nil
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	api, err := client.NewClient(os.Getenv("BASE_URL"), secret(os.Getenv("SECRET")))
	must(err)
	recordingID := record(ctx, api, upload(ctx, api))
	video := download(ctx, api, render(ctx, api, recordingID))
	check(len(video) > 1000 && string(video[4:8]) == "ftyp", "no video, but %d bytes", len(video))
	refuse(ctx)
	fmt.Println("done")
}

func upload(ctx context.Context, api *client.Client) (objectID string) {
	const contentType = "application/octet-stream" // the only one that this client sends
	file, err := os.Open(os.Getenv("MEDIA"))
	must(err)
	info, err := file.Stat()
	must(err)
	up := want[client.Upload](api.CreateUpload(ctx, &client.NewUpload{Filename: "talk.m4a", ContentType: contentType, ContentSize: info.Size()}))
	signed, query := parse(up.UploadURL.String())
	want[client.PutObjectOK](api.PutObject(ctx, client.PutObjectReq{Data: file}, client.PutObjectParams{
		ObjectID: path.Base(signed), Ct: query("ct"), Size: query("size"), Exp: query("exp"), Kid: query("kid"), Sig: query("sig"),
	}))
	return up.ObjectID
}

func record(ctx context.Context, api *client.Client, objectID string) (id string) {
	id = want[client.RecordingBody](api.CreateRecording(ctx, &client.NewRecording{ObjectID: objectID})).Recording.ID.String()
	for {
		switch now := want[client.RecordingBody](api.GetRecording(ctx, client.GetRecordingParams{ID: id})).Recording; now.TranscriptStatus {
		case client.RecordingTranscriptStatusCompleted:
			t := want[client.RecordingTranscriptHeaders](api.GetRecordingTranscript(ctx, client.GetRecordingTranscriptParams{ID: id})).Response
			check(len(t.Utterances) > 1 && t.Utterances[0].End > t.Utterances[0].Start, "unexpected transcript: %+v", t)
			return id
		case client.RecordingTranscriptStatusError:
			check(false, "the transcription failed")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func render(ctx context.Context, api *client.Client, recordingID string) (address string) {
	id := want[client.RenderBody](api.CreateRender(ctx, &client.NewRender{
		RecordingID: recordingID, StartMs: client.NewOptNilInt64(0), EndMs: client.NewOptNilInt64(5000), AspectRatio: client.NewOptNilString("1:1"),
	})).Render.ID.String()
	for {
		switch now := want[client.RenderBody](api.GetRender(ctx, client.GetRenderParams{ID: id})).Render; now.Status {
		case client.RenderStatusCompleted:
			return now.AssetURL.Value
		case client.RenderStatusFailed:
			check(false, "the render failed: %s", now.Message)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func download(ctx context.Context, api *client.Client, address string) []byte {
	signed, query := parse(address)
	video := want[client.GetObjectOK](api.GetObject(ctx, client.GetObjectParams{
		ObjectID: path.Base(signed), Ct: query("ct"), Size: query("size"), Exp: query("exp"), Kid: query("kid"), Sig: query("sig"),
	}))
	b, err := io.ReadAll(video)
	must(err)
	return b
}

// refuse provokes a 403 of the core tier, and reads the control API.
func refuse(ctx context.Context) {
	core, err := client.NewClient(os.Getenv("BASE_URL"), secret(os.Getenv("CORE_SECRET")))
	must(err)
	tier := want[client.TierError](core.GetUsage(ctx))
	check(tier.RequiredTier.Value == client.TierPlatform && tier.CurrentTier.Value == client.TierCore, "unexpected tiers: %+v", tier)
	c, err := control.NewClient(os.Getenv("BASE_URL"), noToken{})
	must(err)
	found := want[control.Requests](c.ListRequests(ctx, control.ListRequestsParams{Op: control.NewOptString("putObject")}))
	check(found.Count >= 0, "unexpected requests: %+v", found)
}

// noToken authenticates nothing: the control API trusts this machine.
type noToken struct{}

func (noToken) Bearer(context.Context, control.OperationName) (control.Bearer, error) {
	return control.Bearer{}, nil
}

func (noToken) Token(context.Context, control.OperationName) (control.Token, error) {
	return control.Token{}, nil
}

// parse returns the path of a signed URL, and a function that returns a parameter of its query.
func parse(address string) (signed string, query func(string) client.OptString) {
	u, err := url.Parse(address)
	must(err)
	return u.Path, func(name string) client.OptString {
		if !u.Query().Has(name) {
			return client.OptString{}
		}
		return client.NewOptString(u.Query().Get(name))
	}
}

// want returns a response of the expected type.
func want[T any](response any, err error) *T {
	must(err)
	t, ok := response.(*T)
	if !ok {
		if r, is := response.(io.Reader); is {
			b, _ := io.ReadAll(r)
			check(false, "unexpected %T: %s", response, b[:min(len(b), 300)])
		}
	}
	check(ok, "unexpected response: %T %+v", response, response)
	return t
}

func must(err error) { check(err == nil, "%v", err) }

func check(holds bool, format string, args ...any) {
	if !holds {
		fmt.Printf(format+"\n", args...)
		os.Exit(1)
	}
}
