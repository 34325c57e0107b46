package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/console"
	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/render"
)

func newServe(std streams) *cobra.Command {
	var n serveNodeFlags
	var open bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a sandbox of the Transcription and Content Service, or a node of your own",
		Long: `Serves a sandbox: the /v1 API of the Transcription and Content Service on this machine, with fixed users and secrets.
Without --data, everything is in a temporary folder, which is deleted at exit.

The console at /_soundstage/console/ shows everything that happens, live. A browser that opens the server's address gets it.

Upload and asset URLs use the Host header of the request, so port mappings work. Behind a proxy that rewrites Host
or terminates TLS, set --public-url: X-Forwarded-* headers are never trusted.

` + clockModes + `
` + backendHelp + `
` + nodeHelp + `
Exit codes: 2 wrong flags, 4 the address or the data folder is in use, or nodes disagree, 5 ffmpeg is missing, or a folder, the
database, or the object storage can't be used.`,
		Example: `  soundstage serve
  soundstage serve --open
  soundstage serve --addr 127.0.0.1:0 --ready-file ready.json --log json
  soundstage serve --data ./sandbox --clock real
  soundstage serve --clock steps
  soundstage serve --addr :8765 --secret-file secrets.txt
  soundstage serve --transcriber whispercpp --llm openai --llm-url http://127.0.0.1:11434/v1 --llm-model llama3.2
  soundstage serve --config soundstage.yaml
  soundstage serve --database postgres://soundstage@db/soundstage --objects s3://media --signing-key-file signing.key --addr :8765`,
		Args: cobra.NoArgs,
	}
	withSandbox(cmd, std, sandboxDefaults{addr: defaultAddr, log: "text"}, func(cmd *cobra.Command, _ []string, s sandboxFlags) error {
		if n.wanted() {
			return n.run(cmd, s, std)
		}
		return serve(cmd.Context(), s, open, std)
	})
	cmd.Flags().BoolVar(&open, "open", false, "open the console in the browser when the sandbox is ready")
	n.add(cmd.Flags())
	parse := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := n.check(cmd); err != nil {
			return err
		}
		return parse(cmd, args)
	}
	return cmd
}

// defaultAddr is the address that `serve` listens on and `healthcheck` checks.
const defaultAddr = "127.0.0.1:8765"

// sandboxDefaults are the flag defaults that differ between the commands that run a sandbox.
type sandboxDefaults struct{ addr, log string }

// sandboxFlags are the parsed flags of a sandbox.
type sandboxFlags struct {
	emulator.Options
	ready   string // file to write when the sandbox is ready
	capsule string // file to write at exit, with all requests
	notices []string
}

// clockModes is the help text of --clock.
const clockModes = `Modes of --clock:
  auto      wall clock; simulated delays are skipped as soon as you poll, or shortly after if you don't
  steps     frozen; each further poll of a resource shows its next state
  manual    frozen until the control API advances it
  scaled:N  N times wall-clock speed
  real      simulated work takes as long as at the hosted service, and real backends as long as they take
Real backends run on the wall clock. With them, --clock real only slows down what is still simulated; the other modes are errors.
`

