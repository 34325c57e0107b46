package outbox

import "context"

// Follow calls fn for every attempt that ends from now on and whose message matches the filter, in order. It returns when ctx is
// done, the outbox is closed, or fn returns an error, which it returns. If fn is too slow, attempts are skipped and the next Event
// counts them. started, if not nil, is called once Follow is listening. CodeInvalid for an invalid filter.
func (o *Outbox) Follow(ctx context.Context, f Filter, started func(), fn func(Event) error) error {
	if err := f.Validate(); err != nil {
		return err
	}
	o.mu.Lock()
	next := o.logCount
	o.mu.Unlock()
	if started != nil {
		started()
	}
	for missed := 0; ; {
		o.mu.Lock()
		changed, first := o.changed, o.logCount-len(o.log)
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
		next = o.logCount
		o.mu.Unlock()
		for _, e := range fresh {
			e.Missed, missed = missed, 0
			if err := fn(e); err != nil {
				return err
			}
		}
		if len(fresh) > 0 {
			continue // there may be more now
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
