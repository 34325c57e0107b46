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
	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
)

func newServe(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the sandbox of the Transcription and Content Service",
		Long: `Serves the sandbox: /v1 of the Transcription and Content Service on this machine, with users and secrets that
are always the same. Without --data nothing is kept: everything is in a temporary folder that is gone at exit.

Upload and asset addresses begin with the Host of the request that asked for them, which is right behind any
mapping of ports. Behind a proxy that rewrites Host or ends TLS give --public-url: X-Forwarded-* headers are
believed from nobody.

` + clockModes + `
` + backendHelp + `
Exit codes: 2 wrong flags, 4 the address or the data folder is in use, 5 ffmpeg is missing or a folder can't be used.`,
		Example: `  soundstage serve
  soundstage serve --addr 127.0.0.1:0 --ready-file ready.json --log json
  soundstage serve --data ./sandbox --clock real
  soundstage serve --clock steps
  soundstage serve --addr :8765 --secret-file secrets.txt
  soundstage serve --transcriber whispercpp --llm openai --llm-url http://127.0.0.1:11434/v1 --llm-model llama3.2
  soundstage serve --config soundstage.yaml`,
		Args: cobra.NoArgs,
	}
	return withSandbox(cmd, std, sandboxDefaults{addr: defaultAddr, log: "text"}, func(cmd *cobra.Command, _ []string, s sandboxFlags) error {
		return serve(cmd.Context(), s, std)
	})
}

// defaultAddr is where `serve` listens and where `healthcheck` asks.
const defaultAddr = "127.0.0.1:8765"

// sandboxDefaults are the defaults that differ among the commands that run a sandbox.
type sandboxDefaults struct{ addr, log string }

// sandboxFlags are what the command line says about a sandbox.
type sandboxFlags struct {
	emulator.Options
	ready   string // file to write when requests are answered
	capsule string // file to write at exit, with all requests
	notices []string
}

// clockModes is what the help says of --clock.
const clockModes = `Modes of --clock:
  auto      the wall's time, but whatever only waits for time is done at the first poll, or soon if nobody polls
  steps     stands still; each further poll of a resource shows its next state
  manual    stands still until the control API advances it
  scaled:N  N times as fast as the wall's time
  real      takes as long as the hosted service does, and real backends as long as they take
With real backends time is the wall's; --clock real slows down what is simulated beside them, and other modes are refused.
`

