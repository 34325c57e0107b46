package render

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// version is a release of FFmpeg.
type version struct{ major, minor int }

// oldest is the first release with everything this package uses; -stats_period is the newest option among it.
var oldest = version{4, 4}

func (v version) String() string { return fmt.Sprintf("%d.%d", v.major, v.minor) }

func (v version) older(than version) bool {
	return v.major < than.major || v.major == than.major && v.minor < than.minor
}

// howToInstall is the hint for a program that is missing or too old.
var howToInstall = fmt.Sprintf("Install FFmpeg %v or newer with libass and libx264: "+
	"apt install ffmpeg (Debian, Ubuntu), brew install ffmpeg (macOS), winget install ffmpeg (Windows).", oldest)

// versionTimeout is the time limit for printing a version: the program loads 200 libraries first.
const versionTimeout = 10 * time.Second

// CheckVersion returns CodeUnavailable with an installation hint if ffmpeg or ffprobe is missing, can't be run, or is too
// old. It runs both, which takes 0.1 to 0.2 s, so call it when a long-running program starts. The error is transient if the
// system killed a program or it took too long.
func (f FFmpeg) CheckVersion(ctx context.Context) error {
	const op = "CheckVersion"
	if err := f.Check(ctx); err != nil {
		return err
	}
	ffmpeg, err := f.ffmpeg(op)
	if err != nil {
		return err
	}
	ffprobe, err := f.ffprobe(op)
	if err != nil {
		return err
	}
	programs := []string{ffmpeg, ffprobe}
	var processes []*process
	for _, program := range programs { // concurrently
		p, err := f.launch(ctx, command{program: program, args: []string{"-version"}, timeout: versionTimeout})
		if err != nil {
			return startError(ctx, op, err)
		}
		defer p.close()
		processes = append(processes, p)
	}
	for i, p := range processes {
		if err := p.versionError(op, []string{"ffmpeg", "ffprobe"}[i]); err != nil {
			return err
		}
	}
	return nil
}

// versionLine matches the first line that ffmpeg and ffprobe print.
var versionLine = lazyregexp.New(`^ff(?:mpeg|probe) version (\S+)`)

// versionError parses the version that a program prints.
func (p *process) versionError(op, name string) error {
	output, _ := io.ReadAll(io.LimitReader(p, 64<<10))
	end := p.wait()
	switch end {
	case succeeded:
		if m := versionLine.FindSubmatch(output); m != nil {
			return tooOld(op, name, string(m[1]))
		}
		return nil
	case wasStopped:
		return canceled(p.caller, op)
	}
	err := engine.Errorf(engine.CodeUnavailable, op, "%s is installed but can't be run.", name).WithHint(howToInstall).Because(p.cause())
	if end == wasKilled || end == wasLate || end == wasCostly { // it says nothing about the program
		return err.Transient()
	}
	return err
}

var release = lazyregexp.New(`^n?([0-9]+)\.([0-9]+)[0-9.]*`)

// parseVersion returns the release of a printed version. Builds between releases, which have a date or a hash as version, have none.
func parseVersion(printed string) (v version, known bool) {
	m := release.FindStringSubmatch(printed)
	if m == nil {
		return version{}, false
	}
	major, majorErr := strconv.Atoi(m[1])
	minor, minorErr := strconv.Atoi(m[2])
	return version{major, minor}, majorErr == nil && minorErr == nil // a number too large for an int is no version
}

// tooOld returns the error for a program whose version is older than the oldest supported one. Builds between releases pass.
func tooOld(op, name, printed string) error {
	if v, known := parseVersion(printed); !known || !v.older(oldest) {
		return nil
	}
	return engine.Errorf(engine.CodeUnavailable, op, "This machine's %s is too old: it is %s, and %v or newer is needed.", name,
		strings.TrimPrefix(release.FindString(printed), "n"), oldest).WithHint(howToInstall)
}
