package command

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

const (
	maxOutput = 64 << 20 // bytes of JSON
	maxStderr = 4 << 10  // of complaints that are kept, from the end
	maxLine   = 512      // of stderr that are looked at for progress
)

// bounded keeps what is written to it up to a limit, and says when there was more.
type bounded struct {
	kept []byte
	full func()
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := maxOutput - len(b.kept)
	b.kept = append(b.kept, p[:min(len(p), room)]...)
	if len(p) > room && !b.over {
		b.over = true
		b.full()
	}
	return len(p), nil
}

// complaints keeps the end of what a program says, and tells the progress that it prints.
type complaints struct {
	mu   sync.Mutex
	tail []byte
	line []byte
	tell func(done float64)
}

func (c *complaints) Write(p []byte) (int, error) {
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
			c.tell(done)
		}
		c.line = c.line[:0]
	}
	return len(p), nil
}

func (c *complaints) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(c.tail), ""))
}

var percent = regexp.MustCompile(`(?:^|[^\d.])(\d{1,3}(?:\.\d{1,4})?) ?%`)

// progressOf reads the last percentage of a line: "whisper_print_progress_callback: progress =  40%", " 40%|####    | 2/5".
func progressOf(line []byte) (done float64, ok bool) {
	all := percent.FindAllSubmatch(line, -1)
	if len(all) == 0 {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(all[len(all)-1][1]), 64)
	return v / 100, err == nil && v <= 100
}
