package outbox_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// network is a Sender that records requests and gets its responses from a function.
type network struct {
	mu     sync.Mutex
	sent   []engine.SendRequest
	answer func(ctx context.Context, req engine.SendRequest) (engine.SendResponse, error)
}

func (n *network) Check(context.Context, string) error { return nil }

func (n *network) Send(ctx context.Context, req engine.SendRequest) (engine.SendResponse, error) {
	n.mu.Lock()
	n.sent = append(n.sent, req)
	n.mu.Unlock()
	if n.answer == nil {
		return engine.SendResponse{Status: 200, Header: map[string][]string{"X-B": {"2"}, "X-A": {"1", "3"}}}, nil
	}
	return n.answer(ctx, req)
}

// resources returns the recording ids in the sent messages, in order.
func (n *network) resources() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	ids := []string{}
	for _, r := range n.sent {
		_, rest, _ := strings.Cut(string(r.Body), `"recording_id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		ids = append(ids, id)
	}
	return ids
}

// stage is an engine with an outbox in a synctest bubble.
type stage struct {
	*outbox.Outbox
	t      *testing.T
	net    *network
	engine *engine.Engine
	owner  engine.Caller
	stop   func()
}

func newStage(t *testing.T, c outbox.Config, n *network) *stage {
	t.Helper()
	return newStageOn(t, memory.NewStore(), c, n)
}

func newStageOn(t *testing.T, store engine.Store, c outbox.Config, n *network) *stage {
	t.Helper()
	c.Sender = n
	s := &stage{Outbox: outbox.New(c), t: t, net: n}
	var err error
	s.engine, err = engine.New(engine.Config{
		Store: store, Blobs: memory.NewBlobs(), Sender: s.Outbox, Workers: map[queue.Class]int{queue.ClassDeliver: outbox.Workers},
		WebhookRetry: []time.Duration{time.Hour},
	})
	require.NoError(t, err)
	s.owner, err = s.engine.CreateAccount(t.Context(), engine.NewAccount{Name: "A"})
	require.NoError(t, err)
	require.NoError(t, s.Attach(t.Context(), s.engine, store, s.owner))
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = s.engine.Run(ctx) })
	s.stop = sync.OnceFunc(func() { cancel(); running.Wait() })
	t.Cleanup(func() {
		s.Close()
		s.stop()
	})
	return s
}

func (s *stage) hook() (engine.Webhook, *standardwebhooks.Webhook) {
	s.t.Helper()
	w, secret, err := s.engine.CreateWebhook(s.t.Context(), s.owner, engine.NewWebhook{URL: "https://receiver.example/", Events: engine.EventTypes()})
	require.NoError(s.t, err)
	return w, verifier(s.t, secret)
}

// verifier returns what a receiver checks signatures with.
func verifier(t *testing.T, secret string) *standardwebhooks.Webhook {
	t.Helper()
	v, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	return v
}

// trigger sends an event about a recording to the only webhook and returns its message's id.
func (s *stage) trigger(recording string) string {
	s.t.Helper()
	done, err := s.Trigger(s.t.Context(), outbox.Trigger{Event: engine.EventTranscriptCompleted, Resource: recording})
	require.NoError(s.t, err)
	require.Len(s.t, done.Messages, 1)
	m, err := s.Get(done.Messages[0])
	require.NoError(s.t, err)
	require.Equal(s.t, done.EventID, m.EventID)
	synctest.Wait()
	return m.ID
}

func (s *stage) status(id string) outbox.Status {
	s.t.Helper()
	m, err := s.Get(id)
	require.NoError(s.t, err)
	return m.Status
}

func requireCode(t *testing.T, code engine.Code, err error) {
	t.Helper()
	require.Equal(t, code, engine.CodeOf(err), "%v", err)
}

// Duplicate sends its two copies concurrently.
func TestDuplicatesAreConcurrent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &network{}
		s := newStage(t, outbox.Config{}, n)
		s.hook()
		id := s.trigger("rec-1")
		meet := make(chan struct{})
		n.answer = func(context.Context, engine.SendRequest) (engine.SendResponse, error) {
			select {
			case meet <- struct{}{}:
			case <-meet:
			}
			return engine.SendResponse{Status: 409}, nil
		}
		attempts, err := s.Duplicate(t.Context(), id)
		require.NoError(t, err)
		require.ElementsMatch(t, []int{2, 3}, []int{attempts[0].Number, attempts[1].Number})
		require.Equal(t, outbox.StatusFailed, s.status(id))
	})
}

// Resend to a receiver that never responds fails after 15 seconds.
func TestResendToSilentReceiver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &network{}
		s := newStage(t, outbox.Config{}, n)
		w, _ := s.hook()
		id := s.trigger("rec-1")
		n.answer = func(ctx context.Context, _ engine.SendRequest) (engine.SendResponse, error) {
			<-ctx.Done()
			return engine.SendResponse{}, engine.Errorf(engine.CodeUnavailable, "Send", "Silence.")
		}
		began := time.Now()
		a, err := s.Resend(t.Context(), id, true)
		require.NoError(t, err)
		require.Equal(t, 15*time.Second, time.Since(began))
		require.Equal(t, "Silence.", a.Error)
		require.EqualValues(t, 15_000, a.DurationMS)
		require.NoError(t, s.engine.DeleteWebhook(t.Context(), s.owner, w.ID))
		_, err = s.Resend(t.Context(), id, true)
		requireCode(t, engine.CodeConflict, err)
	})
}

// The outbox keeps the newest messages and their newest attempts. Wait rejects a larger count.
func TestBounds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{Messages: 3}, &network{})
		s.hook()
		var ids []string
		for i := range 5 {
			ids = append(ids, s.trigger(fmt.Sprint("rec-", i)))
		}
		found, err := s.List(outbox.Filter{}, 0)
		require.NoError(t, err)
		require.Equal(t, []string{ids[4], ids[3], ids[2]}, []string{found[0].ID, found[1].ID, found[2].ID})
		require.Equal(t, []outbox.Header{{Name: "X-A", Value: "1"}, {Name: "X-A", Value: "3"}, {Name: "X-B", Value: "2"}}, found[0].Attempts[0].Response.Headers)
		_, err = s.Get(ids[1])
		requireCode(t, engine.CodeNotFound, err)
		_, err = s.Wait(t.Context(), outbox.Filter{}, 4, time.Second)
		requireCode(t, engine.CodeInvalid, err)
		for range 2 * outbox.MaxAttempts {
			_, err := s.Resend(t.Context(), ids[4], false)
			require.NoError(t, err)
		}
		m, err := s.Get(ids[4])
		require.NoError(t, err)
		require.Len(t, m.Attempts, outbox.MaxAttempts)
		require.Equal(t, 2*outbox.MaxAttempts+1, m.Attempts[outbox.MaxAttempts-1].Number)
	})
}

// lateStore is a Store whose transactions take a second, once something was sent.
type lateStore struct {
	engine.Store
	net *network
}

func (s lateStore) Update(ctx context.Context, fn func(engine.Tx) error) error {
	if len(s.net.resources()) > 0 {
		time.Sleep(time.Second)
	}
	return s.Store.Update(ctx, fn)
}

// Wait returns when the engine's log has the attempt, too, or after its timeout.
func TestWaitForTheLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &network{}
		s := newStageOn(t, lateStore{memory.NewStore(), n}, outbox.Config{}, n)
		hook, _ := s.hook()
		s.trigger("rec-1")
		attempts := func(timeout time.Duration) (sent, logged int) {
			found, err := s.Wait(t.Context(), outbox.Filter{}, 1, timeout)
			require.NoError(t, err)
			deliveries, err := s.engine.ListDeliveries(t.Context(), s.owner, hook.ID, 10)
			require.NoError(t, err)
			return len(found[0].Attempts), len(deliveries[0].Attempts)
		}
		synctest.Wait()
		sent, logged := attempts(time.Millisecond)
		require.Equal(t, []int{1, 0}, []int{sent, logged})
		sent, logged = attempts(time.Minute)
		require.Equal(t, []int{1, 1}, []int{sent, logged})
	})
}

// Wait ends with its timeout, its context, or the outbox, and says how many messages it received.
func TestWaitEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		s.hook()
		s.trigger("rec-1")
		began := time.Now()
		_, err := s.Wait(t.Context(), outbox.Filter{}, 2, time.Minute)
		requireCode(t, engine.CodeCanceled, err)
		require.Equal(t, "Received 1 of 2 messages within 1m0s.", engine.Message(err))
		require.Equal(t, time.Minute, time.Since(began))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = s.Wait(ctx, outbox.Filter{}, 2, time.Minute)
		require.Equal(t, "Received 1 of 2 messages before the wait was canceled.", engine.Message(err))
		time.AfterFunc(time.Second, s.Close)
		_, err = s.Wait(t.Context(), outbox.Filter{}, 2, time.Minute)
		require.Equal(t, "Received 1 of 2 messages before the world was closed.", engine.Message(err))
	})
}

// Follow reports how many attempts a slow reader has missed.
func TestFollowMisses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{Messages: 3}, &network{})
		s.hook()
		started, proceed := make(chan struct{}), make(chan struct{})
		var missed []int
		var followed sync.WaitGroup
		followed.Go(func() {
			_ = s.Follow(t.Context(), outbox.Filter{}, func() { close(started) }, func(e outbox.Event) error {
				missed = append(missed, e.Missed)
				<-proceed
				return nil
			})
		})
		<-started
		for i := range 10 {
			s.trigger(fmt.Sprint("rec-", i))
		}
		close(proceed)
		synctest.Wait()
		s.Close()
		followed.Wait()
		require.Equal(t, []int{0, 6, 0, 0}, missed)
	})
}

// A listener that times out or closes counts as a failed attempt, which the engine retries.
func TestListenerWithoutAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		l, err := s.Listen(t.Context(), nil, "")
		require.NoError(t, err)
		id := s.trigger("rec-1")
		r, err := l.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, id, r.Message)
		time.Sleep(15 * time.Second)
		synctest.Wait()
		requireCode(t, engine.CodeNotFound, l.Answer(r.ID, engine.SendResponse{Status: 200}, ""))
		again, err := l.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, r.EventID, again.EventID, "the engine retries the delivery")
		m, err := s.Get(id)
		require.NoError(t, err)
		require.Equal(t, "The listener did not answer in time.", m.Attempts[0].Error)
		other := s.trigger("rec-2")
		require.NoError(t, l.Close(t.Context()))
		require.NoError(t, l.Close(t.Context()), "a second Close does nothing")
		synctest.Wait()
		m, err = s.Get(other)
		require.NoError(t, err)
		require.Equal(t, "The listener closed without a response.", m.Attempts[0].Error)
		_, err = l.Next(t.Context())
		requireCode(t, engine.CodeCanceled, err)
		hooks, err := s.engine.ListWebhooks(t.Context(), s.owner)
		require.NoError(t, err)
		require.Empty(t, hooks)
	})
}

// SetPolicy passes the signing clock to SigningTime and returns its error.
func TestSigningTime(t *testing.T) {
	t.Parallel()
	var modes []string
	o := outbox.New(outbox.Config{Sender: &network{}, SigningTime: func(mode string) error {
		modes = append(modes, mode)
		if len(modes) > 2 {
			return engine.Errorf(engine.CodeConflict, "", "No more.")
		}
		return nil
	}})
	for _, mode := range []string{"virtual", ""} {
		_, err := o.SetPolicy(outbox.Policy{Timestamp: mode, Drop: 2})
		require.NoError(t, err)
	}
	_, err := o.SetPolicy(outbox.Policy{Timestamp: "virtual"})
	requireCode(t, engine.CodeConflict, err)
	require.Equal(t, []string{"virtual", "wall", "virtual"}, modes)
	require.Equal(t, outbox.Policy{Timestamp: "wall", Drop: 2}, o.Policy())
}
