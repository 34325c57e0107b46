package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
)

func newHealthcheck(std streams) *cobra.Command {
	var base, addr string
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "healthcheck",
		Short: "Check whether a sandbox is healthy, for HEALTHCHECK and scripts",
		Long: `Checks whether a running sandbox is healthy. It needs no flags in a container, or wherever serve gets its address from the
environment. With a --url that ends in /healthz or /readyz, as nodes with --database have it, the status 200 is healthy.

Exit codes: 0 healthy, 1 not healthy (the error says why), 2 wrong flags.`,
		Example: `  soundstage healthcheck
  soundstage healthcheck --url http://127.0.0.1:9000
  soundstage healthcheck --url http://127.0.0.1:9090/readyz
  HEALTHCHECK CMD ["soundstage", "healthcheck"]`,
		Args: exactArgs(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			// --addr overrides SOUNDSTAGE_URL, which exec sets.
			if f := cmd.Flags().Lookup("addr"); f.Changed && !setByEnv(f) && setByEnv(cmd.Flags().Lookup("url")) {
				base = ""
			}
			target, err := healthURL(base, addr)
			if err != nil {
				return err
			}
			if timeout <= 0 {
				return engine.Errorf(engine.CodeInvalid, "healthcheck", "--timeout must be greater than zero (got %s).", timeout)
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), timeout)
			defer cancel()
			if err := checkHealth(ctx, target); err != nil {
				return exitStatus{code: 1, message: err.Error()}
			}
			fmt.Fprintln(std.out, "healthy")
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&base, "url", "", "base `URL` of the sandbox, or of /healthz or /readyz of a node; default http:// and --addr")
	f.StringVar(&addr, "addr", defaultAddr, "`host:port` that the sandbox listens on; an empty host or 0.0.0.0 means this machine")
	f.DurationVar(&timeout, "timeout", 3*time.Second, "longest `time` to wait for the response")
	return cmd
}

// healthURL returns the URL of a health endpoint: base itself if it is one of a node, otherwise the sandbox's.
func healthURL(base, addr string) (string, error) {
	if base != "" {
		u, err := url.Parse(base)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return "", engine.Errorf(engine.CodeInvalid, "healthcheck", "%q is not a valid sandbox URL.", base).
				WithHint("Use --url http://HOST:PORT, for example http://127.0.0.1:8765.")
		}
		if strings.HasSuffix(u.Path, "/readyz") || strings.HasSuffix(u.Path, "/healthz") {
			return base, nil
		}
		return strings.TrimRight(base, "/") + controlPath + "/health", nil
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil || port == "" || port == "0" {
		return "", engine.Errorf(engine.CodeInvalid, "healthcheck", "%q is not the address of a sandbox.", addr).
			WithHint("Use HOST:PORT with the port that the sandbox listens on, for example 127.0.0.1:8765. The ready file contains it.")
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + controlPath + "/health", nil
}

// checkHealth returns nil if the endpoint reports a healthy sandbox, or if that of a node returns 200. It ignores proxy settings, because
// sandboxes are local.
func checkHealth(ctx context.Context, target string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return err
	}
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		return fmt.Errorf("the sandbox doesn't answer at %s: %w", target, err)
	}
	defer func() { _ = resp.Body.Close() }()
	var h control.Health
	err = json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&h)
	if resp.StatusCode != http.StatusOK {
		reason := fmt.Sprintf("%s returned %s", target, resp.Status)
		if len(h.Problems) > 0 {
			reason = strings.Join(h.Problems, " ")
		}
		return fmt.Errorf("the sandbox is not healthy: %s", reason)
	}
	if !strings.HasSuffix(target, controlPath+"/health") {
		return nil
	}
	if err != nil || h.Status != control.HealthOK {
		return fmt.Errorf("the server at %s is not a healthy sandbox", target)
	}
	return nil
}
