package proxy

import (
	"io"
	"sync"
	"sync/atomic"

	"github.com/soundstage-dev/soundstage/emulator/record"
)

// maxMemory is the most bytes of copies of bodies that are on their way, 256 MiB. Beyond it, bodies are cut.
const maxMemory = 256 << 20

// memory counts the bytes of copies that exchanges hold.
type memory struct{ used atomic.Int64 }

// copy returns a capture of one body.
func (p *Proxy) copy() *capture {
	return &capture{memory: &p.memory, most: p.config.Recorder.MaxBody()}
}

// capture is a copy of the first bytes of a body.
type capture struct {
	memory *memory
	most   int

	mu      sync.Mutex
	data    []byte
	bytes   int64
	partial string
	ended   bool // its bytes are the recorder's
}

func (c *capture) add(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.bytes += int64(len(p))
	keep := p[:min(len(p), c.most-len(c.data))]
	if len(keep) < len(p) && c.partial == "" {
		c.partial = "only the first bytes are recorded"
	}
	if len(keep) == 0 {
		return
	}
	if c.memory.used.Add(int64(len(keep))) > maxMemory {
		c.memory.used.Add(-int64(len(keep)))
		c.most, c.partial = len(c.data), "too many bodies were on their way at once"
		return
	}
	c.data = append(c.data, keep...)
}

// captured ends the copying and returns what was copied.
func (c *capture) captured() record.Captured {
	if c == nil {
		return record.Captured{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	c.memory.used.Add(-int64(len(c.data)))
	return record.Captured{Data: c.data, Bytes: c.bytes, Partial: c.partial}
}

// copied is a body whose bytes are copied while they are read.
type copied struct {
	io.ReadCloser
	to *capture
}

func (b *copied) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.to.add(p[:n])
	}
	return n, err
}
