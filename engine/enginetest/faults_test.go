package enginetest_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// faultName is the environment variable that selects the fault of TestFaultyStore, TestFaultyBlobs, and TestFaultyPort.
const faultName = "SOUNDSTAGE_ENGINETEST_FAULT"

// faultyStore is a Store with a fault in Update or in transactions.
type faultyStore struct {
	*memory.Store
	update func(s *memory.Store, ctx context.Context, fn func(engine.Tx) error) error // nil for the correct one
	wrap   func(engine.Tx) engine.Tx                                                  // nil for none
}

func (s faultyStore) Update(ctx context.Context, fn func(engine.Tx) error) error {
	if s.update != nil {
		return s.update(s.Store, ctx, fn)
	}
	return s.Store.Update(ctx, func(tx engine.Tx) error { return fn(s.wrap(tx)) })
}

func (s faultyStore) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	if s.wrap == nil {
		return s.Store.View(ctx, fn)
	}
	return s.Update(ctx, func(tx engine.Tx) error { return fn(struct{ engine.ReadTx }{tx}) })
}

type (
	faultyJobs struct {
		engine.Tx
		fault string
	}
	faultyLists struct {
		engine.Tx
		fault string
	}
)

func (tx faultyJobs) Enqueue(j queue.Job) error {
	if _, err := tx.JobByKey(j.Key); tx.fault == "twice" && err == nil {
		j.Key += " again"
	}
	return tx.Tx.Enqueue(j)
}

func (tx faultyJobs) DueJob(class queue.Class, now time.Time, skip map[queue.Class]string) (queue.Job, error) {
	if tx.fault == "early" {
		now = now.Add(time.Microsecond)
	}
	if tx.fault == "due skips nobody" {
		skip = nil
	}
	return tx.Tx.DueJob(class, now, skip)
}

func (tx faultyJobs) NextJobAt(classes []queue.Class, skip map[queue.Class]string) (time.Time, bool, error) {
	if tx.fault == "next skips nobody" {
		skip = nil
	}
	return tx.Tx.NextJobAt(classes, skip)
}

func (tx faultyJobs) PutJob(j queue.Job) error {
	if tx.fault == "unfair" {
		j.Tenant = "everybody"
	}
	return tx.Tx.PutJob(j)
}

func (tx faultyLists) Recordings(q engine.RecordingQuery) ([]engine.Recording, error) {
	if q.After != nil && tx.fault == "overlap" {
		q.After = &cursor.Position{CreatedAt: q.After.CreatedAt, ID: q.After.ID + "\x00"}
	}
	if tx.fault == "wildcard" {
		q.Title = strings.ReplaceAll(q.Title, "%", "")
	}
	return tx.Tx.Recordings(q)
}

func (tx faultyLists) Assignments(id engine.RecordingID) ([]engine.Assignment, error) {
	rows, err := tx.Tx.Assignments(id)
	slices.SortFunc(rows, func(a, b engine.Assignment) int { return strings.Compare(a.Label, b.Label) })
	return rows, err
}

func jobsFault(fault string) faultyStore {
	return faultyStore{wrap: func(tx engine.Tx) engine.Tx { return faultyJobs{tx, fault} }}
}

func listsFault(fault string) faultyStore {
	return faultyStore{wrap: func(tx engine.Tx) engine.Tx { return faultyLists{tx, fault} }}
}

// storeFaults maps a claim to a fault in a store that the claim must detect.
var storeFaults = map[string]faultyStore{
	"a failed update writes nothing and returns the error": {update: func(s *memory.Store, ctx context.Context, fn func(engine.Tx) error) (err error) {
		return errors.Join(s.Update(ctx, func(tx engine.Tx) error { err = fn(tx); return nil }), err)
	}},
	"a panicking update writes nothing and leaves the store usable": {update: func(s *memory.Store, ctx context.Context, fn func(engine.Tx) error) (err error) {
		var panicked any
		err = s.Update(ctx, func(tx engine.Tx) error {
			defer func() { panicked = recover() }()
			return fn(tx)
		})
		if panicked != nil {
			panic(panicked)
		}
		return err
	}},
	"an update doesn't start when its context has ended": {update: func(s *memory.Store, ctx context.Context, fn func(engine.Tx) error) error {
		return s.Update(context.WithoutCancel(ctx), fn)
	}},
	"an update whose context ends during it is committed completely or not at all": {update: func(s *memory.Store, ctx context.Context, fn func(engine.Tx) error) error {
		return errors.Join(s.Update(ctx, fn), ctx.Err())
	}},
	"enqueueing the key of an unfinished job does nothing":             jobsFault("twice"),
	"a job is due from its RunAt on":                                   jobsFault("early"),
	"the tenant with the fewest running jobs of the class goes first":  jobsFault("unfair"),
	"jobs of a skipped tenant are not due":                             jobsFault("due skips nobody"),
	"jobs of a skipped tenant have no next time":                       jobsFault("next skips nobody"),
	"pages of any size list every recording exactly once":              listsFault("overlap"),
	"a title matches any part of it, ignoring case, without wildcards": listsFault("wildcard"),
	"assignments are listed by label number":                           listsFault("order"),
}

