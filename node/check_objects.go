package node

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/s3"
)

// CheckObjects checks an object storage by its address: of S3, each right that nodes need and the clock, even if another one fails. If nothing
// failed, it stores a small object, reads a part of it, and deletes it: itself, and, if the storage signs addresses, as clients do.
func CheckObjects(ctx context.Context, address string) (checks []Check) {
	begun := time.Now()
	if scheme, _ := cut(address); scheme == "s3" {
		found, err := s3.Inspect(ctx, address, s3.Options{})
		for _, f := range found {
			f.Name = "s3-" + f.Name
			checks = append(checks, Check(f))
		}
		if err != nil {
			checks = append(checks, Check{Name: "storage", Err: err, Took: time.Since(begun)})
		}
	}
	if failed(checks) {
		return checks
	}
	blobs, err := OpenBlobs(ctx, address)
	if err != nil {
		return append(checks, Check{Name: "storage", Err: err, Took: time.Since(begun)})
	}
	return withClose(append(checks, checkBlobs(ctx, blobs)...), "storage", blobs)
}

// checkBlobs uses a storage as nodes and clients do.
func checkBlobs(ctx context.Context, blobs engine.Blobs) []Check {
	key, text := "doctor/"+rand.Text(), []byte("soundstage doctor")
	checks := []Check{timed("storage", func() (string, error) {
		return "Stored, read in part, and deleted an object.", roundTrip(ctx, blobs, key, text)
	})}
	signing, ok := blobs.(engine.PresigningBlobs)
	if !ok || checks[0].Err != nil {
		return checks
	}
	checks = append(checks, timed("addresses", func() (string, error) {
		return "Uploaded and downloaded an object by signed addresses.", signedTrip(ctx, signing, key+"-signed", text)
	}))
	if !directOf(blobs).Uploads {
		checks[1].Warning = "The storage doesn't copy objects, so uploads of /v1 go through the nodes."
	}
	return checks
}

func roundTrip(ctx context.Context, blobs engine.Blobs, key string, text []byte) (err error) {
	if r, ok := blobs.(Readier); ok {
		if err := r.Ready(ctx); err != nil {
			return err
		}
	}
	w, err := blobs.Create(ctx, key, engine.BlobMeta{ContentType: "text/plain"})
	if err != nil {
		return err
	}
	defer func() { _ = w.Abort() }()
	if _, err := w.Write(text); err != nil {
		return err
	}
	if _, err := w.Commit(); err != nil {
		return err
	}
	part, err := blobs.Open(ctx, key, 1, 4)
	if err != nil {
		return err
	}
	got, err := io.ReadAll(part)
	_ = part.Close()
	if err != nil {
		return err
	}
	if !bytes.Equal(got, text[1:5]) {
		return engine.Errorf(engine.CodeUnavailable, "doctor", "The storage returned other bytes than were stored.")
	}
	return blobs.Delete(ctx, key)
}

// signedTrip does the same as a client.
func signedTrip(ctx context.Context, blobs engine.PresigningBlobs, key string, text []byte) error {
	_, copying := blobs.(engine.CopyingBlobs)
	put, err := blobs.PresignPut(ctx, key, engine.BlobPut{Size: int64(len(text)), ContentType: "text/plain", TTL: time.Minute, Replaceable: copying})
	if err != nil {
		return err
	}
	if _, err := sendTo(ctx, put, text); err != nil {
		return err
	}
	get, err := blobs.PresignGet(ctx, key, engine.BlobGet{TTL: time.Minute})
	if err != nil {
		return err
	}
	got, err := sendTo(ctx, get, nil)
	if err == nil && !bytes.Equal(got, text) {
		err = engine.Errorf(engine.CodeUnavailable, "doctor", "The storage returned other bytes than were sent.")
	}
	if deleteErr := blobs.Delete(ctx, key); err == nil {
		err = deleteErr
	}
	return err
}

// sendTo sends a request to a signed address, which doesn't appear in errors: it is a secret until it expires.
func sendTo(ctx context.Context, a engine.Address, body []byte) ([]byte, error) {
	failed := engine.Errorf(engine.CodeUnavailable, "doctor", "A %s to an address that the storage signed failed.", a.Method).
		WithHint("Clients must reach the endpoint in --objects, under the same name as the nodes.")
	req, err := http.NewRequestWithContext(ctx, a.Method, a.URL, bytes.NewReader(body))
	if err != nil {
		return nil, failed
	}
	for name, value := range a.Header {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, failed
	}
	defer func() { _ = res.Body.Close() }()
	got, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil || res.StatusCode >= http.StatusMultipleChoices {
		return nil, failed.Because(fmt.Errorf("status %d", res.StatusCode))
	}
	return got, nil
}
