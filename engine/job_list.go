package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// JobQuery asks a Store for a page of jobs. An empty list selects all.
type JobQuery struct {
	Statuses []queue.Status
	Kinds    []queue.Kind
	Classes  []queue.Class
	Refs     []string         // only jobs whose Ref is one of these, or begins with one and "/"
	After    *cursor.Position // last job of the previous page; nil for the first page
	Limit    int              // at least 1
}

// Matches reports whether the query selects a job, apart from After and Limit.
func (q JobQuery) Matches(j queue.Job) bool {
	return (len(q.Statuses) == 0 || slices.Contains(q.Statuses, j.Status)) && (len(q.Kinds) == 0 || slices.Contains(q.Kinds, j.Kind)) &&
		(len(q.Classes) == 0 || slices.Contains(q.Classes, j.Class)) &&
		(len(q.Refs) == 0 || slices.ContainsFunc(q.Refs, func(ref string) bool {
			return strings.HasPrefix(j.Ref, ref) && (len(j.Ref) == len(ref) || j.Ref[len(ref)] == '/')
		}))
}

// The limits of JobList.Limit.
const (
	DefaultJobPage = 100
	MaxJobPage     = 1000
)

// JobList is the request for a page of jobs. An empty list selects all.
type JobList struct {
	Statuses []queue.Status
	Kinds    []queue.Kind
	Classes  []queue.Class
	Refs     []string // ids of rows: only jobs that work on one of them, or on a part of one
	Limit    int      // 0 for DefaultJobPage; at most MaxJobPage
	Cursor   string   // NextCursor of the previous page; "" for the first page
}

// JobPage is a page of jobs, newest first. The list ends where NextCursor is "".
type JobPage struct {
	Jobs       []queue.Job
	NextCursor string
}

// Job returns a job, in any status. It is for operators: it takes no Caller. CodeNotFound.
func (e *Engine) Job(ctx context.Context, id queue.ID) (j queue.Job, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		j, err = tx.Job(id)
		return err
	})
	return j, wrap("Job", err)
}

// ListJobs returns a page of jobs of all accounts, with finished ones as long as the store keeps them. It is for operators: it takes no
// Caller. CodeInvalid (an unknown status, kind, or class; the limit; the cursor).
func (e *Engine) ListJobs(ctx context.Context, l JobList) (JobPage, error) {
	const op = "ListJobs"
	if err := l.check(op); err != nil {
		return JobPage{}, err
	}
	if l.Limit == 0 {
		l.Limit = DefaultJobPage
	}
	filter := fmt.Sprintf("jobs\x00%q%q%q%q", l.Statuses, l.Kinds, l.Classes, l.Refs)
	q := JobQuery{Statuses: l.Statuses, Kinds: l.Kinds, Classes: l.Classes, Refs: l.Refs, Limit: l.Limit + 1}
	if l.Cursor != "" {
		pos, err := e.cursors.Decode(l.Cursor, filter)
		if err != nil {
			return JobPage{}, wrap(op, err)
		}
		q.After = &pos
	}
	var page JobPage
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		page.Jobs, err = tx.Jobs(q)
		return err
	})
	if err != nil {
		return JobPage{}, wrap(op, err)
	}
	if len(page.Jobs) > l.Limit {
		page.Jobs = page.Jobs[:l.Limit]
		last := page.Jobs[l.Limit-1]
		page.NextCursor = e.cursors.Encode(cursor.Position{CreatedAt: last.CreatedAt, ID: string(last.ID)}, filter)
	}
	return page, nil
}

func (l JobList) check(op string) error {
	if err := knownValues(op, "status", "jobs", l.Statuses, queue.Machine().States()); err != nil {
		return err
	}
	if err := knownValues(op, "kind", "jobs", l.Kinds, JobKinds()); err != nil {
		return err
	}
	if err := knownValues(op, "class", "jobs", l.Classes, queue.Classes()); err != nil {
		return err
	}
	if l.Limit < 0 || l.Limit > MaxJobPage {
		return Errorf(CodeInvalid, op, "limit must be a number from 1 to %d (got %d).", MaxJobPage, l.Limit)
	}
	return nil
}

// knownValues returns CodeInvalid for a value that is not among the known ones.
func knownValues[T ~string](op, name, noun string, values, known []T) error {
	for _, v := range values {
		if !slices.Contains(known, v) {
			return Errorf(CodeInvalid, op, "There is no %s %.40q of %s.", name, string(v), noun).
				WithHint("Use " + strings.Join(input.Strings(known), ", ") + ".")
		}
	}
	return nil
}