// allStoreFaults returns the faults in rows, jobs, lists, content, and the search index.
func allStoreFaults() map[string]faultyStore {
	all := maps.Clone(storeFaults)
	maps.Copy(all, contentFaults)
	maps.Copy(all, searchFaults)
	return all
}

// faultyBlobs is Blobs in which a non-nil function replaces the correct method.
type faultyBlobs struct {
	*memory.Blobs
	create func(b *memory.Blobs, ctx context.Context, key string, meta engine.BlobMeta) (engine.BlobWriter, error)
	open   func(b *memory.Blobs, ctx context.Context, key string, off, n int64) (io.ReadCloser, error)
}

func (b faultyBlobs) Create(ctx context.Context, key string, meta engine.BlobMeta) (engine.BlobWriter, error) {
	if b.create != nil {
		return b.create(b.Blobs, ctx, key, meta)
	}
	return b.Blobs.Create(ctx, key, meta)
}

func (b faultyBlobs) Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error) {
	if b.open != nil {
		return b.open(b.Blobs, ctx, key, off, n)
	}
	return b.Blobs.Open(ctx, key, off, n)
}

// earlyWriter commits after each write.
type earlyWriter struct{ engine.BlobWriter }

func (w earlyWriter) Write(p []byte) (int, error) {
	n, err := w.BlobWriter.Write(p)
	if err == nil {
		_, err = w.Commit()
	}
	return n, err
}

// blobsFaults maps a claim to a fault in blobs that the claim must detect.
var blobsFaults = map[string]faultyBlobs{
	"a blob is invisible until Commit": {create: func(b *memory.Blobs, ctx context.Context, key string, meta engine.BlobMeta) (engine.BlobWriter, error) {
		w, err := b.Create(ctx, key, meta)
		return earlyWriter{w}, err
	}},
	"a write over the limit is CodeTooLarge and nothing is committed": {create: func(b *memory.Blobs, ctx context.Context, key string, meta engine.BlobMeta) (engine.BlobWriter, error) {
		meta.MaxSize = 0
		return b.Create(ctx, key, meta)
	}},
	"an offset outside the blob is invalid": {open: func(b *memory.Blobs, ctx context.Context, key string, off, n int64) (io.ReadCloser, error) {
		info, err := b.Stat(ctx, key)
		if err != nil {
			return nil, err
		}
		return b.Open(ctx, key, min(off, info.Size), n)
	}},
	"Open reads exactly the range, cut at the end of the blob": {open: func(b *memory.Blobs, ctx context.Context, key string, off, n int64) (io.ReadCloser, error) {
		if n == 0 {
			n = -1
		}
		return b.Open(ctx, key, off, n)
	}},
}

// TestFaultyStore does nothing unless TestSuitesNoticeFaults runs it in a child process with a fault.
func TestFaultyStore(t *testing.T) {
	t.Parallel()
	if fault, ok := allStoreFaults()[os.Getenv(faultName)]; ok {
		enginetest.TestStore(t, func(*testing.T) engine.Store {
			own := fault
			own.Store = memory.NewStore()
			return own
		})
	}
}

// TestFaultyBlobs does nothing unless TestSuitesNoticeFaults runs it in a child process with a fault.
func TestFaultyBlobs(t *testing.T) {
	t.Parallel()
	if fault, ok := blobsFaults[os.Getenv(faultName)]; ok {
		enginetest.TestBlobs(t, func(*testing.T) engine.Blobs {
			own := fault
			own.Blobs = memory.NewBlobs()
			return own
		})
	}
}

// Each fault fails the claim that it breaks.
func TestSuitesNoticeFaults(t *testing.T) {
	t.Parallel()
	if os.Getenv(faultName) != "" {
		return
	}
	for test, claims := range map[string][]string{
		"TestFaultyStore": keys(allStoreFaults()), "TestFaultyBlobs": keys(blobsFaults), "TestFaultyPort": keys(portFaults()),
	} {
		for _, claim := range claims {
			t.Run(claim, func(t *testing.T) {
				t.Parallel()
				run := exec.Command(os.Args[0], "-test.run=^"+test+"$/^"+regexp.QuoteMeta(claim)+"$", "-test.timeout=1m")
				run.Env = append(os.Environ(), faultName+"="+claim)
				out, err := run.CombinedOutput()
				require.Error(t, err)
				require.Contains(t, string(out), "--- FAIL: "+test+"/"+strings.ReplaceAll(claim, " ", "_"))
			})
		}
	}
}

func keys[V any](m map[string]V) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	return keys
}
