//go:build !unix

package render

import (
	"errors"
	"os"
	"time"
)

// forgotten is the age after which a leftover can't be in use any more.
const forgotten = 24 * time.Hour

// claim succeeds only for a path older than forgotten, whose process must be gone. It takes no lock: locks on these systems
// would block ffmpeg as well.
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
