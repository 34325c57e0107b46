//go:build !unix

package render

import (
	"errors"
	"os"
	"time"
)

// forgotten is how old something must be that nobody can have any more.
const forgotten = 24 * time.Hour

// claim succeeds with what is so old that its process must be gone: locks of this system would keep ffmpeg out, too.
func claim(path string) (release func(), err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if time.Since(info.ModTime()) < forgotten {
		return nil, errors.New("in use")
	}
	return func() {}, nil
}
