package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/render"
)

// checkFFmpegVersion checks ffmpeg before the sandbox reports that it is ready. It tries up to five times if the system kills a program. If
// that goes on, the sandbox starts anyway: each job runs ffmpeg again, and its error says what is wrong. Programs that passed before aren't
// run again.
func checkFFmpegVersion(ctx context.Context, f render.FFmpeg) error {
	programs := ffmpegFiles(f)
	file := passedFile()
	if programs != "" && file != "" {
		if passed, err := os.ReadFile(file); err == nil && string(passed) == programs {
			return nil
		}
	}
	for pause := 100 * time.Millisecond; ; pause *= 2 {
		err := f.CheckVersion(ctx)
		var e *engine.Error
		if err == nil && programs != "" && file != "" {
			_ = errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), writeFile(file, []byte(programs))) // without it, the next start takes longer
		}
		if !errors.As(err, &e) || !e.Retryable {
			return err
		}
		if pause > time.Second {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// ffmpegFiles describes this program and the files of both others, so that a new release of any, or another installation, has another
// description. It returns "" if one is missing.
func ffmpegFiles(f render.FFmpeg) string {
	described := fmt.Sprintln("soundstage", versionString()) // which may need a newer ffmpeg
	for _, name := range []string{cmp.Or(f.FFmpeg, "ffmpeg"), cmp.Or(f.FFprobe, "ffprobe")} {
		path, err := exec.LookPath(name)
		if err != nil {
			return ""
		}
		info, err := os.Stat(path)
		if err != nil {
			return ""
		}
		described += fmt.Sprintln(path, info.Size(), info.ModTime().UnixNano())
	}
	return described
}

// passedFile is the file with the description of the programs that last passed, in the user's cache folder. It is "" if there is no such folder.
func passedFile() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "soundstage", "ffmpeg-passed")
}