// withSandbox gives a command the flags of a sandbox, and runs it with them.
func withSandbox(cmd *cobra.Command, std streams, d sandboxDefaults, run func(*cobra.Command, []string, sandboxFlags) error) *cobra.Command {
	var o emulator.Options
	var clock, clockStart, webhookTime, logFormat, secretFile, ready, capsuleFile string
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
		wanted.give(&o, made)
		if o.ClockStart, err = startTime(clockStart); err != nil {
			return err
		}
		if o.Log, err = newLog(logFormat, std.err); err != nil {
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
	f.StringVar(&o.Addr, "addr", d.addr, "`host:port` to listen on; port 0 takes a free one")
	f.StringVar(&o.PublicURL, "public-url", "", "`address` that upload and asset addresses begin with; none takes the Host of each request")
	f.StringVar(&ready, "ready-file", "", "`file` of JSON with the address and the secrets, written when requests are answered and removed at exit")
	f.BoolVar(&o.AllowSandboxSecrets, "allow-sandbox-secrets", false, "let the secrets that everybody knows open an address that is not loopback: in a container")
	f.StringVar(&o.DataDir, "data", "", "`folder` to keep everything in; none keeps nothing")
	f.StringVar(&clock, "clock", string(emulator.ClockAuto),
		"`mode` of time: auto, steps, manual, scaled:N or real; see above for real backends")
	f.StringVar(&clockStart, "clock-start", "", "`time` that the clock shows at first, as 2026-01-01T00:00:00Z; none is that where it stands still, else now")
	f.StringVar(&webhookTime, "webhook-time", "", "`wall or virtual` time to sign webhooks with; none is virtual where the clock stands still, else wall")
	f.Uint64Var(&o.Seed, "seed", 0, "`number` that transcripts and, without --data, all ids and secrets follow from")
	f.BoolVar(&o.AllowPrivateURLs, "allow-private-urls", false, "let downloads, imports and webhooks reach private addresses")
	f.StringArrayVar(&fixtures, "fixtures", nil, "`file` of spaces, recordings, addresses and timelines to begin with; may be given several times")
	f.StringVar(&o.Snapshot, "snapshot", "", "`file` of a snapshot to begin with; see soundstage snapshot")
	f.StringVar(&capsuleFile, "capsule", "", "`file` to write at exit, with every request of the default world; soundstage replay sends them again")
	f.StringVar(&o.YTDLP, "yt-dlp", "", "`program` that finds the media of pages of video and audio sites; none leads to media of the sandbox's own")
	f.IntSliceVar(&limits, "rate-limit", nil, "`requests` of a key a minute, by tier: core, automation, platform; for example 60,120,300")
	f.DurationVar(&o.SpeechLimit, "speech-limit", 0, "`length` of audio a month that /v1/usage tells as the limit; 0 is none")
	f.Int64Var(&o.StorageSoftLimit, "storage-soft-limit", 0, "`bytes` of storage that /v1/usage tells percentages of; 0 is 10 GiB")
	f.Int64Var(&o.StorageHardLimit, "storage-hard-limit", 0, "`bytes` of storage beyond which nothing is accepted; 0 is 20 GiB")
	f.StringVar(&o.ControlToken, "control-token", "", "`token` that the control API under /_soundstage needs; without one it is open to this machine only")
	f.BoolVar(&o.WorldPerKey, "world-per-key", false, "give each secret sk_sandbox_TIER_NAME a world of its own, which its first request makes")
	f.StringVar(&logFormat, "log", d.log, "access log on standard error as `text`, json or off")
	f.StringVar(&secretFile, "secret-file", "", "`file` with lines “TIER SECRET” that replace the sandbox secrets")
	wanted.register(f)
	return cmd
}

// startTime reads --clock-start; "" is the zero time.
func startTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, engine.Errorf(engine.CodeInvalid, "serve", "--clock-start %q is not a time.", s).WithHint("Write it as RFC 3339 has it: 2026-01-01T00:00:00Z.")
	}
	return t, nil
}

// rateLimits makes a limit for each tier of three numbers.
func rateLimits(n []int) (map[engine.Tier]int, error) {
	if len(n) == 0 {
		return nil, nil
	}
	if len(n) != 3 || slices.Min(n) < 1 {
		return nil, engine.Errorf(engine.CodeInvalid, "serve", "--rate-limit needs three numbers of at least 1.").
			WithHint("Give requests a minute for core, automation and platform: --rate-limit 60,120,300.")
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
	return nil, engine.Errorf(engine.CodeInvalid, "serve", "There is no log format %q.", format).WithHint("Use text, json or off.")
}

// readSecrets reads a file with a tier and a secret on each line; empty lines and lines with # in front are left out.
func readSecrets(path string) ([]emulator.Secret, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, "serve", "The secret file can't be read.").
			WithHint(fmt.Sprintf("Check the path and its permissions: %v.", err)).Because(err)
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
				WithHint("TIER is none, core, automation or platform.")
		case len(fields[1]) < 16 || strings.HasPrefix(fields[1], "sk_sandbox_"):
			return nil, engine.Errorf(engine.CodeInvalid, "serve", "The secret on line %d of the secret file is too easy to guess.", i+1).
				WithHint("Use at least 16 random characters, for example of `openssl rand -hex 24`.")
		}
		secrets = append(secrets, emulator.Secret{Tier: tier, Value: fields[1]})
	}
	if len(secrets) == 0 {
		return nil, engine.Errorf(engine.CodeInvalid, "serve", "The secret file has no secrets.").WithHint("Write lines “TIER SECRET”.")
	}
	return secrets, nil
}

