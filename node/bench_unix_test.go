//go:build unix

package node_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
	"github.com/soundstage-dev/soundstage/internal/turns"
	"github.com/soundstage-dev/soundstage/node"
)

// TestMain stops the database server of the tests. Started by BenchmarkGet, it is a client instead.
func TestMain(m *testing.M) {
	if url := os.Getenv("NODE_TEST_GET"); url != "" {
		if err := repeat(url, os.Getenv("NODE_TEST_SECRET"), os.Getenv("NODE_TEST_COUNT")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(pgtest.Main(m))
}

// repeat gets a URL a number of times with 8 connections.
func repeat(url, secret, count string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	const connections = 8
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
	errs := make([]error, connections)
	var all sync.WaitGroup
	for i := range connections {
		all.Go(func() {
			for range n / connections {
				req, _ := http.NewRequest(http.MethodGet, url, nil)
				req.Header.Set("Authorization", "Bearer "+secret)
				resp, err := client.Do(req)
				if err == nil && resp.StatusCode != http.StatusOK {
					err = fmt.Errorf("status %s", resp.Status)
				}
				if err != nil {
					errs[i] = err
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// database returns the URL of a PostgreSQL database with the latest schema.
func database(t testing.TB) string {
	t.Helper()
	return pgtest.Copy(t, "latest", func(url string) error {
		_, _, err := postgres.Migrate(context.Background(), url)
		return err
	})
}

// BenchmarkGet gets one recording over HTTP from a client in another process, from nodes on SQLite and on PostgreSQL in turns. It reports the
// CPU time of this process per request, and the ratio.
func BenchmarkGet(b *testing.B) {
	const requests = 4000
	lite, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "db"))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, lite.Close()) })
	pg, err := postgres.Open(b.Context(), database(b))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, pg.Close()) })
	var fetch [2]func()
	for i, store := range []engine.Store{lite, pg} {
		fetch[i] = servedRecording(b, store, requests)
		fetch[i]()
	}
	compared := turns.Compare(turns.Way{Name: "sqlite", Cost: ownCPU(fetch[0])}, turns.Way{Name: "postgres", Cost: ownCPU(fetch[1])})
	for b.Loop() {
		compared.Round()
	}
	for _, name := range []string{"sqlite", "postgres"} {
		b.ReportMetric(1e6*compared.Cost(name).Median/requests, name+"-µs")
	}
	compared.Report(b, "postgres", "sqlite")
}

// servedRecording starts a node on a store and returns a function that gets a recording.
func servedRecording(b *testing.B, store engine.Store, requests int) func() {
	b.Helper()
	keys, err := node.ParseSigningKeys([]byte(signingKey))
	require.NoError(b, err)
	blobs, err := files.New(b.TempDir(), files.Options{})
	require.NoError(b, err)
	l := listen(b)
	n, err := node.New(b.Context(), node.Config{Store: store, Blobs: blobs, SigningKeys: keys, API: l, DrainDelay: -1})
	require.NoError(b, err)
	caller, err := n.Engine().CreateAccount(b.Context(), engine.NewAccount{SpaceID: "space"})
	require.NoError(b, err)
	_, secret, err := n.Engine().CreateKey(b.Context(), caller, engine.NewKey{})
	require.NoError(b, err)
	r := engine.Recording{ID: "0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f", SpaceID: "space", Title: "Title", TranscriptStatus: engine.TranscriptCompleted, CreatedAt: time.Now()}
	require.NoError(b, store.Update(b.Context(), func(tx engine.Tx) error { return tx.PutRecording(r) }))
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- n.Run(ctx) }()
	b.Cleanup(func() { stop(); require.NoError(b, <-done) })
	return func() {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "NODE_TEST_GET=http://"+l.Addr().String()+"/v1/recordings/"+string(r.ID), "NODE_TEST_SECRET="+secret, fmt.Sprint("NODE_TEST_COUNT=", requests))
		out, err := cmd.CombinedOutput()
		require.NoError(b, err, "%s", out)
	}
}

// ownCPU returns a cost: the CPU time that fn takes in this process, without its clients.
func ownCPU(fn func()) func() float64 {
	own := func() float64 {
		var u syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	return func() float64 {
		before := own()
		fn()
		return own() - before
	}
}
