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
		Short: "Ask a running sandbox whether it is healthy, for HEALTHCHECK and scripts",
		Long: `Asks a running sandbox whether it is healthy. In a container, or wherever serve gets its address from the environment, no flag
is needed.

Exit codes: 0 healthy, 1 not, with a sentence why, 2 wrong flags.`,
		Example: `  soundstage healthcheck
  soundstage healthcheck --url http://127.0.0.1:9000
  HEALTHCHECK CMD ["soundstage", "healthcheck"]`,
		Args: exactly(0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			// A flag wins over the environment, which may have both: the address of serve, and the URL that exec sets.
			if f := cmd.Flags().Lookup("addr"); f.Changed && !environmental(f) && environmental(cmd.Flags().Lookup("url")) {
				base = ""
			}
			target, err := healthURL(base, addr)
			if err != nil {
				return err
			}
			if timeout <= 0 {
				return engine.Errorf(engine.CodeInvalid, "healthcheck", "--timeout must be longer than nothing.")
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), timeout)
			defer cancel()
			if err := healthy(ctx, target); err != nil {
				return exitStatus{code: 1, says: err.Error()}
			}
			fmt.Fprintln(std.out, "healthy")
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&base, "url", "", "`address` of the sandbox; none asks at --addr")
	f.StringVar(&addr, "addr", defaultAddr, "`host:port` that the sandbox listens on; no host or 0.0.0.0 is this machine")
	f.DurationVar(&timeout, "timeout", 3*time.Second, "longest `time` to wait for the answer")
	return cmd
}

// healthURL is where a sandbox tells how it is.
func healthURL(base, addr string) (string, error) {
	if base != "" {
		u, err := url.Parse(base)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return "", engine.Errorf(engine.CodeInvalid, "healthcheck", "%q is not the address of a sandbox.", base).
				WithHint("Use for example --url http://127.0.0.1:8765.")
		}
		return strings.TrimRight(base, "/") + controlPath + "/health", nil
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil || port == "" || port == "0" {
		return "", engine.Errorf(engine.CodeInvalid, "healthcheck", "%q is not an address that can be asked.", addr).
			WithHint("Use HOST:PORT with the port that the sandbox listens on, for example 127.0.0.1:8765; a ready file has it.")
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + controlPath + "/health", nil
}

// healthy asks. A proxy of the environment is not used: a sandbox is near.
func healthy(ctx context.Context, target string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return err
	}
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		return fmt.Errorf("the sandbox doesn't answer at %s: %w", target, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the sandbox is not healthy: %s says %s", target, resp.Status)
	}
	var h control.Health
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&h); err != nil || h.Status != "ok" {
		return fmt.Errorf("what answers at %s is no healthy sandbox", target)
	}
	return nil
}