// withSandbox adds the flags of a sandbox to a command, and makes the command parse them and call run.
func withSandbox(cmd *cobra.Command, std streams, d sandboxDefaults, run func(*cobra.Command, []string, sandboxFlags) error) *cobra.Command {
	var o emulator.Options
	var clock, clockStart, webhookTime, logFormat, secretFile, ready, capsuleFile, style, target string
	var fixtures []string
	var limits []int
	var wanted backendFlags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.Clock, o.WebhookTime, o.Version, o.Log = "", emulator.WebhookTime(webhookTime), versionString(), nil
		if cmd.Flags().Changed("clock") {
			o.Clock = emulator.ClockMode(clock)
		}
		made, err := wanted.open(cmd)
		if err != nil {
			return err
		}
		wanted.applyTo(&o, made)
		if err := checkMaxDuration(o.MaxDuration); err != nil {
			return err
		}
		o.Deadline = wanted.deadline()
		if o.ClockStart, err = startTime(clockStart); err != nil {
			return err
		}
		if o.Log, err = newLog(logFormat, std.err); err != nil {
			return err
		}
		if o.Renders, err = renderDefaults(style, target); err != nil {
			return err
		}
		if secretFile != "" {
			if o.Secrets, err = readSecrets(secretFile); err != nil {
				return err
			}
		}
		if o.RateLimits, err = rateLimits(limits); err != nil {
			return err
		}
		for _, path := range fixtures {
			f, err := fixture.Load(path)
			if err != nil {
				return err
			}
			o.Fixtures = append(o.Fixtures, f)
		}
		return run(cmd, args, sandboxFlags{Options: o, ready: ready, capsule: capsuleFile, notices: made.Notices})
	}
	f := cmd.Flags()
	f.StringVar(&o.Addr, "addr", d.addr, "`host:port` to listen on; port 0 picks a free port")
	f.StringVar(&o.PublicURL, "public-url", "", "base `URL` of upload and asset URLs; default the Host header of each request")
	f.StringVar(&ready, "ready-file", "", "JSON `file` with the address and secrets, written when the sandbox is ready and removed at exit")
	f.BoolVar(&o.AllowSandboxSecrets, "allow-sandbox-secrets", false, "accept the public sandbox secrets on a non-loopback address, for example in a container")
	f.StringArrayVar(&o.AllowedHosts, "allowed-host", nil, "host `name` that the sandbox secrets may be sent to, besides IP addresses, localhost, and names without a dot; repeatable")
	f.StringVar(&o.DataDir, "data", "", "`folder` for all data; default a temporary one, deleted at exit")
	f.StringVar(&clock, "clock", string(emulator.ClockAuto),
		"clock `mode`: auto, steps, manual, scaled:N, or real; see above for real backends")
	f.StringVar(&clockStart, "clock-start", "", "start `time` of the clock; default 2026-01-01T00:00:00Z for a frozen clock, otherwise now")
	f.StringVar(&webhookTime, "webhook-time", "", "time in webhook signatures, `wall or virtual`; default virtual for a frozen clock, otherwise wall")
	f.Uint64Var(&o.Seed, "seed", 0, "`number` that determines transcripts and, without --data, all ids and secrets")
	f.BoolVar(&o.AllowPrivateURLs, "allow-private-urls", false, "let downloads, imports, and webhooks reach private addresses")
	f.StringArrayVar(&fixtures, "fixtures", nil, "`file` of spaces, recordings, addresses, and timelines to start with; repeatable")
	f.StringVar(&o.Snapshot, "snapshot", "", "snapshot `file` to start with; see soundstage snapshot")
	f.StringVar(&capsuleFile, "capsule", "", "`file` to write at exit, with every request to the default world; soundstage replay repeats them")
	f.StringVar(&o.YTDLP, "yt-dlp", "", "`program` that finds the media of video and audio pages; default built-in sample media")
	f.IntSliceVar(&limits, "rate-limit", nil, "`requests` per minute and key, for the tiers core, automation, and platform; for example 60,120,300")
	f.IntVar(&o.MaxConnections, "max-connections", 0, "`number` of open connections above which new ones get 503; 0 for 16384, or less if the process may open fewer files")
	f.IntVar(&o.MaxRequestsPerKey, "max-requests-per-key", 0, "`number` of concurrent requests of a secret above which it gets 429; 0 for 4096")
	f.IntVar(&o.MaxRequestsPerAddress, "max-requests-per-address", 0, "`number` of concurrent requests of an address above which it gets 429; 0 for 8192")
	f.DurationVar(&o.MaxDuration, "max-duration", 0, maxDurationHelp)
	f.DurationVar(&o.SpeechLimit, "speech-limit", 0, "monthly limit that /v1/usage reports, as a `duration` of audio; 0 for none")
	f.Int64Var(&o.StorageSoftLimit, "storage-soft-limit", 0, "storage in `bytes` that /v1/usage reports as 100 %; 0 for 10 GiB")
	f.Int64Var(&o.StorageHardLimit, "storage-hard-limit", 0, "storage in `bytes` above which uploads are rejected; 0 for 20 GiB")
	f.StringVar(&o.ControlToken, "control-token", "", "`token` that the control API under /_soundstage requires; without it, only this machine has access")
	f.BoolVar(&o.WorldPerKey, "world-per-key", false, "give each secret sk_sandbox_TIER_NAME its own world, created on first use")
	f.StringVar(&style, "style", "", "`style` of renders, which /v1 can't choose: as for soundstage clip, a name or a YAML file; stays in the folder of --data")
	f.StringVar(&target, "for", "", "`target` of renders, for their loudness and where text may be: "+joinNames(engine.Targets())+"; stays like --style")
	f.StringVar(&logFormat, "log", d.log, "access log on standard error: `text`, json, or off")
	f.StringVar(&secretFile, "secret-file", "", "`file` with lines “TIER SECRET” that replace the sandbox secrets")
	wanted.register(f)
	return cmd
}

