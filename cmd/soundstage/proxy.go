package main

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator/proxy"
	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/engine"
)

// proxyFlags are the parsed flags of `soundstage proxy`.
type proxyFlags struct {
	to, addr, publicURL, caFile, ready string
	keepStorageURLs, strict            bool
	timeout                            time.Duration
	record, replay, miss               string
	ignore, reports                    []string
	limits                             record.Options
}

// The values of --miss.
const (
	missFail    = "fail"
	missForward = "forward"
	missSandbox = "sandbox"
)

func newProxy(std streams) *cobra.Command {
	var o proxyFlags
	cmd := &cobra.Command{
		Use:   "proxy",
		Short: "Stand between a client and the service: record, compare with the contract, and replay",
		Long: `Forwards every request to the service, records the exchanges without secrets, and compares each with the contract and the statements
about the service. At the end (Ctrl-C) it prints how the service differs: the drift report. Send requests to the proxy as to the
service, with the service's own secret.

Signed URLs of uploads and renders are replaced by ones that lead through the proxy, also to storage on another host.

--replay answers from a recording instead. What wasn't recorded gets, by --miss:
  fail     status 501 with the reason
  forward  the service's answer (--to)
  sandbox  the answer of a sandbox that has the recorded recordings and transcripts

At a limit, requests are still forwarded and compared, but no longer recorded; the summary counts them.

Exit codes: 2 wrong flags or a damaged recording, 3 no recording to replay, 4 the address or the folder is in use or of another
service, 5 the address or a folder can't be used, 6 the service differs from a specified or documented part (with --strict: from
any), or a request wasn't recorded, 8 exchanges were lost because the disk is full.`,
		Example: `  soundstage proxy --to https://api.example.com --record ./recorded
  soundstage proxy --to https://api.example.com --record ./recorded --report drift.html --report drift.xml
  soundstage proxy --replay ./recorded
  soundstage proxy --replay ./recorded --miss sandbox`,
		Args: exactArgs(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return runProxy(cmd.Context(), o, std) },
	}
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "`address` of the service, without /v1; with --replay, the default is the recorded one")
	setVariable(f, "to", "proxy-to") // export's --to has formats
	f.StringVar(&o.record, "record", "", "`folder` to record exchanges in; one with exchanges of the same service is continued")
	f.StringVar(&o.replay, "replay", "", "`folder` with recorded exchanges to answer from")
	f.StringVar(&o.miss, "miss", missFail, "who answers what wasn't recorded: `fail, forward, or sandbox`")
	f.StringSliceVar(&o.ignore, "ignore-member", nil, "comma-separated `names` of members of JSON bodies that may differ from the recorded ones, such as title")
	f.StringVar(&o.addr, "addr", "127.0.0.1:8766", "`host:port` to listen on; port 0 picks a free port")
	f.StringVar(&o.publicURL, "public-url", "", "base `URL` of the proxy in upload and asset URLs; default the Host header of each request")
	f.BoolVar(&o.keepStorageURLs, "keep-storage-urls", false, "leave signed URLs as they are; uploads and downloads then bypass the proxy and are not recorded")
	f.StringArrayVar(&o.reports, "report", nil, "`file` for the drift report, by its extension: .txt, .json, .xml (JUnit), or .html; repeatable")
	f.BoolVar(&o.strict, "strict", false, "also exit with 6 when the service differs from an assumed part")
	f.DurationVar(&o.timeout, "timeout", proxy.DefaultTimeout, "longest `time` to wait for the service to begin a response")
	f.StringVar(&o.caFile, "ca-file", "", "PEM `file` with more certificate authorities to trust")
	f.StringVar(&o.ready, "ready-file", "", "JSON `file` with the address, written when the proxy is ready and removed at exit")
	f.IntVar(&o.limits.MaxBody, "max-body", record.DefaultMaxBody, "most `bytes` of each body to record; longer ones are cut and can't be replayed")
	f.Int64Var(&o.limits.MaxBytes, "max-bytes", record.DefaultMaxBytes, "most `bytes` in the folder")
	f.Int64Var(&o.limits.MaxExchanges, "max-exchanges", record.DefaultMaxExchanges, "greatest `number` of exchanges in the folder")
	f.DurationVar(&o.limits.MaxTime, "max-time", record.DefaultMaxTime, "how `long` to record")
	return cmd
}

// reportFormats maps the extension of a report file to its format.
var reportFormats = map[string]string{".txt": "text", ".json": "json", ".xml": "junit", ".html": "html"}

// check validates the flags.
func (o proxyFlags) check() error {
	invalid := func(format string, args ...any) *engine.Error {
		return engine.Errorf(engine.CodeInvalid, "proxy", format, args...)
	}
	for _, path := range o.reports {
		if reportFormats[filepath.Ext(path)] == "" {
			return invalid("The report %q has no known extension.", path).WithHint("Use .txt, .json, .xml (JUnit), or .html.")
		}
		if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
			return invalid("The folder of the report %s does not exist.", path).WithHint("Create it first.")
		}
	}
	all := []string{missFail, missForward, missSandbox}
	switch {
	case !slices.Contains(all, o.miss):
		return unknownValue("proxy", "answer to a miss", o.miss, all)
	case o.to == "" && o.replay == "":
		return invalid("--to is required: the address of the service.").WithHint("To answer from a recording instead, use --replay DIR.")
	case o.replay == "" && o.miss != missFail:
		return invalid("--miss needs --replay.")
	case len(o.ignore) > 0 && o.replay == "":
		return invalid("--ignore-member needs --replay.")
	case o.replay != "" && o.miss != missForward && (o.record != "" || len(o.reports) > 0):
		return invalid("--record and --report need a service: with --replay, add --miss forward.")
	case o.replay != "" && o.record != "" && filepath.Clean(o.replay) == filepath.Clean(o.record):
		return invalid("--record and --replay must not be the same folder (got %s).", o.record)
	case o.timeout <= 0:
		return invalid("--timeout must be greater than zero (got %s).", o.timeout)
	case o.limits.MaxBody < 1, o.limits.MaxBytes < 1, o.limits.MaxExchanges < 1, o.limits.MaxTime <= 0:
		return invalid("--max-body, --max-bytes, --max-exchanges, and --max-time must be greater than zero.")
	case o.limits.MaxBody > 1<<28:
		return invalid("--max-body must be at most %d (got %d).", 1<<28, o.limits.MaxBody).WithHint("Bodies are copied in memory.")
	}
	if o.publicURL != "" {
		if _, err := proxy.ParseAddress(o.publicURL); err != nil {
			return invalid("%q is not a valid public URL.", o.publicURL).WithHint("Use an http or https URL, for example --public-url https://proxy.example.com.")
		}
	}
	return nil
}

// transport returns the transport to the service, which verifies TLS.
func (o proxyFlags) transport() (*http.Transport, error) {
	t := proxy.NewTransport(o.timeout)
	if o.caFile == "" {
		return t, nil
	}
	raw, err := os.ReadFile(o.caFile)
	if err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, "proxy", "The file %s can't be read.", o.caFile).WithHint("Check the path and its permissions.").Because(err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(raw) {
		return nil, engine.Errorf(engine.CodeInvalid, "proxy", "The file %s has no certificate in PEM.", o.caFile).
			WithHint("It must have lines “-----BEGIN CERTIFICATE-----”.")
	}
	t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	return t, nil
}

// isPlain reports whether secrets would be sent unencrypted to another machine.
func isPlain(address, host string) bool {
	return strings.HasPrefix(address, "http://") && !onThisMachine(host)
}
