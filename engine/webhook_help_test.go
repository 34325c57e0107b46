package engine_test

import (
	"bytes"
	"context"
	"maps"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// posts is a Sender implemented by a function of the request's number, from 1, and the request.
type posts func(ctx context.Context, n int, req engine.SendRequest) (engine.SendResponse, error)

// replies is a Sender that returns these statuses, repeating the last one.
func replies(statuses ...int) posts {
	return func(_ context.Context, n int, _ engine.SendRequest) (engine.SendResponse, error) {
		return engine.SendResponse{Status: statuses[min(n, len(statuses))-1]}, nil
	}
}

// recorder records what was sent.
type recorder struct {
	post  posts
	check func(url string) error

	mu       sync.Mutex
	requests []engine.SendRequest
}

func (r *recorder) Check(_ context.Context, url string) error {
	if r.check == nil {
		return nil
	}
	return r.check(url)
}

func (r *recorder) Send(ctx context.Context, req engine.SendRequest) (engine.SendResponse, error) {
	r.mu.Lock()
	r.requests = append(r.requests, req)
	n := len(r.requests)
	r.mu.Unlock()
	return r.post(ctx, n, req)
}

// hookStage is a running engine with a recording Sender, for use inside a synctest bubble.
type hookStage struct {
	*stage
	recorder *recorder
}

func newHookStage(t *testing.T, c engine.Config, post posts) *hookStage {
	t.Helper()
	r := &recorder{post: post}
	c.Sender = r
	s := &hookStage{stage: newStage(t, c), recorder: r}
	t.Cleanup(s.start())
	return s
}

// sent returns a copy of every request that was sent.
func (s *hookStage) sent() []engine.SendRequest {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	var all []engine.SendRequest
	for _, r := range s.recorder.requests {
		r.Header, r.Body = maps.Clone(r.Header), bytes.Clone(r.Body)
		all = append(all, r)
	}
	return all
}

// hook creates a webhook. n needs only what differs from one for completed transcripts.
func (s *hookStage) hook(n engine.NewWebhook) (engine.Webhook, string) {
	s.t.Helper()
	if n.URL == "" {
		n.URL = "https://receiver.example/hook"
	}
	if n.Events == nil {
		n.Events = []engine.EventType{engine.EventTranscriptCompleted}
	}
	w, secret, err := s.CreateWebhook(s.t.Context(), s.caller, n)
	require.NoError(s.t, err)
	return w, secret
}

// complete creates a recording and waits until it is transcribed and the engine is idle.
func (s *hookStage) complete() engine.Recording {
	s.t.Helper()
	r, err := s.WaitRecording(s.t.Context(), s.caller, s.record().ID)
	require.NoError(s.t, err)
	require.Equal(s.t, engine.TranscriptCompleted, r.TranscriptStatus)
	synctest.Wait()
	return r
}

// test queues a test delivery.
func (s *hookStage) test(id engine.WebhookID) engine.Delivery {
	s.t.Helper()
	d, err := s.TestWebhook(s.t.Context(), s.caller, id)
	require.NoError(s.t, err)
	synctest.Wait()
	return d
}

// deliveries returns the log of a webhook, newest first.
func (s *hookStage) deliveries(id engine.WebhookID) []engine.Delivery {
	s.t.Helper()
	all, err := s.ListDeliveries(s.t.Context(), s.caller, id, engine.MaxPageSize)
	require.NoError(s.t, err)
	return all
}

// delivery returns the only delivery in the log of a webhook.
func (s *hookStage) delivery(id engine.WebhookID) engine.Delivery {
	s.t.Helper()
	all := s.deliveries(id)
	require.Len(s.t, all, 1)
	return all[0]
}
