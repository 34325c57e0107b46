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

// conformanceFlags are the parsed flags of `soundstage conformance`.
type conformanceFlags struct {
	config     conformance.Config
	secretFile string
	format     string
	against    string
	strict     bool
}

func newConformance(std streams) *cobra.Command {
	var o conformanceFlags
	cmd := &cobra.Command{
		Use:   "conformance",
		Short: "Check any server of the Transcription and Content Service against the specification",
		Long: `Checks a server over HTTP against each statement of the specification, and reports each as passed, failed, or not
applicable. It also checks statements about points that the specification leaves open (documented, assumed). These
make the command fail only with --strict.

The checks create recordings, speakers, and prompts whose names begin with "conformance-", and delete what the API can
delete. Some remain, such as a recurring prompt: use a separate space on a real service. For a server on this machine,
the command serves media and receives webhooks itself; start a sandbox with --allow-private-urls for that. For a
loopback base URL, the default secrets are the sandbox's.

--against judges the statements by exchanges that soundstage proxy has recorded, and sends nothing. It lists the assumed statements
that are now known: confirmed or contradicted.

Exit codes: 2 wrong flags or a damaged recording, 3 no recording, 5 can't listen for webhooks, 6 a specified statement failed (with --strict: any statement
failed or an endpoint is missing), 7 the server does not answer, 9 it rejects the secret, 130 interrupted.`,
		Example: `  soundstage conformance --base-url http://127.0.0.1:8765
  soundstage exec --allow-private-urls -- soundstage conformance
  SOUNDSTAGE_SECRET=… soundstage conformance --base-url https://api.example.com --timeout 30m --media-url https://example.com/talk.mp3
  soundstage conformance --base-url http://127.0.0.1:8765 --only 'recordings.*' --format junit
  soundstage conformance --against ./recorded`,
		Args: exactArgs(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return runConformance(cmd, o, std) },
	}
	f := cmd.Flags()
	c := &o.config
	f.StringVar(&c.BaseURL, "base-url", "", "`address` of the server, without /v1; default $SOUNDSTAGE_URL")
	f.StringVar(&c.Secret, "secret", "", "API `secret` of the platform tier; default $SOUNDSTAGE_SECRET")
	f.StringVar(&o.secretFile, "secret-file", "", "`file` with lines “ROLE SECRET”; ROLE is platform, automation, core, none, or other")
	f.StringVar(&c.SecretCore, "secret-core", "", "`secret` of the same user with the core tier")
	f.StringVar(&c.SecretAutomation, "secret-automation", "", "`secret` of the same user with the automation tier")
	f.StringVar(&c.SecretNone, "secret-none", "", "`secret` of a user without a plan")
	f.StringVar(&c.SecretOther, "secret-other", "", "`secret` of a second user, to check that users can't see each other's data")
	f.StringVar(&c.MediaURL, "media-url", "", "`URL` of audio with speech that the server can download")
	f.StringVar(&c.WebhookListen, "webhook-listen", "", "`host:port` to receive webhooks on")
	f.StringVar(&c.WebhookURL, "webhook-url", "", "`URL` at which the server reaches --webhook-listen")
	f.StringVar(&c.Only, "only", "", "comma-separated `patterns` of statements to check; * matches any characters")
	f.StringVar(&o.against, "against", "", "`folder` with recorded exchanges to judge instead of a server")
	f.StringVar(&o.format, "format", "text", "report format: `text`, json, or junit (not with --against)")
	f.DurationVar(&c.Timeout, "timeout", 2*time.Minute, "longest `time` for one transcription, render, or chat; use 15m or more for a real service")
	f.BoolVar(&o.strict, "strict", false, "also fail on documented and assumed statements and on missing endpoints")
	return cmd
}

// runConformance checks a server and writes the report.
func runConformance(cmd *cobra.Command, o conformanceFlags, std streams) error {
	const op = "conformance"
	if !slices.Contains(conformance.Formats(), o.format) {
		return unknownValue(op, "report format", o.format, conformance.Formats())
	}
	if o.against != "" {
		return conformanceAgainst(o, std)
	}
	o.config.BaseURL = cmp.Or(o.config.BaseURL, os.Getenv("SOUNDSTAGE_URL"))
	if o.config.BaseURL == "" {
		return engine.Errorf(engine.CodeInvalid, op, "--base-url is required: the address of the server.").WithHint("A sandbox's default is http://127.0.0.1:8765.")
	}
	if o.config.Timeout <= 0 {
		return engine.Errorf(engine.CodeInvalid, op, "--timeout must be greater than zero (got %s).", o.config.Timeout)
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
		return engine.Errorf(engine.CodeUnprocessable, op, "The server does not conform: %s.", plural(n, "statement fails", "statements fail"))
	}
	return engine.Errorf(engine.CodeUnprocessable, op, "The server does not conform: %s missing, %d specified statements hold.",
		plural(len(report.Missing), "endpoint is", "endpoints are"), report.Count(conformance.Specified, conformance.Pass))
}

// conformanceAgainst judges the statements by recorded exchanges.
func conformanceAgainst(o conformanceFlags, std streams) error {
	const op = "conformance"
	if !slices.Contains(conformance.EvidenceFormats(), o.format) {
		return unknownValue(op, "report format with --against", o.format, conformance.EvidenceFormats())
	}
	if o.config.BaseURL != "" {
		return engine.Errorf(engine.CodeInvalid, op, "--against judges recorded exchanges, so it can't be combined with --base-url.").
			WithHint("Omit one of them.")
	}
	evidence, err := conformance.Against(o.against, o.config.Only)
	if err != nil {
		return err
	}
	if err := evidence.Write(std.out, o.format); err != nil {
		return err
	}
	if n := len(evidence.Contradicted(o.strict)); n > 0 {
		return engine.Errorf(engine.CodeUnprocessable, op, "The recorded service does not conform: %s.", plural(n, "statement is contradicted", "statements are contradicted"))
	}
	return nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// secrets sets the secrets that no flag set: from the secret file, then the environment, then, for a loopback URL, the sandbox secrets.
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
			o.setSecret(role, s.Value)
		}
		return nil
	}
	return engine.Errorf(engine.CodeInvalid, "conformance", "An API secret is required.").
		WithHint("Set SOUNDSTAGE_SECRET, --secret-file, or --secret.")
}

func onThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// setSecret sets the secret of a role unless a flag did. It reports whether the role exists.
func (o *conformanceFlags) setSecret(role, secret string) bool {
	place, ok := map[string]*string{
		"platform": &o.config.Secret, "automation": &o.config.SecretAutomation, "core": &o.config.SecretCore,
		"none": &o.config.SecretNone, "other": &o.config.SecretOther,
	}[role]
	if ok && *place == "" {
		*place = secret
	}
	return ok
}

// readSecrets reads the secret file. It skips empty lines and lines that begin with #.
func (o *conformanceFlags) readSecrets() error {
	b, err := readSecretFile("conformance", o.secretFile)
	if err != nil {
		return err
	}
	for i, line := range strings.Split(string(b), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 2 || !o.setSecret(fields[0], fields[1]) {
			return engine.Errorf(engine.CodeInvalid, "conformance", "Line %d of the secret file is not “ROLE SECRET”.", i+1).
				WithHint("ROLE is platform, automation, core, none, or other.")
		}
	}
	return nil
}
