//go:build !race

package clients_test

import (
	"bytes"
	"strings"
	"sync"
)

// lastBytes is how much of a log to show, in bytes.
const lastBytes = 2 << 10

// serverOutput keeps a program's output and reports when the program says that it is listening.
type serverOutput struct {
	listening chan struct{}

	mu        sync.Mutex
	text      bytes.Buffer
	announced bool
}

func (l *serverOutput) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.text.Write(p)
	if !l.announced && strings.Contains(l.text.String(), "is listening") {
		l.announced = true
		close(l.listening)
	}
	return n, err
}

// String returns the end of the output.
func (l *serverOutput) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.text.String()
	return text[max(0, len(text)-lastBytes):]
}
