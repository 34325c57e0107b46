//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Clients of /v1 send bytes to S3 itself, with real nodes and a real store.
func TestDirectUploads(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	c := newCluster(t)
	l := newLoad(t, c.hooks.URL)
	d := &directClient{c.client(l, c.api(), 1), c}
	t.Run("cut", d.cut)
	t.Run("again", d.again)
	t.Run("spoiled before", d.spoiledBefore)
	t.Run("spoiled after", d.spoiledAfter)
}

// directClient is a client that also sees the store behind the server.
type directClient struct {
	*loadClient
	cluster *cluster
}

// begin asks for an upload of media, whose address is the store's.
func (d *directClient) begin(t *testing.T) (media []byte, address, object string) {
	t.Helper()
	media = d.sound()
	address, object = d.ask(t, len(media))
	require.True(t, strings.HasPrefix(address, d.cluster.objects.URL+"/"), address)
	return media, address, object
}

// objectOf returns the name of the object that an address writes.
func (d *directClient) objectOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	name, ok := strings.CutPrefix(u.Path, "/"+d.cluster.objects.bucket.Name+"/")
	require.True(t, ok, u.Path)
	return name
}

// remove and replace change an object behind the server's back.
func (d *directClient) remove(t *testing.T, name string) {
	t.Helper()
	b := d.cluster.objects.bucket
	require.NoError(t, b.Client(t).RemoveObject(t.Context(), b.Name, name, minio.RemoveObjectOptions{}))
}

func (d *directClient) replace(t *testing.T, name, content string) {
	t.Helper()
	b := d.cluster.objects.bucket
	_, err := b.Client(t).PutObject(t.Context(), b.Name, name, strings.NewReader(content), int64(len(content)), "", "", minio.PutObjectOptions{ContentType: "audio/wav"})
	require.NoError(t, err)
}

// record makes a recording, and returns its path and the name of its object.
func (d *directClient) record(t *testing.T, object string) (path, name string) {
	t.Helper()
	status, v := d.create(t, object)
	require.Equal(t, 201, status, "%v", v)
	id := fmt.Sprint(v["recording"].(map[string]any)["id"])
	keys := d.cluster.query("SELECT blob_key FROM recordings WHERE id = '" + id + "'")
	require.Len(t, keys, 1)
	return "/v1/recordings/" + id, keys[0] + "!"
}

// requireMedia fails the test unless the object of a recording has some bytes.
func (d *directClient) requireMedia(t *testing.T, name string, want []byte) {
	t.Helper()
	b := d.cluster.objects.bucket
	body, _, _, err := b.Client(t).GetObject(t.Context(), b.Name, name, minio.GetObjectOptions{})
	require.NoError(t, err)
	got, err := io.ReadAll(body)
	require.NoError(t, err)
	require.NoError(t, body.Close())
	require.True(t, bytes.Equal(want, got), "%d bytes instead of %d", len(got), len(want))
}

// requireRefused fails the test unless no recording can be made of an upload, with an error that says why.
func (d *directClient) requireRefused(t *testing.T, object, why string) {
	t.Helper()
	status, v := d.create(t, object)
	require.Equal(t, 422, status, "%v", v)
	require.Contains(t, v["error"], why)
}

// requireObjects fails the test unless an upload has these objects.
func (d *directClient) requireObjects(t *testing.T, upload string, want ...string) {
	t.Helper()
	var have []string
	for _, name := range d.cluster.objects.bucket.Keys(t) {
		if strings.Contains(name, "/"+upload+"/") {
			have = append(have, name)
		}
	}
	require.ElementsMatch(t, want, have)
}

// A PUT that is cut leaves nothing, also where other bytes were stored before. A whole PUT to the same address then succeeds.
func (d *directClient) cut(t *testing.T) {
	media, address, object := d.begin(t)
	half := func() io.Reader {
		return io.MultiReader(bytes.NewReader(media[:len(media)/2]), iotest.ErrReader(io.ErrUnexpectedEOF))
	}
	require.Error(t, d.put(address, half(), len(media)))
	d.requireRefused(t, object, "never arrived")
	d.requireObjects(t, object)
	earlier := d.sound()
	require.NoError(t, d.put(address, bytes.NewReader(earlier), len(media)))
	require.Error(t, d.put(address, half(), len(media)))
	d.requireMedia(t, d.objectOf(t, address), earlier)
	require.NoError(t, d.put(address, bytes.NewReader(media), len(media)))
	_, name := d.record(t, object)
	d.requireMedia(t, name, media)
	d.requireObjects(t, object, name)
}

// A PUT after the recording was created changes no bytes of the recording. The upload can't be used twice.
func (d *directClient) again(t *testing.T) {
	media, address, object := d.begin(t)
	require.NoError(t, d.put(address, bytes.NewReader(media), len(media)))
	_, name := d.record(t, object)
	require.NoError(t, d.put(address, bytes.NewReader(d.sound()), len(media)))
	d.requireMedia(t, name, media)
	status, v := d.create(t, object)
	require.Equal(t, 409, status, "%v", v)
	d.requireMedia(t, name, media)
	d.requireObjects(t, object, name, d.objectOf(t, address))
}

// An object that vanished, or that has another length, is refused. The client can send the bytes again.
func (d *directClient) spoiledBefore(t *testing.T) {
	media, address, object := d.begin(t)
	require.NoError(t, d.put(address, bytes.NewReader(media), len(media)))
	d.remove(t, d.objectOf(t, address))
	d.requireRefused(t, object, "never arrived")
	d.replace(t, d.objectOf(t, address), "other")
	d.requireRefused(t, object, fmt.Sprintf("has 5 bytes, but %d were declared", len(media)))
	d.requireObjects(t, object, d.objectOf(t, address))
	require.NoError(t, d.put(address, bytes.NewReader(media), len(media)))
	_, name := d.record(t, object)
	d.requireMedia(t, name, media)
}

// A recording whose object vanished or changed is never transcribed. Every request about it has a clear error.
func (d *directClient) spoiledAfter(t *testing.T) {
	paths := map[string]string{}
	for how, spoil := range map[string]func(t *testing.T, name string){
		"vanished": d.remove,
		"changed":  func(t *testing.T, name string) { d.replace(t, name, "other") },
	} {
		media, address, object := d.begin(t)
		require.NoError(t, d.put(address, bytes.NewReader(media), len(media)))
		path, name := d.record(t, object)
		spoil(t, name)
		paths[how] = path
	}
	d.cluster.worker()
	for how, path := range paths {
		eventually(t, how+" "+path, func() (string, bool) {
			v, err := d.call("GET", path, nil, 200)
			require.NoError(t, err)
			ended := fmt.Sprint(v["recording"].(map[string]any)["transcript_status"])
			require.NotEqual(t, "completed", ended)
			return ended, ended == "error"
		})
		for _, body := range []map[string]any{nil, {"start_ms": 0, "end_ms": 500, "style": "audiogram"}} {
			method, at := "GET", path+"/transcript"
			if body != nil {
				method, at = "POST", path+"/renders"
			}
			status, v, err := d.send(method, at, body)
			require.NoError(t, err)
			require.GreaterOrEqual(t, status, 400, "%s %s: %v", how, at, v)
			require.Less(t, status, 500, "%s %s: %v", how, at, v)
			require.NotEmpty(t, v["error"], "%s %s", how, at)
		}
	}
}
