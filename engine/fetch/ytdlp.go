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
	maxMetadata = 16 << 20 // bytes of what yt-dlp says about one page
	maxStderr   = 4 << 10  // of its complaints that are kept, from the end
)

// YTDLPConfig says which yt-dlp is run and what it may reach.
type YTDLPConfig struct {
	Path    string        // of the program; without a slash it is looked for in PATH
	Timeout time.Duration // of one page; 60 s when 0
	Config                // the guard of every connection that it makes
}

// YTDLP finds the media behind pages of the sites that site.Of knows, with the program yt-dlp
// (https://github.com/yt-dlp/yt-dlp). It doesn't download with it: yt-dlp only says where the media is.
//
// yt-dlp follows whatever a page says, so every connection that it makes goes through a proxy of ours and so under the guard.
// It gets none of our environment, no configuration, cookies or cache, no extractor for pages in general, and a folder of its
// own that is removed. The sites' terms of use are the user's to keep.
type YTDLP struct {
	cfg   YTDLPConfig
	guard guard
}

var _ engine.Resolver = (*YTDLP)(nil)

// NewYTDLP returns a resolver. CodeUnavailable when there is no such program.
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

// Resolve returns where the media of a page is: of a video site the best file with sound and picture of at most 1080 lines,
// of an audio site, or where there is no such file, the best with sound alone. Its headers are those that Fetch sends on.
//
// CodeInvalid: no usable URL. CodeUnsupported: no page of a site that is known. CodeDownload: the page's media can't be had;
// Retryable where another try may do better. CodeNotPublic: the page leads to a private address. CodeUnavailable: yt-dlp can't
// be run. CodeCanceled: ctx is done.
func (y *YTDLP) Resolve(ctx context.Context, page string) (engine.Resolved, error) {
	u, err := y.guard.check(page)
	if err != nil {
		return engine.Resolved{}, err
	}
	site, ok := site.Of(u.String())
	if !ok {
		return engine.Resolved{}, engine.Errorf(engine.CodeUnsupported, opResolve, "The address is no page of a site that is known.").
			WithHint("Use the address of the media file itself.")
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

// run returns what yt-dlp says about a page.
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
	out := &bounded{limit: maxMetadata, full: func() { stop(errTooMuch) }}
	complaints := &tail{limit: maxStderr}
	cmd := exec.CommandContext(limited, y.cfg.Path, arguments(p.url.String(), page)...)
	cmd.Dir, cmd.Env = home, environment(home)
	cmd.Stdout, cmd.Stderr = out, complaints
	cmd.WaitDelay = time.Second // for children that keep its output open
	ownGroup(cmd)
	err = cmd.Run()
	if err == nil && !out.over() {
		return out.kept, nil
	}
	return nil, y.failure(ctx, failedRun{err: err, cause: context.Cause(limited), stderr: complaints.String(), forbidden: p.forbidden.Load()}, site)
}

// arguments are those that make yt-dlp tell and not download. Source: yt-dlp's README, "Usage and options".
func arguments(proxy, page string) []string {
	return []string{
		"--ignore-config", "--dump-single-json", "--no-playlist", "--flat-playlist", "--playlist-items", "1,2", "--no-warnings", "--no-cache-dir",
		"--no-cookies", "--no-cookies-from-browser", "--ies", "default,-generic", "--downloader", "native",
		"--socket-timeout", "15", "--retries", "2", "--extractor-retries", "1", "--proxy", proxy, "--", page,
	}
}

// environment is where yt-dlp finds other programs, and a home in which there is nothing.
func environment(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home,
		"LANG=C.UTF-8", "PYTHONUTF8=1", "PYTHONDONTWRITEBYTECODE=1", "YTDLP_NO_PLUGINS=1",
	}
}

var (
	errTooSlow = errors.New("yt-dlp took longer than its timeout")
	errTooMuch = errors.New("yt-dlp said more than is read")
)
