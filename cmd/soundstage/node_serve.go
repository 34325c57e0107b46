package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/node"
)

// serveNodeFlags are the flags of `serve --database`.
type serveNodeFlags struct {
	nodeFlags
	signingKeyFile string
	tokenFile      string
	noWork         bool
	drainDelay     time.Duration
}

// nodeHelp is the help text of serve about nodes.
const nodeHelp = `Nodes. With --database, serve runs a node of your own service instead of a sandbox: the /v1 API on PostgreSQL and on an object
storage, which any number of nodes share, and, without --no-work, the jobs. A node has no sandbox secrets and no virtual clock.
“soundstage migrate” creates the tables, and “soundstage keys create --database” a secret. If the storage allows it, media
goes directly between clients and the storage.

--signing-key-file signs all other URLs, and must be the same on all nodes: one key per line, of at least 32 characters. The first
key signs, and all verify. To replace a key, add the new one below it on all nodes, swap the two, and remove the old one an hour later.

--style and --for are the style and the target of renders that this node creates. They are stored with each render, so every worker renders it
the same. Set them on all nodes with an API.

With --control-token-file, the node serves a console for operators at /_soundstage/console/: recordings, jobs, and deliveries of all
accounts. Everything in it requires the token, of at least 32 characters. Let your proxy pass /_soundstage/ to operators only.

A node answers /healthz (the process runs) and /readyz (the database and the storage work, and the node isn't stopping). On SIGTERM,
/readyz fails and jobs go back to the queue at once. Requests are served for --drain-delay, and may then take --drain-timeout more.
`

// add adds the flags to serve.
func (s *serveNodeFlags) add(f *pflag.FlagSet) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.nodeFlags.add(own)
	own.StringVar(&s.signingKeyFile, "signing-key-file", "", "`file` with the key that signs URLs, the same for all nodes; see above")
	own.StringVar(&s.tokenFile, "control-token-file", "", "`file` with the token of the operators' console; mode 0600; default no console")
	own.BoolVar(&s.noWork, "no-work", false, "serve the API only; soundstage work does the jobs")
	own.DurationVar(&s.drainDelay, "drain-delay", node.DefaultDrainDelay, "`time` to keep serving after the signal to stop, so that proxies notice")
	own.VisitAll(func(flag *pflag.Flag) {
		annotate(flag, nodeOnly, "true")
		f.AddFlag(flag)
	})
}

// nodeOnly is the annotation of flags of serve that need --database.
const nodeOnly = "soundstage.node"

// sandboxOnly are the flags of serve that --database excludes, with the reason.
var sandboxOnly = []struct{ flag, reason string }{
	{"data", "rows are either in the folder or in the database"},
	{"clock", "a node runs on the clock of the database"},
	{"clock-start", "a node runs on the clock of the database"},
	{"webhook-time", "a node signs webhooks with the clock of the database"},
	{"seed", "ids and secrets of a node are random"},
	{"fixtures", "a node has no fixtures"},
	{"snapshot", "a node has no snapshots"},
	{"capsule", "a node doesn't record requests"},
	{"secret-file", "the keys are in the database; create them with soundstage keys"},
	{"allow-sandbox-secrets", "a node has no sandbox secrets"},
	{"allowed-host", "a node has no sandbox secrets to protect"},
	{"open", "the console of a node needs its token"},
	{"world-per-key", "a node has no worlds"},
	{"ffmpeg-optional", "a node renders"},
	{"max-connections", "the proxy in front of the nodes limits connections"},
	{"max-requests-per-key", "requests are limited with --rate-limit, exactly and for all nodes together"},
	{"max-requests-per-address", "the proxy in front of the nodes limits addresses"},
}

// check returns CodeInvalid for a flag of a node without --database, and for a flag of the sandbox with it.
func (s *serveNodeFlags) check(cmd *cobra.Command) (err error) {
	if !s.wanted() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Changed && len(f.Annotations[nodeOnly]) > 0 && err == nil {
				err = engine.Errorf(engine.CodeInvalid, "serve", "--%s needs --database.", f.Name).
					WithHint("Set --database to run a node, or omit --" + f.Name + " to run a sandbox.")
			}
		})
		return err
	}
	for _, only := range sandboxOnly {
		if cmd.Flags().Lookup(only.flag).Changed {
			return engine.Errorf(engine.CodeInvalid, "serve", "--%s can't be used with --database: %s.", only.flag, only.reason).
				WithHint("Omit --" + only.flag + ", or omit --database to run a sandbox.")
		}
	}
	if s.signingKeyFile == "" {
		return engine.Errorf(engine.CodeInvalid, "serve", "--signing-key-file is required with --database.").
			WithHint("Create a key, the same for all nodes: (umask 077; openssl rand -hex 32 >signing.key).")
	}
	if token := cmd.Flags().Lookup("control-token"); token.Changed && !setByEnv(token) {
		return engine.Errorf(engine.CodeInvalid, "serve", "--control-token can't be used with --database: other users can list the arguments of processes.").
			WithHint("Use --control-token-file, or SOUNDSTAGE_CONTROL_TOKEN.")
	} else if token.Changed && s.tokenFile != "" {
		return engine.Errorf(engine.CodeInvalid, "serve", "--control-token-file and SOUNDSTAGE_CONTROL_TOKEN exclude each other.").WithHint("Set one of them.")
	}
	if s.noWork && (len(s.only) > 0 || s.slots != 0) {
		return engine.Errorf(engine.CodeInvalid, "serve", "--no-work excludes --only and --slots.").WithHint("Omit --no-work to work on some classes of jobs.")
	}
	return nil
}

// run runs the node of `serve --database`.
func (s *serveNodeFlags) run(cmd *cobra.Command, f sandboxFlags, std streams) error {
	r := &nodeRun{flags: s.nodeFlags, ports: f.Options, addr: f.Addr, ready: readyFile{path: f.ready}, notices: f.notices}
	r.config = node.Config{PublicURL: strings.TrimRight(f.PublicURL, "/"), RateLimits: f.RateLimits, Work: !s.noWork, DrainDelay: s.drainDelay, Log: f.Log}
	if s.drainDelay <= 0 {
		r.config.DrainDelay = -1
	}
	file, err := readSecretFile("serve", s.signingKeyFile)
	if err != nil {
		return err
	}
	if r.config.SigningKeys, err = node.ParseSigningKeys(file); err != nil {
		return err
	}
	if r.config.ControlToken, err = s.controlToken(f.ControlToken); err != nil {
		return err
	}
	return r.run(cmd, std)
}

// controlToken returns the token of the file, or else the one of the environment. An empty file is no way to have no console.
func (s *serveNodeFlags) controlToken(fromEnvironment string) (string, error) {
	if s.tokenFile == "" {
		return fromEnvironment, nil
	}
	file, err := readSecretFile("serve", s.tokenFile)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(file))
	if token == "" {
		return "", engine.Errorf(engine.CodeInvalid, "serve", "The file of --control-token-file, %s, is empty.", s.tokenFile).
			WithHint("Create a token: (umask 077; openssl rand -hex 32 >control.token).")
	}
	return token, nil
}
