package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// recordings is how many recordings the demo makes: two by soundstage demo, and a longer one.
const recordings = 3

// hook receives webhooks.
type hook struct {
	server *http.Server
	mu     sync.Mutex
	ids    map[string]int // deliveries of each event
}

// subscribe starts a receiver, and subscribes it to transcripts.
func (s *story) subscribe(ctx context.Context) (*hook, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &hook{ids: map[string]int{}}
	h.server = &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = h.server.Serve(listener) }()
	var made struct{}
	err = s.client.call(ctx, "POST", "/v1/webhooks", map[string]any{
		"url": "http://" + listener.Addr().String() + "/hook", "events": []string{"transcript.completed"},
	}, &made)
	if err != nil {
		h.close()
		return nil, err
	}
	s.say("POST /v1/webhooks: a receiver subscribes to transcript.completed.")
	return h, nil
}

func (h *hook) close() { _ = h.server.Close() }

// ServeHTTP accepts a delivery.
func (h *hook) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	discard(req.Body)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ids[req.Header.Get("webhook-id")]++
	w.WriteHeader(http.StatusNoContent)
}

// count returns the number of events, and of deliveries.
func (h *hook) count() (events, deliveries int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, n := range h.ids {
		deliveries += n
	}
	return len(h.ids), deliveries
}

// deliveries waits for the event of each recording.
func (s *story) deliveries(ctx context.Context, h *hook) error {
	ctx, cancel := context.WithTimeoutCause(ctx, deadline, errors.New("webhooks are missing"))
	defer cancel()
	for {
		events, deliveries := h.count()
		if events >= recordings {
			s.say("The receiver got %d webhooks for %d transcripts.", deliveries, recordings)
			if events != recordings || deliveries != recordings {
				return fmt.Errorf("the receiver should get %d webhooks", recordings)
			}
			return nil
		}
		if err := pause(ctx, poll); err != nil {
			return err
		}
	}
}