// renderDefaults returns the defaults of renders that the flags name.
func renderDefaults(style, target string) (d emulator.RenderDefaults, err error) {
	if _, d.Look, err = parseStyle("serve", style); err != nil {
		return d, err
	}
	if d.Look == nil || slices.Contains(render.Presets(), style) {
		d.Style, d.Look = style, nil
	}
	if d.Target = engine.Target(target); d.Target.Validate() != nil {
		return d, unknownValue("serve", "target", target, engine.Targets())
	}
	return d, nil
}

// startTime parses --clock-start; "" is the zero time.
func startTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, engine.Errorf(engine.CodeInvalid, "serve", "--clock-start %q is not a time.", s).WithHint("Use RFC 3339, for example 2026-01-01T00:00:00Z.")
	}
	return t, nil
}

// rateLimits turns the three numbers of --rate-limit into a limit for each tier.
func rateLimits(n []int) (map[engine.Tier]int, error) {
	if len(n) == 0 {
		return nil, nil
	}
	if len(n) != 3 || slices.Min(n) < 1 {
		return nil, engine.Errorf(engine.CodeInvalid, "serve", "--rate-limit must be three numbers of at least 1 (got %v).", n).
			WithHint("Set requests per minute for core, automation, and platform: --rate-limit 60,120,300.")
	}
	return map[engine.Tier]int{engine.TierCore: n[0], engine.TierAutomation: n[1], engine.TierPlatform: n[2]}, nil
}

func newLog(format string, w io.Writer) (*slog.Logger, error) {
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(w, nil)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, nil)), nil
	case "off":
		return slog.New(slog.DiscardHandler), nil
	}
	return nil, unknownValue("serve", "log format", format, []string{"text", "json", "off"})
}

// readSecretFile returns the content of a secret file. CodeInvalid if it can't be read, or if other users can read it.
func readSecretFile(op, path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, op, "The secret file %s can't be read.", path).
			WithHint(fmt.Sprintf("Check the path and its permissions: %v.", err)).Because(err)
	}
	if info, err := os.Stat(path); err == nil && backends.OthersCanRead(path, info) {
		return nil, engine.Errorf(engine.CodeInvalid, op, "Other users can read the secret file %s: its mode is %04o.", path, info.Mode().Perm()).
			WithHint(fmt.Sprintf("Restrict it: chmod 600 %q.", path))
	}
	return b, nil
}

// readSecrets reads a file with a tier and a secret on each line. It skips empty lines and lines that begin with #.
func readSecrets(path string) ([]emulator.Secret, error) {
	b, err := readSecretFile("serve", path)
	if err != nil {
		return nil, err
	}
	var secrets []emulator.Secret
	for i, line := range strings.Split(string(b), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		tier := engine.Tier(fields[0])
		switch {
		case len(fields) != 2 || !tier.Includes(engine.TierNone):
			return nil, engine.Errorf(engine.CodeInvalid, "serve", "Line %d of the secret file is not “TIER SECRET”.", i+1).
				WithHint("TIER is none, core, automation, or platform.")
		case len(fields[1]) < 16 || strings.HasPrefix(fields[1], "sk_sandbox_"):
			return nil, engine.Errorf(engine.CodeInvalid, "serve", "The secret on line %d of the secret file is too easy to guess.", i+1).
				WithHint("Use at least 16 random characters, for example from `openssl rand -hex 24`.")
		}
		secrets = append(secrets, emulator.Secret{Tier: tier, Value: fields[1]})
	}
	if len(secrets) == 0 {
		return nil, engine.Errorf(engine.CodeInvalid, "serve", "The secret file %s contains no secrets.", path).WithHint("Add lines “TIER SECRET”.")
	}
	return secrets, nil
}

// serve runs a sandbox until ctx is done. If open is true, it opens the console in the browser.
func serve(ctx context.Context, f sandboxFlags, open bool, std streams) error {
	s, err := openSandbox(ctx, f)
	if err != nil {
		return err
	}
	if err := printGreeting(ctx, std.out, s.Server, f.Options); err != nil {
		return errors.Join(err, s.close())
	}
	for _, notice := range f.notices {
		fmt.Fprintln(std.err, "soundstage:", notice)
	}
	var opened <-chan error
	if open {
		opened = openBrowser(s.URL() + console.Path)
	}
	for running := true; running; {
		select {
		case err := <-opened: // the sandbox works without a browser
			opened = nil
			if err != nil {
				fmt.Fprintln(std.err, explain(err))
			}
		case <-ctx.Done():
			fmt.Fprintln(std.err, "soundstage: draining; interrupt again to stop immediately")
			running = false
		case err = <-s.stopped:
			running = false
		}
	}
	if closeErr := s.close(); err == nil {
		err = closeErr
	}
	return err
}

