//go:build !race

package clients_test

import (
	"bytes"
	"strings"
	"sync"
)

// lastBytes is how much of a log is worth showing.
const lastBytes = 2 << 10

// lines keeps what a program prints, and tells when it says that it is listening.
type lines struct {
	listening chan struct{}

	mu   sync.Mutex
	text bytes.Buffer
	told bool
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.text.Write(p)
	if !l.told && strings.Contains(l.text.String(), "is listening") {
		l.told = true
		close(l.listening)
	}
	return n, err
}

// String returns the last of it.
func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.text.String()
	return text[max(0, len(text)-lastBytes):]
}
