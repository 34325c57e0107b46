package emulator

import "github.com/soundstage-dev/soundstage/emulator/traffic"

// Traffic is the world's request log and its faults.
func (w *world) Traffic() *traffic.Traffic { return w.traffic }

// letGo lets requests that a fault holds up go on, so that they don't hold up who waits for them.
func (w *world) letGo() {
	if w.traffic != nil {
		w.traffic.Close()
	}
}
