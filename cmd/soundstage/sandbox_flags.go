package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/engine"
)

// sandboxDefaults are the flag defaults that differ between the commands that run a sandbox.
type sandboxDefaults struct{ addr, log string }

// sandboxFlags are the parsed flags of a sandbox.
type sandboxFlags struct {
	emulator.Options
	ready   string // file to write when the sandbox is ready
	capsule string // file to write at exit, with all requests
	notices []string
}

// sandboxValues are the flags of a sandbox as they are written.
type sandboxValues struct {
	options                                   emulator.Options // the flags that need no parsing
	clock, clockStart, webhookTime            string
	style, target                             string
	secretFile, ready, capsuleFile, logFormat string
	fixtures                                  []string
	limits                                    []int
	backends                                  backendFlags
}

// withSandbox adds the flags of a sandbox to a command, and makes the command parse them and call run.
func withSandbox(cmd *cobra.Command, std streams, d sandboxDefaults, run func(*cobra.Command, []string, sandboxFlags) error) *cobra.Command {
	var v sandboxValues
	v.add(cmd.Flags(), d)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f, err := v.parse(cmd, std)
		if err != nil {
			return err
		}
		return run(cmd, args, f)
	}
	return cmd
}

// add adds the flags to a command.
func (v *sandboxValues) add(f *pflag.FlagSet, d sandboxDefaults) {
	f.StringVar(&v.options.Addr, "addr", d.addr, "`host:port` to listen on; port 0 picks a free port")
	f.StringVar(&v.options.PublicURL, "public-url", "", "base `URL` of upload and asset URLs; default the Host header of each request")
	f.StringVar(&v.ready, "ready-file", "", "JSON `file` with the address and secrets, written when the sandbox is ready and removed at exit")
	f.BoolVar(&v.options.AllowSandboxSecrets, "allow-sandbox-secrets", false, "accept the public sandbox secrets on a non-loopback address, for example in a container")
	f.StringArrayVar(&v.options.AllowedHosts, "allowed-host", nil, "host `name` that the sandbox secrets may be sent to, besides IP addresses, localhost, and names without a dot; repeatable")
	f.StringVar(&v.options.DataDir, "data", "", "`folder` for all data; default a temporary one, deleted at exit")
	f.StringVar(&v.clock, "clock", string(emulator.ClockAuto),
		"clock `mode`: auto, steps, manual, scaled:N, or real; see above for real backends")
	f.StringVar(&v.clockStart, "clock-start", "", "start `time` of the clock; default 2026-01-01T00:00:00Z for a frozen clock, otherwise now")
	f.StringVar(&v.webhookTime, "webhook-time", "", "time in webhook signatures, `wall or virtual`; default virtual for a frozen clock, otherwise wall")
	f.Uint64Var(&v.options.Seed, "seed", 0, "`number` that determines transcripts and, without --data, all ids and secrets")
	f.BoolVar(&v.options.AllowPrivateURLs, "allow-private-urls", false, "let downloads, imports, and webhooks reach private addresses")
	f.StringArrayVar(&v.fixtures, "fixtures", nil, "`file` of spaces, recordings, addresses, and timelines to start with; repeatable")
	f.StringVar(&v.options.Snapshot, "snapshot", "", "snapshot `file` to start with; see soundstage snapshot")
	f.StringVar(&v.capsuleFile, "capsule", "", "`file` to write at exit, with every request to the default world; soundstage replay repeats them")
	f.StringVar(&v.options.YTDLP, "yt-dlp", "", "`program` that finds the media of video and audio pages; default built-in sample media")
	f.IntSliceVar(&v.limits, "rate-limit", nil, "`requests` per minute and key, for the tiers core, automation, and platform; for example 60,120,300")
	f.IntVar(&v.options.MaxConnections, "max-connections", 0, "`number` of open connections above which new ones get 503; 0 for 16384, or less if the process may open fewer files")
	f.IntVar(&v.options.MaxRequestsPerKey, "max-requests-per-key", 0, "`number` of concurrent requests of a secret above which it gets 429; 0 for 4096")
	f.IntVar(&v.options.MaxRequestsPerAddress, "max-requests-per-address", 0, "`number` of concurrent requests of an address above which it gets 429; 0 for 8192")
	f.DurationVar(&v.options.MaxDuration, "max-duration", 0, maxDurationHelp)
	f.DurationVar(&v.options.SpeechLimit, "speech-limit", 0, "monthly limit that /v1/usage reports, as a `duration` of audio; 0 for none")
	f.Int64Var(&v.options.StorageSoftLimit, "storage-soft-limit", 0, "storage in `bytes` that /v1/usage reports as 100 %; 0 for 10 GiB")
	f.Int64Var(&v.options.StorageHardLimit, "storage-hard-limit", 0, "storage in `bytes` above which uploads are rejected; 0 for 20 GiB")
	f.StringVar(&v.options.ControlToken, "control-token", "", "`token` that the control API under /_soundstage requires; without it, only this machine has access")
	f.BoolVar(&v.options.WorldPerKey, "world-per-key", false, "give each secret sk_sandbox_TIER_NAME its own world, created on first use")
	f.StringVar(&v.style, "style", "", "`style` of renders, which /v1 can't choose: as for soundstage clip, a name or a YAML file; stays in the folder of --data")
	f.StringVar(&v.target, "for", "", "`target` of renders, for their loudness and where text may be: "+joinNames(engine.Targets())+"; stays like --style")
	f.BoolVar(&v.options.FFmpegOptional, "ffmpeg-optional", false, "start without ffmpeg if it is missing: then only WAV files can be transcribed, and nothing is rendered")
	f.StringVar(&v.logFormat, "log", d.log, "access log on standard error: `text`, json, or off")
	f.StringVar(&v.secretFile, "secret-file", "", "`file` with lines “TIER SECRET” that replace the sandbox secrets")
	v.backends.register(f)
}

