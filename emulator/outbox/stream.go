package outbox

import "context"

// Follow calls fn with every try of a filter's messages that ends from now on, in order, until ctx is done, the outbox is closed or fn
// returns an error, which it returns. What fn was too slow for is not told; the next Event says how many they were. started is called
// when nothing is missed from then on; it may be nil. CodeInvalid.
func (o *Outbox) Follow(ctx context.Context, f Filter, started func(), fn func(Event) error) error {
	if err := f.Validate(); err != nil {
		return err
	}
	o.mu.Lock()
	next := o.logged
	o.mu.Unlock()
	if started != nil {
		started()
	}
	for missed := 0; ; {
		o.mu.Lock()
		changed, first := o.changed, o.logged-len(o.log)
		if next < first {
			missed += first - next
			next = first
		}
		var fresh []Event
		for _, e := range o.log[next-first:] {
			if f.matches(&message{Message: e.Message}) {
				fresh = append(fresh, e)
			}
		}
		next = o.logged
		o.mu.Unlock()
		for _, e := range fresh {
			e.Missed, missed = missed, 0
			if err := fn(e); err != nil {
				return err
			}
		}
		if len(fresh) > 0 {
			continue // there may be more by now
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		case <-o.closed:
			return nil
		}
	}
}
