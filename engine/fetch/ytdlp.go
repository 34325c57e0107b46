package fetch

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/site"
)

const (
	opResolve   = "Resolve"
	maxMetadata = 16 << 20 // bytes of yt-dlp's output for one page
	maxStderr   = 4 << 10  // bytes at the end of its stderr that are kept
)

// YTDLPConfig configures the yt-dlp program and what it may reach.
type YTDLPConfig struct {
	Path    string        // of the program; a name without a slash is searched in PATH
	Timeout time.Duration // for one page; 60 s when 0
	Config                // applies to every connection that it makes
}

// YTDLP finds the media on pages of the sites in package site, with the program yt-dlp
// (https://github.com/yt-dlp/yt-dlp). yt-dlp only reports the media's URL; Client downloads it.
//
// yt-dlp follows every link of a page, so its connections go through a guarded proxy. It gets no environment variables,
// configuration, cookies, or cache, no generic extractor, and a temporary directory. Users must follow the sites' terms
// of use.
type YTDLP struct {
	cfg   YTDLPConfig
	guard guard
}

var _ engine.Resolver = (*YTDLP)(nil)

// NewYTDLP returns a resolver. It returns CodeUnavailable when the program is not installed.
func NewYTDLP(cfg YTDLPConfig) (*YTDLP, error) {
	path, err := exec.LookPath(cfg.Path)
	if err != nil {
		return nil, notInstalled(err)
	}
	cfg.Path = path
	if cfg.Timeout == 0 {
		cfg.Timeout = time.Minute
	}
	cfg.Config = cfg.withDefaults()
	return &YTDLP{cfg: cfg, guard: newGuard(cfg.Config)}, nil
}

// Resolve returns the URL of a page's media and the headers to send. For a video site, it chooses the best file with
// sound and picture of at most 1080 lines. For an audio site, or when there is no such file, it chooses the best file
// with sound only.
//
// CodeInvalid: the URL is not valid. CodeUnsupported: the URL is not a page of a known site. CodeDownload: the media
// can't be downloaded; Retryable if another attempt may succeed. CodeNotPublic: the page leads to a private address.
// CodeUnavailable: yt-dlp can't be run. CodeCanceled: ctx is done.
func (y *YTDLP) Resolve(ctx context.Context, page string) (engine.Resolved, error) {
	u, err := y.guard.check(page)
	if err != nil {
		return engine.Resolved{}, err
	}
	site, ok := site.Of(u.String())
	if !ok {
		return engine.Resolved{}, engine.Errorf(engine.CodeUnsupported, opResolve, "The URL is not a page of a supported site.").
			WithHint("Use the URL of the media file.")
	}
	if site.Protected {
		return engine.Resolved{}, isProtected(site.Name)
	}
	out, err := y.run(ctx, u.String(), site)
	if err != nil {
		return engine.Resolved{}, err
	}
	return choose(out, site)
}

// run runs yt-dlp for a page and returns its output.
func (y *YTDLP) run(ctx context.Context, page string, site site.Site) ([]byte, error) {
	p, err := newProxy(y.cfg.Config, y.guard)
	if err != nil {
		return nil, &engine.Error{Code: engine.CodeInternal, Op: opResolve, Err: err}
	}
	defer p.close()
	home, err := os.MkdirTemp("", "soundstage-page-")
	if err != nil {
		return nil, &engine.Error{Code: engine.CodeInternal, Op: opResolve, Err: err}
	}
	defer func() { _ = os.RemoveAll(home) }()

	limited, cancel := context.WithTimeoutCause(ctx, y.cfg.Timeout, errTooSlow)
	defer cancel()
	limited, stop := context.WithCancelCause(limited)
	defer stop(nil)
	out := &headBuffer{limit: maxMetadata, full: func() { stop(errTooMuch) }}
	stderr := &tailBuffer{limit: maxStderr}
	cmd := exec.CommandContext(limited, y.cfg.Path, arguments(p.url.String(), page)...)
	cmd.Dir, cmd.Env = home, environment(home)
	cmd.Stdout, cmd.Stderr = out, stderr
	cmd.WaitDelay = time.Second // in case children keep its output open
	ownGroup(cmd)
	err = cmd.Run()
	if err == nil && !out.over() {
		return out.kept, nil
	}
	return nil, y.failure(ctx, failedRun{err: err, cause: context.Cause(limited), stderr: stderr.String(), forbidden: p.forbidden.Load()}, site)
}

// arguments returns the options that make yt-dlp print metadata and download nothing. Source: yt-dlp's README, "Usage and
// options".
func arguments(proxy, page string) []string {
	return []string{
		"--ignore-config", "--dump-single-json", "--no-playlist", "--flat-playlist", "--playlist-items", "1,2", "--no-warnings", "--no-cache-dir",
		"--no-cookies", "--no-cookies-from-browser", "--ies", "default,-generic", "--downloader", "native",
		"--socket-timeout", "15", "--retries", "2", "--extractor-retries", "1", "--proxy", proxy, "--", page,
	}
}

// environment returns yt-dlp's environment: PATH, so that it finds other programs, and an empty home.
func environment(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home,
		"LANG=C.UTF-8", "PYTHONUTF8=1", "PYTHONDONTWRITEBYTECODE=1", "YTDLP_NO_PLUGINS=1",
	}
}

var (
	errTooSlow = errors.New("yt-dlp took longer than its timeout")
	errTooMuch = errors.New("yt-dlp printed more than 16 MiB")
)
