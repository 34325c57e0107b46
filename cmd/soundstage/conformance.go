package main

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/engine"
)

// conformanceFlags say which server is checked, with what, and how it is told.
type conformanceFlags struct {
	config     conformance.Config
	secretFile string
	format     string
	strict     bool
}

func newConformance(std streams) *cobra.Command {
	var o conformanceFlags
	cmd := &cobra.Command{
		Use:   "conformance",
		Short: "Check any server of the Transcription and Content Service against the specification",
		Long: `Runs the statements of the specification as black-box checks over HTTP against a server, and reports each as passed, failed
or not applicable. Statements that were decided where the specification is silent (documented, assumed) are reported too, but
only specified ones make the command fail, unless --strict.

It makes recordings, speakers and prompts whose names begin with "conformance-"; what the API can delete, it deletes. A
recurring prompt is among what stays: use a space of its own on a real service. Against a server on this machine it serves
media and receives webhooks itself; a sandbox lets it with --allow-private-urls. A loopback base URL without any secret gets
the sandbox's secrets.

Exit codes: 2 wrong flags, 5 nothing can be listened on, 6 a specified statement failed (with --strict, any, or an endpoint is
missing), 7 the server does not answer, 9 it refuses the secret, 130 interrupted.`,
		Example: `  soundstage conformance --base-url http://127.0.0.1:8765
  soundstage exec --allow-private-urls -- soundstage conformance
  SOUNDSTAGE_SECRET=… soundstage conformance --base-url https://api.example.com --timeout 30m --media-url https://example.com/talk.mp3
  soundstage conformance --base-url http://127.0.0.1:8765 --only 'recordings.*' --format junit`,
		Args: exactly(0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return runConformance(cmd, o, std) },
	}
	f := cmd.Flags()
	c := &o.config
	f.StringVar(&c.BaseURL, "base-url", "", "`address` of the server, without /v1; default $SOUNDSTAGE_URL")
	f.StringVar(&c.Secret, "secret", "", "API `secret` with every tier; default the environment's SOUNDSTAGE_SECRET")
	f.StringVar(&o.secretFile, "secret-file", "", "`file` with lines “ROLE SECRET”; ROLE is platform, automation, core, none or other")
	f.StringVar(&c.SecretCore, "secret-core", "", "`secret` of the same user with the tier core")
	f.StringVar(&c.SecretAutomation, "secret-automation", "", "`secret` of the same user with the tier automation")
	f.StringVar(&c.SecretNone, "secret-none", "", "`secret` of a user without a plan")
	f.StringVar(&c.SecretOther, "secret-other", "", "`secret` of a second user, for what users may not see of each other")
	f.StringVar(&c.MediaURL, "media-url", "", "`URL` of audio with speech that the server can download")
	f.StringVar(&c.WebhookListen, "webhook-listen", "", "`host:port` to receive webhooks on")
	f.StringVar(&c.WebhookURL, "webhook-url", "", "`URL` by which the server reaches --webhook-listen")
	f.StringVar(&c.Only, "only", "", "`patterns` of statements to check, with commas between and * for any characters")
	f.StringVar(&o.format, "format", "text", "report as `text`, json or junit")
	f.DurationVar(&c.Timeout, "timeout", 2*time.Minute, "most `time` that one transcription, render or chat may take; 15m and more for a real service")
	f.BoolVar(&o.strict, "strict", false, "fail on documented and assumed statements and on missing endpoints too")
	return cmd
}

// runConformance checks a server and writes the report.
func runConformance(cmd *cobra.Command, o conformanceFlags, std streams) error {
	const op = "conformance"
	if !slices.Contains(conformance.Formats(), o.format) {
		return engine.Errorf(engine.CodeInvalid, op, "There is no report format %q.", o.format).WithHint("Use one of " + strings.Join(conformance.Formats(), ", ") + ".")
	}
	o.config.BaseURL = cmp.Or(o.config.BaseURL, os.Getenv("SOUNDSTAGE_URL"))
	if o.config.BaseURL == "" {
		return engine.Errorf(engine.CodeInvalid, op, "--base-url is needed: the address of the server.").WithHint("A sandbox's is http://127.0.0.1:8765.")
	}
	if o.config.Timeout <= 0 {
		return engine.Errorf(engine.CodeInvalid, op, "--timeout must be longer than nothing.")
	}
	if err := o.secrets(); err != nil {
		return err
	}
	report, err := conformance.Run(cmd.Context(), o.config)
	if err != nil {
		return err
	}
	if err := report.Write(std.out, o.format); err != nil {
		return err
	}
	if report.Conforms(o.strict) {
		return nil
	}
	if n := len(report.Failures(o.strict)); n > 0 {
		return engine.Errorf(engine.CodeUnprocessable, op, "The server does not conform: %s.", counted(n, "statement fails", "statements fail"))
	}
	return engine.Errorf(engine.CodeUnprocessable, op, "The server does not conform: %s missing, %d specified statements hold.",
		counted(len(report.Missing), "endpoint is", "endpoints are"), report.Count(conformance.Specified, conformance.Pass))
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// secrets fills in the secrets that no flag gave: from the file, then from the environment, then a sandbox's on this machine.
func (o *conformanceFlags) secrets() error {
	c := &o.config
	if o.secretFile != "" {
		if err := o.readSecrets(); err != nil {
			return err
		}
	}
	if c.Secret == "" {
		c.Secret = os.Getenv("SOUNDSTAGE_SECRET")
	}
	if c.Secret != "" {
		return nil
	}
	if u, err := url.Parse(c.BaseURL); err == nil && onThisMachine(u.Hostname()) {
		for _, s := range emulator.SandboxSecrets() {
			role := string(s.Tier)
			if s.Other {
				role = "other"
			}
			o.give(role, s.Value)
		}
		return nil
	}
	return engine.Errorf(engine.CodeInvalid, "conformance", "An API secret is needed.").
		WithHint("Put it into the environment as SOUNDSTAGE_SECRET, into a --secret-file, or give --secret.")
}

func onThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// give sets the secret of a role unless a flag did; it reports whether there is such a role.
func (o *conformanceFlags) give(role, secret string) bool {
	place, ok := map[string]*string{
		"platform": &o.config.Secret, "automation": &o.config.SecretAutomation, "core": &o.config.SecretCore,
		"none": &o.config.SecretNone, "other": &o.config.SecretOther,
	}[role]
	if ok && *place == "" {
		*place = secret
	}
	return ok
}

// readSecrets reads the secret file; empty lines and lines with # in front are left out.
func (o *conformanceFlags) readSecrets() error {
	b, err := os.ReadFile(o.secretFile)
	if err != nil {
		return engine.Errorf(engine.CodeInvalid, "conformance", "The secret file can't be read.").
			WithHint(fmt.Sprintf("Check the path and its permissions: %v.", err)).Because(err)
	}
	for i, line := range strings.Split(string(b), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 2 || !o.give(fields[0], fields[1]) {
			return engine.Errorf(engine.CodeInvalid, "conformance", "Line %d of the secret file is not “ROLE SECRET”.", i+1).
				WithHint("ROLE is platform, automation, core, none or other.")
		}
	}
	return nil
}
