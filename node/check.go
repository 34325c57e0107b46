package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/postgres"
)

// Check is the result of one check of a database or storage, for `soundstage doctor`.
type Check struct {
	Name    string // of the database: "database", "primary", "schema", "rights", "clock", "write"; of the storage: "s3-" and the name of s3.Finding, "storage", "addresses"
	Found   string // a sentence, if Err is nil
	Warning string // what to do, if it works but needs attention
	Err     error
	Took    time.Duration
}

// maxClockDifference is the difference of clocks that needs attention. Nodes use the clock of the database, so signed URLs, webhooks, and
// logs differ, but no leases.
const maxClockDifference = 2 * time.Second

// CheckDatabase checks a database by its address: whether it can be reached, its version, whether it is the primary, its schema, and the right to
// create tables. If nothing failed, it also checks its clock, and that it can be written to. It migrates nothing but a file of SQLite.
func CheckDatabase(ctx context.Context, address string) (checks []Check) {
	if scheme, _ := cut(address); scheme == "postgres" || scheme == "postgresql" {
		for _, f := range postgres.Inspect(ctx, address) {
			checks = append(checks, Check(f))
		}
	}
	if failed(checks) {
		return checks
	}
	begun := time.Now()
	store, err := OpenStore(ctx, address)
	if err != nil {
		return append(checks, Check{Name: "database", Err: err, Took: time.Since(begun)})
	}
	if len(checks) == 0 {
		checks = append(checks, Check{Name: "database", Found: "The database can be opened, and has the schema of this version.", Took: time.Since(begun)})
	}
	return withClose(append(checks, checkStore(ctx, store)...), "database", store)
}

func failed(checks []Check) bool {
	return slices.ContainsFunc(checks, func(c Check) bool { return c.Err != nil })
}

// withClose closes what was checked, and adds the error.
func withClose(checks []Check, name string, part any) []Check {
	if err := Close(part); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		checks = append(checks, Check{Name: name, Err: err})
	}
	return checks
}

// checkStore checks the clock of a database, and the right to write.
func checkStore(ctx context.Context, store engine.Store) (checks []Check) {
	if s, ok := store.(ClockedStore); ok {
		checks = append(checks, checkClock(s))
	}
	if s, ok := store.(Agreements); ok {
		checks = append(checks, timed("write", func() (string, error) {
			_, err := s.Agree(ctx, "doctor", "", "checked")
			return "The database can be written to.", err
		}))
	}
	return checks
}

func checkClock(s ClockedStore) Check {
	difference := time.Until(s.Clock().Now())
	c := Check{Name: "clock", Found: fmt.Sprintf("The clocks of this machine and of the database differ by %s.", difference.Abs().Round(time.Millisecond))}
	if difference.Abs() > maxClockDifference {
		c.Warning = "Synchronise the clocks of both machines, for example with NTP."
	}
	return c
}

func timed(name string, check func() (string, error)) Check {
	begun := time.Now()
	found, err := check()
	return Check{Name: name, Found: found, Err: err, Took: time.Since(begun)}
}
