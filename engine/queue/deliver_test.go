package queue_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// delivering is a memory store that delivers to one worker, one job after the other, with a gap between them. If it is lossy, it delivers none.
type delivering struct {
	store
	gap   time.Duration
	lossy bool
}

func (d *delivering) Deliver(ctx context.Context, _ map[queue.Class]int, work func(context.Context, queue.Delivery) error) error {
	for ctx.Err() == nil {
		if !d.lossy {
			if err := work(ctx, queue.Delivery{Class: queue.ClassImport}); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(d.gap):
		}
	}
	return nil
}

func (d *delivering) Claim(ctx context.Context, of queue.Delivery, owner string, lease time.Duration) (j queue.Job, err error) {
	err = d.Update(ctx, func(tx engine.Tx) (err error) {
		if j, err = tx.DueJob(of.Class, time.Now(), nil); err != nil {
			return err
		}
		j.Status, j.LeaseOwner, j.LeaseUntil = queue.Running, owner, time.Now().Add(lease)
		j.Generation++
		j.Attempt++
		return tx.PutJob(j)
	})
	return j, err
}

// work counts jobs: those that run, the most at once, and those that are done.
type work struct {
	sync.Mutex
	running, most, done int
}

// stageDelivering returns a queue with one worker, and the counts of its jobs, which take a while.
func stageDelivering(t *testing.T, d *delivering, take time.Duration) (*stage, *work) {
	d.store = memory.NewStore()
	w := new(work)
	return newStage(t, config{Store: d, Deliverer: d, Workers: map[queue.Class]int{queue.ClassImport: 1}}, does(func(context.Context, *queue.Attempt) error {
		w.Lock()
		w.running++
		w.most = max(w.most, w.running)
		w.Unlock()
		time.Sleep(take)
		w.Lock()
		defer w.Unlock()
		w.running--
		w.done++
		return nil
	})), w
}

// overdue adds n jobs that have been due for a minute.
func (s *stage) overdue(n int) {
	for i := range n {
		j := s.NewJob("work", fmt.Sprint(i), "", time.Now().Add(-time.Minute))
		require.NoError(s.t, s.Update(s.t.Context(), func(tx engine.Tx) error { return tx.Enqueue(j) }))
	}
}

// A worker that waits for its next delivery is not given another job, although many jobs have waited for long.
func TestDeliveriesAreNotLostBetweenJobs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s, w := stageDelivering(t, &delivering{gap: 35 * time.Millisecond}, 970*time.Millisecond) // free after 5 s, when Run looks
		s.overdue(30)
		defer s.start()()
		time.Sleep(29 * time.Second)
		synctest.Wait()
		w.Lock()
		defer w.Unlock()
		require.Equal(t, 1, w.most)
		require.Greater(t, w.done, 25)
	})
}

// Jobs whose deliveries are lost are done one after the other.
func TestLostDeliveries(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s, w := stageDelivering(t, &delivering{gap: time.Second, lossy: true}, time.Second)
		s.overdue(3)
		defer s.start()()
		time.Sleep(30 * time.Second)
		synctest.Wait()
		w.Lock()
		defer w.Unlock()
		require.Equal(t, []int{0, 1, 3}, []int{w.running, w.most, w.done})
	})
}
