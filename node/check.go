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
)

// Check is the result of one check of a database or storage, for `soundstage doctor`.
type Check struct {
	Name    string // "database", "clock", "write", "storage", "addresses"
	Found   string // a sentence, if Err is nil
	Warning string // what to do, if it works but needs attention
	Err     error
	Took    time.Duration
}

// maxClockDifference is the difference of clocks that needs attention. Nodes use the clock of the database, so signed URLs, webhooks, and
// logs differ, but no leases.
const maxClockDifference = 2 * time.Second

// CheckStore checks a database that was opened, which checks its version and schema: whether it can be used, its clock, and the right to
// write.
func CheckStore(ctx context.Context, store engine.Store) []Check {
	checks := []Check{timed("database", func() (string, error) {
		if r, ok := store.(Readier); ok {
			if err := r.Ready(ctx); err != nil {
				return "", err
			}
		}
		return "The database can be used, and has the schema of this version.", nil
	})}
	if s, ok := store.(ClockedStore); ok {
		checks = append(checks, checkClock(s))
	}
	if s, ok := store.(Agreements); ok {
		checks = append(checks, timed("write", func() (string, error) {
			_, err := s.Agree(ctx, "doctor", "", "checked")
			return "The database can be written to.", err
		}))
	}
	return checks
}

func checkClock(s ClockedStore) Check {
	difference := time.Until(s.Clock().Now())
	c := Check{Name: "clock", Found: fmt.Sprintf("The clocks of this machine and of the database differ by %s.", difference.Abs().Round(time.Millisecond))}
	if difference.Abs() > maxClockDifference {
		c.Warning = "Synchronise the clocks of both machines, for example with NTP."
	}
	return c
}

// CheckBlobs stores a small blob, reads a part of it, and deletes it: itself, and, if the storage signs addresses, as clients do.
func CheckBlobs(ctx context.Context, blobs engine.Blobs) []Check {
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
		checks[1].Warning = "The storage requires more headers of uploads than clients of /v1 send, so uploads go through the nodes."
	}
	return checks
}

func timed(name string, check func() (string, error)) Check {
	begun := time.Now()
	found, err := check()
	return Check{Name: name, Found: found, Err: err, Took: time.Since(begun)}
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
	put, err := blobs.PresignPut(ctx, key, engine.BlobPut{Size: int64(len(text)), ContentType: "text/plain", TTL: time.Minute})
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
