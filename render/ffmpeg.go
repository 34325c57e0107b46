package render

import (
	"context"
	"os/exec"
	"runtime"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// DefaultTimeout and DefaultMaxMemory are the limits of a zero FFmpeg.
const (
	DefaultTimeout   = 10 * time.Minute
	DefaultMaxMemory = 4 << 30
)

// FFmpeg is engine.Media by the programs ffmpeg and ffprobe. The zero value runs those in PATH. It keeps no state: it may
// be copied and used by many goroutines, and each call runs processes of its own.
type FFmpeg struct {
	FFmpeg  string // name or path of ffmpeg; default "ffmpeg", found in PATH
	FFprobe string // name or path of ffprobe; default "ffprobe", found in PATH
	TempDir string // where media that are no local file are copied to; default os.TempDir()

	// Timeout is how long Probe may wait for ffprobe, and how long the reader of a decoded stream may wait for ffmpeg in
	// all its reads together: a slow reader doesn't use it up. CodeUnavailable after it. Default DefaultTimeout; for the
	// encoding of a render a minute, and 8 times as long as what is rendered.
	Timeout time.Duration
	// MaxMemory is how many bytes of address space a process may have, on Linux. Default DefaultMaxMemory.
	MaxMemory int64
	// Threads is how many threads a render may use. Default the number of processors, at most 8.
	Threads int
}

var _ engine.Media = FFmpeg{}

// Check says in one sentence which program is missing, with CodeUnavailable and a hint how to get it. It starts none:
// whether they are too old is asked by CheckVersion, and told by Probe.
func (f FFmpeg) Check(ctx context.Context) error {
	const op = "Check"
	if ctx.Err() != nil {
		return canceled(ctx, op)
	}
	_, noFFmpeg := f.ffmpeg(op)
	_, noFFprobe := f.ffprobe(op)
	switch {
	case noFFmpeg != nil && noFFprobe != nil:
		return missing(op, "ffmpeg and ffprobe are", noFFmpeg)
	case noFFmpeg != nil:
		return noFFmpeg
	}
	return noFFprobe
}

func (f FFmpeg) ffmpeg(op string) (string, error)  { return find(op, f.FFmpeg, "ffmpeg") }
func (f FFmpeg) ffprobe(op string) (string, error) { return find(op, f.FFprobe, "ffprobe") }

// find returns the path of a program: of the configured one, or of the one that has its usual name.
func find(op, configured, name string) (string, error) {
	if configured == "" {
		configured = name
	}
	path, err := exec.LookPath(configured)
	if err != nil {
		return "", missing(op, name+" is", err)
	}
	return path, nil
}

func (f FFmpeg) timeout() time.Duration {
	if f.Timeout > 0 {
		return f.Timeout
	}
	return DefaultTimeout
}

func (f FFmpeg) threads() int {
	if f.Threads > 0 {
		return f.Threads
	}
	return min(runtime.NumCPU(), 8)
}

func (f FFmpeg) maxMemory() int64 {
	if f.MaxMemory > 0 {
		return f.MaxMemory
	}
	return DefaultMaxMemory
}
