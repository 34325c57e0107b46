package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator/console"
)

func newServe(std streams) *cobra.Command {
	var n serveNodeFlags
	var open, stopOnEOF bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a sandbox of the Transcription and Content Service, or a node of your own",
		Long: `Serves a sandbox: the /v1 API of the Transcription and Content Service on this machine, with fixed users and secrets.
Without --data, everything is in a temporary folder, which is deleted at exit.

The console at /_soundstage/console/ shows everything that happens, live. A browser that opens the server's address gets it.

Upload and asset URLs use the Host header of the request, so port mappings work. Behind a proxy that rewrites Host
or terminates TLS, set --public-url: X-Forwarded-* headers are never trusted.

` + clockModes + `
` + backendHelp + `
` + nodeHelp + `
Exit codes: 2 wrong flags, 4 the address or the data folder is in use, or nodes disagree, 5 ffmpeg is missing, or a folder, the
database, or the object storage can't be used.`,
		Example: `  soundstage serve
  soundstage serve --open
  soundstage serve --addr 127.0.0.1:0 --ready-file ready.json --log json
  soundstage serve --data ./sandbox --clock real
  soundstage serve --clock steps
  soundstage serve --addr :8765 --secret-file secrets.txt
  soundstage serve --transcriber whispercpp --llm openai --llm-url http://127.0.0.1:11434/v1 --llm-model llama3.2
  soundstage serve --config soundstage.yaml
  soundstage serve --database postgres://soundstage@db/soundstage --objects s3://media --signing-key-file signing.key --addr :8765`,
		Args: cobra.NoArgs,
	}
	withSandbox(cmd, std, sandboxDefaults{addr: defaultAddr, log: "text"}, func(cmd *cobra.Command, _ []string, s sandboxFlags) error {
		if stopOnEOF {
			cmd.SetContext(untilEOF(cmd.Context(), std.in))
		}
		if n.wanted() {
			return n.run(cmd, s, std)
		}
		return serve(cmd.Context(), s, open, std)
	})
	cmd.Flags().BoolVar(&open, "open", false, "open the console in the browser when the sandbox is ready")
	cmd.Flags().BoolVar(&stopOnEOF, "stop-on-eof", false, "stop when standard input ends, as it does when the program that holds the other end of a pipe exits or is killed")
	n.add(cmd.Flags())
	parse := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := n.check(cmd); err != nil {
			return err
		}
		return parse(cmd, args)
	}
	return cmd
}

// defaultAddr is the address that `serve` listens on and `healthcheck` checks.
const defaultAddr = "127.0.0.1:8765"

// serve runs a sandbox until ctx is done. If open is true, it opens the console in the browser.
func serve(ctx context.Context, f sandboxFlags, open bool, std streams) error {
	s, err := openSandbox(ctx, f)
	if err != nil {
		return err
	}
	if err := printGreeting(context.WithoutCancel(ctx), std.out, s.Server, f.Options); err != nil {
		return errors.Join(err, s.close())
	}
	for _, notice := range f.notices {
		fmt.Fprintln(std.err, "soundstage:", notice)
	}
	var opened <-chan error
	if open {
		opened = openBrowser(s.URL() + console.Path)
	}
	for running := true; running; {
		select {
		case err := <-opened: // the sandbox works without a browser
			opened = nil
			if err != nil {
				fmt.Fprintln(std.err, explain(err))
			}
		case <-ctx.Done():
			fmt.Fprintln(std.err, "soundstage: draining; interrupt again to stop immediately")
			running = false
		case err = <-s.stopped:
			running = false
		}
	}
	if closeErr := s.close(); err == nil {
		err = closeErr
	}
	return err
}
