package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// workerLease is the lease of a worker: short, so that a cycle is short, and long compared with a heartbeat.
const workerLease = 2 * time.Second

// runWorker runs an engine as a process of its own, on the store that the parent serves at a URL, until its input ends. Each line of the
// input is the name of an output to generate. The second argument is a file with the offset of the clock, as a duration.
func runWorker(url, offsetFile string) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	e, err := engine.New(engine.Config{
		Store: &remoteStore{url: url}, Blobs: memory.NewBlobs(), LLM: slowLLM{}, Sender: postSender{}, Clock: movedClock(offsetFile), Lease: workerLease,
		Workers: map[queue.Class]int{queue.ClassGenerate: 3, queue.ClassDeliver: 3, queue.ClassMaintain: 1},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ran := make(chan error, 1)
	go func() { ran <- e.Run(ctx) }()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if _, err := e.GenerateOutput(ctx, sharedCaller, engine.NewOutput{RecordingID: sharedRecording, Prompt: "Write.", Name: lines.Text()}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(lines.Text())
	}
	cancel()
	if err := <-ran; err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// movedClock is a wall clock that the parent moves. Its timers are those of the system, which jumps of the wall clock don't affect.
type movedClock string

func (c movedClock) Now() time.Time {
	text, _ := os.ReadFile(string(c))
	offset, _ := time.ParseDuration(string(text))
	return time.Now().Add(offset)
}

func (c movedClock) NewTimer(d time.Duration) queue.Timer { return queue.SystemClock().NewTimer(d) }

// slowLLM writes for up to one and a half leases. Half of its answers come even if they are no longer wanted.
type slowLLM struct{}

func (slowLLM) Write(ctx context.Context, _ engine.WriteRequest) (string, error) {
	if rand.IntN(2) == 0 {
		ctx = context.WithoutCancel(ctx)
	}
	select {
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-time.After(time.Duration(rand.Int64N(int64(workerLease * 3 / 2)))):
		return fmt.Sprint("Written by ", os.Getpid()), nil
	}
}

func (slowLLM) ContextTokens() int { return 10_000 }

// postSender posts to the parent.
type postSender struct{}

func (postSender) Check(context.Context, string) error { return nil }

func (postSender) Send(ctx context.Context, r engine.SendRequest) (engine.SendResponse, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return engine.SendResponse{}, err
	}
	req.Header.Set("webhook-id", r.Header["webhook-id"])
	resp, err := campaignClient.Do(req)
	if err != nil {
		return engine.SendResponse{}, err
	}
	return engine.SendResponse{Status: resp.StatusCode}, resp.Body.Close()
}

// remoteStore is an engine.Store of several processes. It runs a transaction on a copy of all rows, and writes the copy back if no other
// process has written since. Otherwise it runs the transaction again.
type remoteStore struct {
	url string

	mu      sync.Mutex
	version string
	rows    *memory.Store
}

// latest returns the rows and their version.
func (s *remoteStore) latest(ctx context.Context) (*memory.Store, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/rows", nil)
	if err != nil {
		return nil, "", err
	}
	req.Header.Set("If-None-Match", s.version)
	resp, err := campaignClient.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode == http.StatusNotModified {
		return s.rows, s.version, nil
	}
	rows, err := memory.Load(resp.Body)
	if err != nil {
		return nil, "", err
	}
	s.rows, s.version = rows, resp.Header.Get("ETag")
	return s.rows, s.version, nil
}

func (s *remoteStore) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	rows, _, err := s.latest(ctx)
	if err != nil {
		return err
	}
	return rows.View(ctx, fn)
}

func (s *remoteStore) Update(ctx context.Context, fn func(engine.Tx) error) error {
	for {
		rows, version, err := s.latest(ctx)
		if err != nil {
			return err
		}
		rows = rows.Fork()
		if err := rows.Update(ctx, fn); err != nil {
			if errors.Is(err, queue.ErrLostLease) {
				_, err = s.post(context.WithoutCancel(ctx), "/refused", "", nil)
				return errors.Join(queue.ErrLostLease, err)
			}
			return err
		}
		var dump bytes.Buffer
		if err := rows.Dump(&dump); err != nil {
			return err
		}
		switch status, err := s.post(ctx, "/rows", version, &dump); {
		case err != nil:
			return err
		case status == http.StatusOK:
			return nil
		}
	}
}

// post sends a body that is valid if the rows still have a version; "" for any. It returns 200 or 412.
func (s *remoteStore) post(ctx context.Context, path, version string, body io.Reader) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+path, body)
	if err != nil {
		return 0, err
	}
	req.Header.Set("If-Match", version)
	req.Header.Set("From", strconv.Itoa(os.Getpid()))
	resp, err := campaignClient.Do(req)
	if err != nil {
		return 0, err
	}
	if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusPreconditionFailed {
		err = fmt.Errorf("status %d", resp.StatusCode)
	}
	return resp.StatusCode, errors.Join(err, resp.Body.Close())
}
