package render

import (
	"context"
	"errors"
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

// FFmpeg implements engine.Media with the programs ffmpeg and ffprobe. The zero value runs the programs in PATH. FFmpeg has
// no state but Known: it may be copied and used concurrently, and each call runs its own processes.
type FFmpeg struct {
	FFmpeg  string // name or path of ffmpeg; default "ffmpeg", found in PATH
	FFprobe string // name or path of ffprobe; default "ffprobe", found in PATH
	TempDir string // folder for copies of media that aren't local files; default os.TempDir()

	// Timeout limits how long Probe waits for ffprobe. It also limits the total time that the reader of a decoded stream
	// waits for ffmpeg; time between reads doesn't count. After it, the error is CodeUnavailable. Default DefaultTimeout;
	// for encoding, 1 min plus 8 times the duration of the result. On Linux, it also limits the CPU time of a process, per
	// thread: after it, the error is CodeBadMedia.
	Timeout time.Duration
	// MaxMemory limits the address space of a process in bytes, on Linux only. Default DefaultMaxMemory.
	MaxMemory int64
	// Threads limits the threads of a render. Default the number of processors, at most 8.
	Threads int
	// Known, if not nil, keeps what Probe, Inspect, and renders find out about local files. Copies of an FFmpeg, such as that of a Renderer,
	// share it.
	Known *KnownMedia
}

var _ engine.Media = FFmpeg{}

// Check returns CodeUnavailable with an installation hint if ffmpeg or ffprobe is missing. It starts no process:
// CheckVersion and Probe report programs that are too old.
func (f FFmpeg) Check(ctx context.Context) error {
	const op = "Check"
	if ctx.Err() != nil {
		return canceled(ctx, op)
	}
	_, noFFmpeg := f.ffmpeg(op)
	_, noFFprobe := f.ffprobe(op)
	switch {
	case noFFmpeg != nil && noFFprobe != nil:
		return missing(op, "ffmpeg and ffprobe are", errors.Unwrap(noFFmpeg))
	case noFFmpeg != nil:
		return noFFmpeg
	}
	return noFFprobe
}

func (f FFmpeg) ffmpeg(op string) (string, error)  { return find(op, f.FFmpeg, "ffmpeg") }
func (f FFmpeg) ffprobe(op string) (string, error) { return find(op, f.FFprobe, "ffprobe") }

// find returns the path of the configured program, or of name if none is configured.
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
