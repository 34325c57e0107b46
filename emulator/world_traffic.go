package emulator

import "github.com/soundstage-dev/soundstage/emulator/traffic"

// Traffic returns the world's request log and faults.
func (w *world) Traffic() *traffic.Traffic { return w.traffic }

// releaseDelayed lets requests continue that a fault delays, so that they don't delay a close.
func (w *world) releaseDelayed() {
	if w.traffic != nil {
		w.traffic.Close()
	}
}