// serve runs a sandbox until ctx is done.
func serve(ctx context.Context, f sandboxFlags, std streams) error {
	s, err := openSandbox(ctx, f)
	if err != nil {
		return err
	}
	if err := greet(ctx, std.out, s.Server, f.Options); err != nil {
		return errors.Join(err, s.close())
	}
	for _, notice := range f.notices {
		fmt.Fprintln(std.err, "soundstage:", notice)
	}
	select {
	case <-ctx.Done():
		fmt.Fprintln(std.err, "soundstage: draining; interrupt again to stop at once")
	case err = <-s.stopped:
	}
	if closeErr := s.close(); err == nil {
		err = closeErr
	}
	return err
}

// sandbox is a running server, and the file that says so.
type sandbox struct {
	*emulator.Server
	stopped  chan error // why it stopped by itself, or should be
	ready    readyFile
	capsule  string // file to write at the end; "" for none
	endCheck context.CancelFunc
}

// gcPercent is the GOGC of a sandbox unless the environment sets one: three times Go's default. It takes a tenth off the slowest answers
// under load.
const gcPercent = 300

// openSandbox starts a sandbox and writes its ready file.
func openSandbox(ctx context.Context, f sandboxFlags) (*sandbox, error) {
	ready := readyFile{path: f.ready}
	if err := ready.clear(); err != nil {
		return nil, err
	}
	server, err := emulator.New(ctx, f.Options)
	if err != nil {
		return nil, err
	}
	if f.capsule != "" {
		err = server.StartCapsule(ctx, "")
	}
	if err = errors.Join(err, ready.write(server, f.Options)); err != nil {
		return nil, errors.Join(err, server.Close())
	}
	checking, endCheck := context.WithCancel(ctx)
	s := &sandbox{Server: server, stopped: make(chan error, 2), ready: ready, capsule: f.capsule, endCheck: endCheck}
	go func() { s.stopped <- server.Wait() }()
	go func() { // asking ffmpeg takes longer than all the rest of the start
		if err := f.FFmpeg.CheckVersion(checking); err != nil && checking.Err() == nil {
			s.stopped <- err
		}
	}()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	return s, nil
}

// close says that nobody is ready any more and drains the server.
func (s *sandbox) close() error {
	s.endCheck()
	return errors.Join(s.ready.remove(), s.Close(), s.writeCapsule())
}

// greet says where the sandbox is, how to open it, and what to try first.
func greet(ctx context.Context, w io.Writer, s *emulator.Server, o emulator.Options) error {
	health, err := s.Health(ctx)
	if err != nil {
		return err
	}
	kept := "nothing is kept"
	if o.DataDir != "" {
		kept = "kept in " + o.DataDir
	}
	fmt.Fprintf(w, "Soundstage sandbox %s on %s (clock %s, %s)\n", o.Version, s.URL(), health.Clock, kept)
	if b := health.Backends; b.Transcriber.Kind != backends.Fake || b.LLM.Kind != backends.Fake {
		fmt.Fprintf(w, "Transcripts by %s; texts by %s\n", toldOf(b.Transcriber), toldOf(b.LLM))
	}
	fmt.Fprintln(w)
	secret := "$SECRET"
	if len(o.Secrets) == 0 {
		fmt.Fprintln(w, "Secrets, by tier:")
		for _, sec := range emulator.SandboxSecrets() {
			note := string(sec.Tier)
			if sec.Tier == engine.TierNone {
				note = "no plan: every request is refused"
			}
			if sec.Other {
				note += ", of a second user with a space of its own"
			}
			fmt.Fprintf(w, "  %-22s %s\n", sec.Value, note)
		}
		fmt.Fprintln(w)
		secret = "sk_sandbox_platform"
	}
	fmt.Fprintf(w, `Try, with a file talk.wav:
  curl -H 'Authorization: Bearer %[2]s' %[1]s/v1/uploads -d '{"filename":"talk.wav","content_type":"audio/wav","content_size":'$(wc -c <talk.wav)'}'
  curl -T talk.wav -H 'Content-Type: audio/wav' 'UPLOAD_URL'
  curl -H 'Authorization: Bearer %[2]s' %[1]s/v1/recordings -d '{"object_id":"OBJECT_ID"}'

The contract is at %[1]s/openapi.yaml. Ctrl-C stops.
`, s.URL(), secret)
	return nil
}
