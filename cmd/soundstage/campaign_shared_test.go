package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const sharedRecording = engine.RecordingID("recording")

var sharedCaller = engine.Caller{UserID: "user", AccountID: "account", DefaultSpaceID: "space", Tier: engine.TierPlatform}

// sharedRows serves the rows of several engines, and checks each write.
type sharedRows struct {
	*httptest.Server

	mu      sync.Mutex
	version int
	dump    []byte
	outputs map[string]engine.Output
	jobs    map[string]queue.Job
	owners  map[string]string          // owner of leases → process
	hooks   map[string]map[string]bool // output → webhook-ids
	refused int                        // writes of workers without the lease, as they report them
	lost    int                        // leases that expired
	wrong   []string
}

func newSharedRows(t *testing.T) *sharedRows {
	t.Helper()
	s := &sharedRows{owners: map[string]string{}, hooks: map[string]map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /rows", s.get)
	mux.HandleFunc("POST /rows", s.put)
	mux.HandleFunc("POST /refused", s.refuse)
	mux.HandleFunc("POST /hook", s.hook)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	s.fill(t)
	return s
}

// fill writes an account, a recording with a transcript, and a webhook.
func (s *sharedRows) fill(t *testing.T) {
	rows := memory.NewStore()
	e, err := engine.New(engine.Config{Store: rows, Blobs: memory.NewBlobs(), LLM: slowLLM{}, Sender: postSender{}})
	require.NoError(t, err)
	_, err = e.CreateAccount(t.Context(), engine.NewAccount{AccountID: "account", UserID: "user", SpaceID: "space"})
	require.NoError(t, err)
	require.NoError(t, rows.Update(t.Context(), func(tx engine.Tx) error {
		text := engine.Transcript{ID: "transcript", UserID: "user", RecordingID: sharedRecording, Status: engine.TranscriptCompleted}
		text.Language, text.Duration = "en", time.Second
		text.Utterances = []transcript.Utterance{{Speaker: "Speaker 0", Text: "Good morning.", End: time.Second}}
		if err := tx.PutTranscript(text); err != nil {
			return err
		}
		return tx.PutRecording(engine.Recording{
			ID: sharedRecording, SpaceID: "space", Title: "Talk", Number: 1, Language: "en", TranscriptID: "transcript", TranscriptStatus: engine.TranscriptCompleted,
		})
	}))
	_, _, err = e.CreateWebhook(t.Context(), sharedCaller, engine.NewWebhook{URL: s.URL + "/hook", Events: []engine.EventType{engine.EventOutputCompleted}})
	require.NoError(t, err)
	var dump bytes.Buffer
	require.NoError(t, rows.Dump(&dump))
	s.accept(dump.Bytes(), "")
}

func (s *sharedRows) get(w http.ResponseWriter, req *http.Request) {
	s.mu.Lock()
	dump, version := s.dump, strconv.Itoa(s.version)
	s.mu.Unlock()
	w.Header().Set("ETag", version)
	if req.Header.Get("If-None-Match") == version {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(dump)
}

func (s *sharedRows) put(w http.ResponseWriter, req *http.Request) {
	dump, err := io.ReadAll(req.Body) // a process that was stopped or killed meanwhile has written nothing
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || req.Header.Get("If-Match") != strconv.Itoa(s.version) {
		w.WriteHeader(http.StatusPreconditionFailed)
		return
	}
	s.accept(dump, req.Header.Get("From"))
}

func (s *sharedRows) refuse(http.ResponseWriter, *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused++
}

func (s *sharedRows) hook(_ http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	id := outputOf(body)
	if s.hooks[id] == nil {
		s.hooks[id] = map[string]bool{}
	}
	s.hooks[id][req.Header.Get("webhook-id")] = true
}

// outputOf returns the ID of the output that an event is about.
func outputOf(body []byte) string {
	var m struct{ Data map[string]any }
	_ = json.Unmarshal(body, &m)
	return fmt.Sprint(m.Data["output_id"])
}

// accept replaces the rows by those of a process, and notes changes that must not happen; mu is held, except at the start.
func (s *sharedRows) accept(dump []byte, process string) {
	outputs, jobs, deliveries := map[string]engine.Output{}, map[string]queue.Job{}, map[string]int{}
	for lines := bufio.NewScanner(bytes.NewReader(dump)); lines.Scan(); {
		var line struct {
			Table string
			Row   json.RawMessage
		}
		err := json.Unmarshal(lines.Bytes(), &line)
		switch line.Table {
		case "outputs":
			var o engine.Output
			err = json.Unmarshal(line.Row, &o)
			outputs[string(o.ID)] = o
		case "jobs":
			var j queue.Job
			err = json.Unmarshal(line.Row, &j)
			jobs[string(j.ID)] = j
		case "deliveries":
			var d engine.Delivery
			err = json.Unmarshal(line.Row, &d)
			deliveries[outputOf(d.Body)]++
		}
		if err != nil {
			s.wrong = append(s.wrong, err.Error())
		}
	}
	s.compare(outputs, jobs, process)
	for id, n := range deliveries {
		if n > 1 {
			s.wrong = append(s.wrong, fmt.Sprintf("%d deliveries for the output %s", n, id))
		}
	}
	s.dump, s.outputs, s.jobs = dump, outputs, jobs
	s.version++
}

// compare notes ended rows that change, and changes of leased jobs by a process without the lease.
func (s *sharedRows) compare(outputs map[string]engine.Output, jobs map[string]queue.Job, process string) {
	for id, was := range s.outputs {
		if now := outputs[id]; was.Status == engine.OutputCompleted && now != was {
			s.wrong = append(s.wrong, fmt.Sprintf("the output changed after it was completed: %+v, then %+v", was, now))
		}
	}
	for id, now := range jobs {
		was := s.jobs[id]
		expired := was.Status == queue.Running && now.Status == queue.Queued && now.Generation > was.Generation
		if expired {
			s.lost++
		}
		switch {
		case now == was:
		case was.Status.Terminal():
			s.wrong = append(s.wrong, fmt.Sprintf("the job changed after its end: %+v, then %+v", was, now))
		case was.Status == queue.Running && !expired && s.owners[was.LeaseOwner] != process:
			s.wrong = append(s.wrong, fmt.Sprintf("a process without the lease changed the job: %+v, then %+v", was, now))
		case now.Status == queue.Running:
			s.owners[now.LeaseOwner] = process
		}
	}
}

// pending returns the jobs of outputs and deliveries that have not ended.
func (s *sharedRows) pending() (left []queue.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.jobs {
		if !j.Status.Terminal() && j.Class != queue.ClassMaintain {
			left = append(left, j)
		}
	}
	return left
}

// writes returns the number of writes so far.
func (s *sharedRows) writes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}
