package main

import (
	"context"
	"fmt"
	"io"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/console"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
)

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
