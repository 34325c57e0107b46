package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator/datafolder"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

func newVerify(std streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Look for damage in a data folder",
		Long: `Reads a whole data folder (serve --data DIR) and reports damage: pages, indexes, and rows of the database, and stored files
that differ from their SHA-256, are missing, or belong to no row. It changes nothing. No sandbox may be running on the
folder.

Exit codes: 0 no damage, 2 wrong flags, 3 no database, 4 the folder is in use, 6 damage.`,
		Example: `  soundstage verify ./sandbox
  soundstage verify ./sandbox --json | jq .damaged_files`,
		Args: exactArgs(1, "the data folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := datafolder.Verify(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if err := writeResult(std.out, asJSON, report, func() { printReport(std.out, report) }); err != nil || report.OK {
				return err
			}
			return engine.Errorf(engine.CodeUnprocessable, "verify", "The folder %s is damaged.", args[0]).
				WithHint(fmt.Sprintf("Restore a backup, or save what can be read: soundstage repair %q.", args[0]))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return cmd
}

func newRepair(std streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "repair DIR",
		Short: "Repair a damaged data folder",
		Long: `Verifies a data folder (serve --data DIR) and repairs what is damaged. It copies the undamaged rows into a new database, moves
the old one and the damaged files to DIR/damaged, marks what depends on them as failed, and builds the search index again.
It prints what was lost, and deletes nothing. No sandbox may be running on the folder.

Exit codes: 0 nothing to repair, or repaired, 2 wrong flags, 3 no database, 4 the folder is in use, 6 still damaged, 8 no
space for a second database.`,
		Example: "  soundstage repair ./sandbox",
		Args:    exactArgs(1, "the data folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			done, err := datafolder.Repair(cmd.Context(), args[0], time.Now())
			if err != nil {
				return err
			}
			if err := writeResult(std.out, asJSON, done, func() { printRepaired(std.out, done) }); err != nil || done.Moved == "" {
				return err
			}
			after, err := datafolder.Verify(cmd.Context(), args[0])
			if err == nil && !after.OK {
				printReport(std.err, after)
				return engine.Errorf(engine.CodeUnprocessable, "repair", "The folder %s is still damaged.", args[0]).WithHint("Restore a backup.")
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

func writeResult(w io.Writer, asJSON bool, v any, print func()) error {
	if !asJSON {
		print()
		return nil
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func printReport(w io.Writer, r datafolder.Report) {
	printDamage(w, "database", r.Database)
	for _, f := range r.Damaged {
		fmt.Fprintf(w, "damaged   %s%s: %s\n", f.Key, neededBy(f), f.Problem)
	}
	for _, f := range r.Missing {
		fmt.Fprintf(w, "missing   %s%s\n", f.Key, neededBy(f))
	}
	for _, key := range r.Orphans {
		fmt.Fprintf(w, "orphan    %s (no row needs it; harmless)\n", key)
	}
	fmt.Fprintf(w, "%s, %s: %s\n", plural(r.Rows, "row", "rows"), plural(r.Files, "file", "files"), verdictOf(r))
}

func verdictOf(r datafolder.Report) string {
	if r.OK {
		return "no damage"
	}
	return plural(len(r.Database)+len(r.Damaged)+len(r.Missing), "problem", "problems")
}

func neededBy(f datafolder.File) string {
	if f.Table == "" {
		return ""
	}
	return " (" + f.Table + " " + f.ID + ")"
}

func printDamage(w io.Writer, label string, list []sqlite.Damage) {
	for _, d := range list {
		where := ""
		if d.Table != "" {
			where = d.Table + " " + d.Key + ": "
		}
		fmt.Fprintf(w, "%-9s %s%s\n", label, where, d.Problem)
	}
}

func printRepaired(w io.Writer, done datafolder.Repaired) {
	printReport(w, done.Report)
	if done.Moved == "" {
		fmt.Fprintln(w, "Nothing to repair.")
		return
	}
	fmt.Fprintln(w)
	printDamage(w, "lost", done.Lost)
	for _, m := range done.Marked {
		fmt.Fprintln(w, "marked    "+m)
	}
	if done.Rows > 0 {
		fmt.Fprintf(w, "Copied %s into a new database.\n", plural(done.Rows, "row", "rows"))
	}
	fmt.Fprintf(w, "What was damaged is in %s.\n", done.Moved)
}
