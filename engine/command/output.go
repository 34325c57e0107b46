package command

import (
	"strconv"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

const (
	maxOutput = 64 << 20 // bytes of JSON
	maxStderr = 4 << 10  // bytes to keep from the end of standard error
	maxLine   = 512      // bytes of a line of standard error to search for progress
)

// limitedBuffer is a writer that keeps up to maxOutput bytes, and calls full once if there are more.
type limitedBuffer struct {
	kept []byte
	full func()
	over bool
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	room := maxOutput - len(b.kept)
	b.kept = append(b.kept, p[:min(len(p), room)]...)
	if len(p) > room && !b.over {
		b.over = true
		b.full()
	}
	return len(p), nil
}

// stderrBuffer is a writer that keeps the end of a program's standard error, and reports the progress in it.
type stderrBuffer struct {
	mu     sync.Mutex
	tail   []byte
	line   []byte
	report func(done float64)
}

func (c *stderrBuffer) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tail = append(c.tail, p[max(0, len(p)-maxStderr):]...)
	c.tail = append(c.tail[:0], c.tail[max(0, len(c.tail)-maxStderr):]...)
	for _, b := range p {
		if b != '\n' && b != '\r' {
			if len(c.line) < maxLine {
				c.line = append(c.line, b)
			}
			continue
		}
		if done, ok := progressOf(c.line); ok {
			c.report(done)
		}
		c.line = c.line[:0]
	}
	return len(p), nil
}

func (c *stderrBuffer) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(c.tail), ""))
}

var percent = lazyregexp.New(`(?:^|[^\d.])(\d{1,3}(?:\.\d{1,4})?) ?%`)

// progressOf parses the last percentage of a line: "whisper_print_progress_callback: progress =  40%", " 40%|####    | 2/5".
func progressOf(line []byte) (done float64, ok bool) {
	all := percent.FindAllSubmatch(line, -1)
	if len(all) == 0 {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(all[len(all)-1][1]), 64)
	return v / 100, err == nil && v <= 100
}
