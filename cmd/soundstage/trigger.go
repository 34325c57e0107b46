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
		Short: "Make a sandbox send an event that did not happen",
		Long: `Sends an event of a running sandbox with ids and data of your own to every webhook that wants it, or to one URL,
and prints what was sent and answered. The events are those that webhooks can subscribe to; a shell's completion lists them.

Exit codes: 2 unknown event or wrong data, 3 no webhook wants the event, 5 no sandbox answers, 10 no answer came in time.`,
		Example: `  soundstage trigger transcript.completed
  soundstage trigger transcript.completed --resource 0b5d1f0e-… --override transcript_status=error
  soundstage trigger output.completed --override prompt_id=null --to https://receiver.example/hook`,
		Args:              exactly(1, "an event"),
		ValidArgsFunction: completeEvents,
		RunE: func(cmd *cobra.Command, args []string) error {
			return tr.run(cmd.Context(), engine.EventType(args[0]), std.out)
		},
	}
	tr.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&tr.resource, "resource", "", "`id` of the recording or output that the event is about")
	f.StringArrayVar(&tr.overrides, "override", nil, "`path=value` of a member of the payload, such as transcript_status=error; may be repeated")
	f.StringVar(&tr.to, "to", "", "`URL` to send to, instead of the webhooks")
	f.StringVar(&tr.secret, "signing-secret", "", "`secret` (whsec_…) that signs what goes to --to; default that of every sandbox")
	f.DurationVar(&tr.wait, "wait", 20*time.Second, "how `long` to wait for the answers")
	f.BoolVar(&tr.json, "json", false, "print one JSON object")
	return cmd
}

// completeEvents offers a shell every event with what it tells.
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

// overridden reads the flags --override: null is null, all the rest is text.
func overridden(flags []string) (map[string]any, error) {
	m := map[string]any{}
	for _, flag := range flags {
		path, value, ok := strings.Cut(flag, "=")
		if !ok || path == "" {
			return nil, engine.Errorf(engine.CodeInvalid, "trigger", "--override %q is not PATH=VALUE.", flag).
				WithHint("For example --override transcript_status=error.")
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
		return engine.Errorf(engine.CodeInvalid, "trigger", "There is no event %q.", event).WithHint("The events are " + join(eventNames()) + ".")
	}
	overrides, err := overridden(tr.overrides)
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
		return engine.Errorf(engine.CodeNotFound, "trigger", "Nothing was sent: no webhook wants %s.", event).
			WithHint("Subscribe one with POST /v1/webhooks or `soundstage listen`, or give --to URL.")
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