// sandbox is a running server with its ready file.
type sandbox struct {
	*emulator.Server
	stopped chan error // why the server stopped
	ready   readyFile
	capsule string // file to write at exit; "" for none
}

// gcPercent is the GOGC of a sandbox unless the environment sets one: three times Go's default. It makes the slowest responses under load
// about 10 % faster.
const gcPercent = 300

// openSandbox starts a sandbox and writes its ready file.
func openSandbox(ctx context.Context, f sandboxFlags) (*sandbox, error) {
	ready := readyFile{path: f.ready}
	if err := ready.clear(); err != nil {
		return nil, err
	}
	checked := make(chan error, 1)
	checking, endCheck := context.WithCancel(ctx)
	defer endCheck()
	go func() { checked <- checkFFmpegVersion(checking, f.FFmpeg) }() // concurrent because it takes as long as the rest of the start
	server, err := emulator.New(ctx, f.Options)
	if err != nil {
		return nil, err
	}
	if err := <-checked; err != nil {
		return nil, errors.Join(err, server.Close())
	}
	if f.capsule != "" {
		err = server.StartCapsule(ctx, "")
	}
	if err = errors.Join(err, ready.write(sandboxReadiness(server, f.Options))); err != nil {
		return nil, errors.Join(err, server.Close())
	}
	s := &sandbox{Server: server, stopped: make(chan error, 1), ready: ready, capsule: f.capsule}
	go func() { s.stopped <- server.Wait() }()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	return s, nil
}

// checkFFmpegVersion checks ffmpeg before the sandbox reports that it is ready. It tries up to five times if the system kills a program. If
// that goes on, the sandbox starts anyway: each job runs ffmpeg again, and its error says what is wrong.
func checkFFmpegVersion(ctx context.Context, f render.FFmpeg) error {
	for pause := 100 * time.Millisecond; ; pause *= 2 {
		err := f.CheckVersion(ctx)
		var e *engine.Error
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

// close removes the ready file, drains the server, and writes the capsule.
func (s *sandbox) close() error {
	return errors.Join(s.ready.remove(), s.Close(), s.writeCapsule())
}

// printGreeting prints the sandbox's address, its secrets, and commands to try first.
func printGreeting(ctx context.Context, w io.Writer, s *emulator.Server, o emulator.Options) error {
	health, err := s.Health(ctx)
	if err != nil {
		return err
	}
	data := "data deleted at exit"
	if o.DataDir != "" {
		data = "data in " + o.DataDir
	}
	fmt.Fprintf(w, "Soundstage sandbox %s on %s (clock %s, %s)\n", o.Version, s.URL(), health.Clock, data)
	if b := health.Backends; b.Transcriber.Kind != backends.Fake || b.LLM.Kind != backends.Fake {
		fmt.Fprintf(w, "Transcripts by %s; texts by %s\n", describeBackend(b.Transcriber), describeBackend(b.LLM))
	}
	fmt.Fprintln(w)
	secret := "$SECRET"
	if len(o.Secrets) == 0 {
		fmt.Fprintln(w, "Secrets, by tier:")
		for _, sec := range emulator.SandboxSecrets() {
			note := string(sec.Tier)
			if sec.Tier == engine.TierNone {
				note = "no plan: every request is rejected"
			}
			if sec.Other {
				note += ", for a second user with a separate space"
			}
			fmt.Fprintf(w, "  %-22s %s\n", sec.Value, note)
		}
		fmt.Fprintln(w)
		secret = "sk_sandbox_platform"
	}
	fmt.Fprintf(w, `Open %[1]s%[3]s in a browser to see what happens.

To try it with a file talk.wav:
  curl -H 'Authorization: Bearer %[2]s' %[1]s/v1/uploads -d '{"filename":"talk.wav","content_type":"audio/wav","content_size":'$(wc -c <talk.wav)'}'
  curl -T talk.wav -H 'Content-Type: audio/wav' 'UPLOAD_URL'
  curl -H 'Authorization: Bearer %[2]s' %[1]s/v1/recordings -d '{"object_id":"OBJECT_ID"}'

The API contract is at %[1]s/openapi.yaml. Press Ctrl-C to stop.
`, s.URL(), secret, console.Path)
	return nil
}
