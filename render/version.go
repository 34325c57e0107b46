package render

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// version is a release of FFmpeg.
type version struct{ major, minor int }

// oldest is the first release that has all that this package uses: the youngest of it is -stats_period.
var oldest = version{4, 4}

func (v version) String() string { return fmt.Sprintf("%d.%d", v.major, v.minor) }

func (v version) older(than version) bool {
	return v.major < than.major || v.major == than.major && v.minor < than.minor
}

// howToInstall is the hint for what is missing or too old.
var howToInstall = fmt.Sprintf("Install FFmpeg %v or newer with libass and libx264: "+
	"apt install ffmpeg (Debian, Ubuntu), brew install ffmpeg (macOS), winget install ffmpeg (Windows).", oldest)

// versionPatience is how long a program may take to say its version: it loads two hundred libraries first.
const versionPatience = 10 * time.Second

// CheckVersion says in one sentence which program is missing, can't be run, or is older than what is needed, with
// CodeUnavailable and a hint how to get another. It runs both, which takes a tenth of a second or two, so it is for the
// start of a program that runs for long.
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
	for _, program := range programs { // at the same time
		p, err := f.launch(ctx, command{program: program, args: []string{"-version"}, patience: versionPatience})
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

// versionLine is the first that ffmpeg and ffprobe print.
var versionLine = regexp.MustCompile(`^ff(?:mpeg|probe) version (\S+)`)

// versionError reads what a program says of its version.
func (p *process) versionError(op, name string) error {
	said, _ := io.ReadAll(io.LimitReader(p, 64<<10))
	switch end := p.wait(); end {
	case succeeded:
		if m := versionLine.FindSubmatch(said); m != nil {
			return tooOld(op, name, string(m[1]))
		}
		return nil
	case wasStopped:
		return canceled(p.caller, op)
	}
	return engine.Errorf(engine.CodeUnavailable, op, "%s is installed but can't be run.", name).WithHint(howToInstall).Because(p.cause())
}

var release = regexp.MustCompile(`^n?([0-9]+)\.([0-9]+)[0-9.]*`)

// tooOld is the error for a program that says that it is an early release. Builds between releases, which have a date or
// a hash for a number, pass.
func tooOld(op, name, says string) error {
	m := release.FindStringSubmatch(says)
	if m == nil {
		return nil
	}
	major, majorErr := strconv.Atoi(m[1])
	minor, minorErr := strconv.Atoi(m[2])
	if majorErr != nil || minorErr != nil || !(version{major, minor}).older(oldest) {
		return nil
	}
	return engine.Errorf(engine.CodeUnavailable, op, "This machine's %s is too old: it is %s, and %v or newer is needed.", name, strings.TrimPrefix(m[0], "n"), oldest).
		WithHint(howToInstall)
}
