package node

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/engine/s3"
)

// Check is the result of one check of a database or storage, for `soundstage doctor`.
type Check struct {
	Name    string // of the database: "database", "primary", "schema", "rights", "clock", "write"; of the storage: "s3-" and the name of s3.Finding, "storage", "addresses"
	Found   string // a sentence, if Err is nil
	Warning string // what to do, if it works but needs attention
	Err     error
	Took    time.Duration
}

// maxClockDifference is the difference of clocks that needs attention. Nodes use the clock of the database, so signed URLs, webhooks, and
// logs differ, but no leases.
const maxClockDifference = 2 * time.Second

// CheckDatabase checks a database by its address: whether it can be reached, its version, whether it is the primary, its schema, and the right to
// create tables. If nothing failed, it also checks its clock, and that it can be written to. It migrates nothing but a file of SQLite.
func CheckDatabase(ctx context.Context, address string) (checks []Check) {
	if scheme, _ := cut(address); scheme == "postgres" || scheme == "postgresql" {
		for _, f := range postgres.Inspect(ctx, address) {
			checks = append(checks, Check(f))
		}
	}
	if failed(checks) {
		return checks
	}
	begun := time.Now()
	store, err := OpenStore(ctx, address)
	if err != nil {
		return append(checks, Check{Name: "database", Err: err, Took: time.Since(begun)})
	}
	if len(checks) == 0 {
		checks = append(checks, Check{Name: "database", Found: "The database can be opened, and has the schema of this version.", Took: time.Since(begun)})
	}
	return withClose(append(checks, checkStore(ctx, store)...), "database", store)
}

func failed(checks []Check) bool {
	return slices.ContainsFunc(checks, func(c Check) bool { return c.Err != nil })
}

// withClose closes what was checked, and adds the error.
func withClose(checks []Check, name string, part any) []Check {
	if err := Close(part); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		checks = append(checks, Check{Name: name, Err: err})
	}
	return checks
}

// checkStore checks the clock of a database, and the right to write.
func checkStore(ctx context.Context, store engine.Store) (checks []Check) {
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
