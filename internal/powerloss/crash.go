package powerloss

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// Options configures Crash. With the zero value, everything that isn't durable is lost.
type Options struct {
	// Random, if not nil, chooses what survives of the bytes and names that aren't durable: any of the writes, some of them torn at a
	// multiple of 512 bytes, and the first changes of each folder's names.
	Random *rand.Rand
	// Lying, if not nil, reports files and folders, relative to the root, whose fsync does nothing. It is for tests of tests.
	Lying func(path string) bool
}

// sector is the size of what a disk writes completely or not at all.
const sector = 512

// Crash writes the folder root into the empty folder dir as a power failure at a moment would leave it.
func (t *Trace) Crash(dir string, at int, o Options) error {
	r := replay{trace: t, root: newFolder(), positions: map[string]int64{}, syncs: map[*call]func(){}, lying: o.Lying}
	running := []*call{}
	for _, e := range t.events[:at] {
		if !e.ended {
			running = append(running, e.call)
			r.begin(e.call)
			continue
		}
		running = slices.DeleteFunc(running, func(c *call) bool { return c == e.call })
		if err := r.end(e.call); err != nil {
			return fmt.Errorf("powerloss: %s: %w", e.call.name, err)
		}
	}
	if o.Random != nil {
		for _, c := range running { // may have taken effect
			if o.Random.IntN(2) == 0 && c.result != "" {
				_ = r.end(c)
			}
		}
	}
	return write(dir, r.root, o.Random)
}

// write writes a folder to the disk.
func write(dir string, n *node, random *rand.Rand) error {
	for name, child := range survivor(n, random).names {
		path := filepath.Join(dir, name)
		if !child.folder() {
			if err := os.WriteFile(path, survivor(child, random).bytes, 0o600); err != nil {
				return err
			}
			continue
		}
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		if err := write(path, child, random); err != nil {
			return err
		}
	}
	return nil
}

// survivor returns what is left of a file or a folder.
func survivor(n *node, random *rand.Rand) state {
	if random == nil {
		return n.durable
	}
	left := n.durable.clone()
	if n.folder() {
		for _, c := range n.pending[:random.IntN(len(n.pending)+1)] {
			left.apply(c)
		}
		return left
	}
	for _, c := range n.pending {
		switch random.IntN(4) {
		case 0, 1:
			left.apply(c)
		case 2:
			c.data = c.data[:random.IntN(len(c.data)/sector+1)*sector]
			if !c.truncate {
				left.apply(c)
			}
		}
	}
	return left
}
