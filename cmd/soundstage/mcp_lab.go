package main

import (
	"net/http"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/assistant"
	"github.com/soundstage-dev/soundstage/emulator/lab"
)

func newMCPLab(std streams) *cobra.Command {
	var sandbox remote
	var logFormat string
	cmd := &cobra.Command{
		Use:   "lab",
		Short: "Give assistants the tools of a running sandbox",
		Long: `Serves a running sandbox to an assistant on standard input and output, by the Model Context Protocol: tools for its worlds, clock, faults,
requests, and webhooks. They use the control API. The sandbox itself serves the same tools over HTTP at /_soundstage/mcp.

Without a sandbox, the tools say so; start it at any time.`,
		Example: `  soundstage mcp lab
  soundstage mcp lab --server http://127.0.0.1:9000 --world ci`,
		Args: rejectUnknown,
		RunE: func(cmd *cobra.Command, _ []string) error {
			base, err := sandbox.base()
			if err != nil {
				return err
			}
			log, err := newLog(logFormat, std.err)
			if err != nil {
				return err
			}
			return assistant.Serve(cmd.Context(), lab.New(lab.Options{
				Send: http.DefaultClient.Do, Base: base, Token: sandbox.token, World: sandbox.world, Version: versionString(), Log: log,
			}), std.in, std.out)
		},
	}
	sandbox.flags(cmd)
	cmd.Flags().StringVar(&logFormat, "log", "off", "log of the tools on standard error: `text`, json, or off")
	return cmd
}
