package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// trigger is `soundstage trigger`.
type trigger struct {
	remote
	resource  string
	overrides []string
	to        string
	secret    string
	wait      time.Duration
	json      bool
}

func newTrigger(std streams) *cobra.Command {
	var tr trigger
	cmd := &cobra.Command{
		Use:   "trigger EVENT",
		Short: "Make a sandbox send a test event",
		Long: `Makes a running sandbox send an event, with your ids and data, to every webhook that is subscribed to it, or to one URL. Prints the
payload and the responses. EVENT is any event that webhooks can subscribe to; shell completion lists them.

Exit codes: 2 unknown event or invalid data, 3 no webhook is subscribed, 5 no sandbox answers, 10 no response in time.`,
		Example: `  soundstage trigger transcript.completed
  soundstage trigger transcript.completed --resource 0b5d1f0e-… --override transcript_status=error
  soundstage trigger output.completed --override prompt_id=null --to https://receiver.example/hook`,
		Args:              exactArgs(1, "an event"),
		ValidArgsFunction: completeEvents,
		RunE: func(cmd *cobra.Command, args []string) error {
			return tr.run(cmd.Context(), engine.EventType(args[0]), std.out)
		},
	}
	tr.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&tr.resource, "resource", "", "`id` of the recording or output that the event is about")
	f.StringArrayVar(&tr.overrides, "override", nil, "`path=value` to change in the payload, for example transcript_status=error; repeatable")
	f.StringVar(&tr.to, "to", "", "`URL` to send to instead of the webhooks")
	setVariable(f, "to", "trigger-to") // export's --to has formats
	f.StringVar(&tr.secret, "signing-secret", "", "signing `secret` (whsec_…) for --to; default the sandbox's fixed secret, which is printed")
	f.DurationVar(&tr.wait, "wait", 20*time.Second, "longest `time` to wait for the responses")
	f.BoolVar(&tr.json, "json", false, "print one JSON object")
	return cmd
}

// completeEvents completes event names for shells, with their descriptions.
func completeEvents(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var events []cobra.Completion
	if len(args) == 0 {
		for _, e := range engine.Events() {
			events = append(events, cobra.CompletionWithDesc(string(e.Type), e.Summary))
		}
	}
	return events, cobra.ShellCompDirectiveNoFileComp
}

func eventNames() []engine.EventType {
	all := engine.EventTypes()
	slices.Sort(all)
	return all
}

// parseOverrides parses the --override flags. The value null is JSON null; every other value is a string.
func parseOverrides(flags []string) (map[string]any, error) {
	m := map[string]any{}
	for _, flag := range flags {
		path, value, ok := strings.Cut(flag, "=")
		if !ok || path == "" {
			return nil, engine.Errorf(engine.CodeInvalid, "trigger", "--override %q is not PATH=VALUE.", flag).
				WithHint("Use for example --override transcript_status=error.")
		}
		m[path] = value
		if value == "null" {
			m[path] = nil
		}
	}
	return m, nil
}

func (tr *trigger) run(ctx context.Context, event engine.EventType, out io.Writer) error {
	if !slices.Contains(engine.EventTypes(), event) {
		return unknownValue("trigger", "event", string(event), eventNames())
	}
	overrides, err := parseOverrides(tr.overrides)
	if err != nil {
		return err
	}
	var sent outbox.Triggered
	if err := tr.call(ctx, http.MethodPost, "webhooks/trigger", map[string]any{
		"event": event, "resource": tr.resource, "overrides": overrides, "url": tr.to, "secret": tr.secret,
	}, &sent); err != nil {
		return err
	}
	if len(sent.Messages) == 0 {
		return engine.Errorf(engine.CodeNotFound, "trigger", "Nothing was sent: no webhook is subscribed to %s.", event).
			WithHint("Subscribe one with POST /v1/webhooks or `soundstage listen`, or set --to to a URL.")
	}
	var came struct{ Messages []outbox.Message }
	err = tr.call(ctx, http.MethodPost, "webhooks/outbox/wait", map[string]any{
		"event_id": sent.EventID, "count": len(sent.Messages), "timeout_ms": tr.wait.Milliseconds(),
	}, &came)
	if err != nil && engine.CodeOf(err) != engine.CodeNotReady {
		return err
	}
	if tr.json {
		return errors.Join(json.NewEncoder(out).Encode(map[string]any{"sent": sent, "messages": came.Messages}), err)
	}
	fmt.Fprintf(out, "%s  %s\n%s\n", event, sent.EventID, sent.Body)
	for _, m := range came.Messages {
		a := m.Attempts[len(m.Attempts)-1]
		said := a.Error
		if a.Response != nil {
			said = strings.TrimSpace(fmt.Sprintf("%d %s", a.Response.Status, a.Response.Body))
		}
		fmt.Fprintf(out, "%s  %s\n", m.URL, said)
	}
	if sent.Secret != "" {
		fmt.Fprintf(out, "Signed with %s\n", sent.Secret)
	}
	return err
}
