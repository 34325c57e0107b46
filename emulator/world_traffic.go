package emulator

import (
	"cmp"
	"context"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/traffic"
)

// Traffic returns the world's request log and faults.
func (w *world) Traffic() *traffic.Traffic { return w.traffic }

// Resend sends a logged request of a world again, as control.Host says. The world doesn't close meanwhile.
func (s *Server) Resend(ctx context.Context, name string, number int64) (*traffic.Entry, error) {
	w, ok := s.worlds.enter(cmp.Or(name, control.DefaultWorld))
	if !ok {
		return nil, noWorld("Resend", name)
	}
	defer w.requests.Done()
	return w.traffic.Resend(ctx, number)
}

// releaseDelayed lets requests continue that a fault delays, so that they don't delay a close.
func (w *world) releaseDelayed() {
	if w.traffic != nil {
		w.traffic.Close()
	}
}
