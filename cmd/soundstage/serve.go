package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
)

func newServe(std streams) *cobra.Command {
	var o emulator.Options
	var clock, logFormat, secretFile string
	var limits []int
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the sandbox of the Transcription and Content Service",
		Long: `Serves the sandbox: /v1 of the Transcription and Content Service on this machine, with users and secrets that
are always the same. Without --data nothing is kept: everything is in a temporary folder that is gone at exit.

Exit codes: 2 wrong flags, 4 the address or the data folder is in use, 5 ffmpeg is missing or the folder can't be used.`,
		Example: `  soundstage serve
  soundstage serve --addr 127.0.0.1:0 --log json
  soundstage serve --data ./sandbox --clock real
  soundstage serve --addr :8765 --secret-file secrets.txt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Clock, o.Version, o.Log = emulator.ClockMode(clock), versionString(), nil
			var err error
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
			return serve(cmd.Context(), o, std)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Addr, "addr", "127.0.0.1:8765", "`host:port` to listen on; port 0 takes a free one")
	f.StringVar(&o.DataDir, "data", "", "`folder` to keep everything in; none keeps nothing")
	f.StringVar(&clock, "clock", string(emulator.ClockInstant), "`instant`, or real to take as long as the hosted service does")
	f.BoolVar(&o.AllowPrivateURLs, "allow-private-urls", false, "let downloads, imports and webhooks reach private addresses")
	f.StringVar(&o.YTDLP, "yt-dlp", "", "`program` that finds the media of pages of video and audio sites; none leads to media of the sandbox's own")
	f.IntSliceVar(&limits, "rate-limit", nil, "`requests` of a key a minute, by tier: core, automation, platform; for example 60,120,300")
	f.DurationVar(&o.SpeechLimit, "speech-limit", 0, "`length` of audio a month that /v1/usage tells as the limit; 0 is none")
	f.Int64Var(&o.StorageSoftLimit, "storage-soft-limit", 0, "`bytes` of storage that /v1/usage tells percentages of; 0 is 10 GiB")
	f.Int64Var(&o.StorageHardLimit, "storage-hard-limit", 0, "`bytes` of storage beyond which nothing is accepted; 0 is 20 GiB")
	f.StringVar(&o.ControlToken, "control-token", "", "`token` that the control API under /_soundstage needs; without one it is open to this machine only")
	f.BoolVar(&o.WorldPerKey, "world-per-key", false, "give each secret sk_sandbox_TIER_NAME a world of its own, which its first request makes")
	f.StringVar(&logFormat, "log", "text", "access log on standard error: `text`, json or off")
	f.StringVar(&secretFile, "secret-file", "", "`file` with lines “TIER SECRET” that replace the sandbox secrets")
	return cmd
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
func serve(ctx context.Context, o emulator.Options, std streams) error {
	s, err := emulator.New(ctx, o)
	if err != nil {
		return err
	}
	greet(std.out, s, o)
	stopped := make(chan error, 2)
	go func() { stopped <- s.Wait() }()
	checking, endCheck := context.WithCancel(ctx)
	defer endCheck()
	go func() { // asking ffmpeg takes longer than all the rest of the start
		if err := o.FFmpeg.CheckVersion(checking); err != nil && checking.Err() == nil {
			stopped <- err
		}
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(std.err, "soundstage: draining; interrupt again to stop at once")
	case err = <-stopped:
	}
	if closeErr := s.Close(); err == nil {
		err = closeErr
	}
	return err
}

// greet says where the sandbox is, how to open it, and what to try first.
func greet(w io.Writer, s *emulator.Server, o emulator.Options) {
	kept := "nothing is kept"
	if o.DataDir != "" {
		kept = "kept in " + o.DataDir
	}
	fmt.Fprintf(w, "Soundstage sandbox %s on %s (clock %s, %s)\n\n", o.Version, s.URL(), o.Clock, kept)
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
}
