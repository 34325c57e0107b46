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
		Short: "Send the requests of a failed test again, to a sandbox of their own",
		Long: `Starts a sandbox that begins as the recorded one did, sends it every request of the capsule in order, and prints each with = where
the same came as then, else with ≠. The same is promised where the clock stood still: with --clock manual or steps.

Exit codes: 0 everything is the same, 1 something differs, 2 the file is no capsule.`,
		Example: "  soundstage replay upload.capsule.json\n  soundstage replay upload.capsule.json --until 7",
		Args:    exactly(1, "a capsule"),
		RunE:    func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args[0], std) },
	}
	cmd.Flags().IntVar(&r.until, "until", 0, "`number` of the last request to send; 0 sends all")
	cmd.Flags().BoolVar(&r.json, "json", false, "print one JSON object")
	return cmd
}

func (r replay) run(ctx context.Context, path string, std streams) error {
	if r.until < 0 {
		return engine.Errorf(engine.CodeInvalid, "replay", "--until must be a number of a request, at least 1.")
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return engine.Errorf(engine.CodeInvalid, "replay", "The file %s can't be read.", path).WithHint("Check the path and its permissions.").Because(err)
	}
	c, err := capsule.Parse(raw)
	if err != nil {
		return err
	}
	if mode := emulator.ClockMode(c.Clock); mode != emulator.ClockManual && mode != emulator.ClockSteps {
		fmt.Fprintf(std.err, "soundstage: the capsule was recorded with clock %s; the same is promised for manual and steps only\n", c.Clock)
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
		return exitStatus{code: 1, says: fmt.Sprintf("%d of %d requests differ.", differ, len(all))}
	}
	return nil
}

func printReplayed(w io.Writer, x emulator.Replayed) {
	switch {
	case x.Same:
		fmt.Fprintf(w, "= %3d  %d  %s %s\n", x.Number, x.Is, x.Method, x.Path)
	case x.Body == "omitted":
		fmt.Fprintf(w, "≠ %3d  %d  %s %s  (its body was not recorded)\n", x.Number, x.Was, x.Method, x.Path)
	case x.Body != "" && x.Is == x.Was:
		fmt.Fprintf(w, "≠ %3d  %d  %s %s  (another body)\n", x.Number, x.Is, x.Method, x.Path)
	default:
		fmt.Fprintf(w, "≠ %3d  %d, was %d  %s %s\n", x.Number, x.Is, x.Was, x.Method, x.Path)
	}
}

// writeCapsule writes what was recorded, if that is wanted: the whole file or none.
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
