package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/capsule"
	"github.com/soundstage-dev/soundstage/engine"
)

// replay is `soundstage replay`.
type replay struct {
	until int
	json  bool
}

func newReplay(std streams) *cobra.Command {
	var r replay
	cmd := &cobra.Command{
		Use:   "replay CAPSULE",
		Short: "Repeat the recorded requests of a failed test on a new sandbox",
		Long: `Starts a sandbox in the state in which the recording began, sends it every request of the capsule in order, and prints each: with =
if the response is the same as the recorded one, with ≠ if it differs. Responses are only guaranteed to be the same with a
frozen clock: --clock manual or steps.

Exit codes: 0 all responses are the same, 1 some differ, 2 the file is not a capsule, 3 no such file.`,
		Example: "  soundstage replay upload.capsule.json\n  soundstage replay upload.capsule.json --until 7",
		Args:    exactArgs(1, "a capsule"),
		RunE:    func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args[0], std) },
	}
	cmd.Flags().IntVar(&r.until, "until", 0, "`number` of the last request to send; 0 for all")
	cmd.Flags().BoolVar(&r.json, "json", false, "print one JSON object")
	return cmd
}

func (r replay) run(ctx context.Context, path string, std streams) error {
	if r.until < 0 {
		return engine.Errorf(engine.CodeInvalid, "replay", "--until must not be negative (got %d).", r.until)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return fileError(path, err)
	}
	c, err := capsule.Parse(raw)
	if err != nil {
		return err
	}
	if mode := emulator.ClockMode(c.Clock); mode != emulator.ClockManual && mode != emulator.ClockSteps {
		fmt.Fprintf(std.err, "soundstage: the capsule was recorded with clock %s; responses may differ, except with manual and steps\n", c.Clock)
	}
	if c.Incomplete != "" {
		fmt.Fprintln(std.err, "soundstage:", c.Incomplete)
	}
	all, differ := []emulator.Replayed{}, 0
	err = emulator.Replay(ctx, c, r.until, func(x emulator.Replayed) {
		all = append(all, x)
		if !x.Same {
			differ++
		}
		if !r.json {
			printReplayed(std.out, x)
		}
	})
	if err != nil {
		return err
	}
	if r.json {
		if err := json.NewEncoder(std.out).Encode(map[string]any{"same": differ == 0, "requests": all}); err != nil {
			return err
		}
	}
	if differ > 0 {
		return exitStatus{code: 1, message: fmt.Sprintf("%d of %d requests differ.", differ, len(all))}
	}
	return nil
}

func printReplayed(w io.Writer, x emulator.Replayed) {
	switch {
	case x.Same:
		fmt.Fprintf(w, "= %3d  %d  %s %s\n", x.Number, x.Is, x.Method, x.Path)
	case x.Body == "omitted":
		fmt.Fprintf(w, "≠ %3d  %d  %s %s  (the response body was not recorded)\n", x.Number, x.Was, x.Method, x.Path)
	case x.Body != "" && x.Is == x.Was:
		fmt.Fprintf(w, "≠ %3d  %d  %s %s  (the response body differs)\n", x.Number, x.Is, x.Method, x.Path)
	default:
		fmt.Fprintf(w, "≠ %3d  %d, was %d  %s %s\n", x.Number, x.Is, x.Was, x.Method, x.Path)
	}
}

// writeCapsule atomically writes the recorded requests to the --capsule file, if there is one.
func (s *sandbox) writeCapsule() error {
	if s.capsule == "" {
		return nil
	}
	c, err := s.Capsule("")
	if err != nil {
		return err
	}
	if err := c.WriteFile(s.capsule); err != nil {
		return unwritable(s.capsule, err)
	}
	return nil
}