// parse returns what the flags say. CodeInvalid for wrong values; the errors of backendFlags.open.
func (v *sandboxValues) parse(cmd *cobra.Command, std streams) (f sandboxFlags, err error) {
	o := v.options
	o.WebhookTime, o.Version = emulator.WebhookTime(v.webhookTime), versionString()
	if cmd.Flags().Changed("clock") {
		o.Clock = emulator.ClockMode(v.clock)
	}
	made, err := v.backends.open(cmd)
	if err != nil {
		return f, err
	}
	v.backends.applyTo(&o, made)
	o.Deadline = v.backends.deadline()
	if err := checkMaxDuration(o.MaxDuration); err != nil {
		return f, err
	}
	if o.ClockStart, err = startTime(v.clockStart); err != nil {
		return f, err
	}
	if o.Log, err = newLog(v.logFormat, std.err); err != nil {
		return f, err
	}
	if o.Renders, err = renderDefaults(v.style, v.target); err != nil {
		return f, err
	}
	if v.secretFile != "" {
		if o.Secrets, err = readSecrets(v.secretFile); err != nil {
			return f, err
		}
	}
	if o.RateLimits, err = rateLimits(v.limits); err != nil {
		return f, err
	}
	if o.Fixtures, err = loadFixtures(v.fixtures); err != nil {
		return f, err
	}
	notices := made.Notices
	if o.FFmpegOptional && o.FFmpeg.Check(cmd.Context()) != nil {
		notices = append(notices, "ffmpeg is missing: only WAV files can be transcribed, and nothing is rendered")
	}
	return sandboxFlags{Options: o, ready: v.ready, capsule: v.capsuleFile, notices: notices}, nil
}

func loadFixtures(paths []string) (all []*fixture.Fixture, err error) {
	for _, path := range paths {
		f, err := fixture.Load(path)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
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
