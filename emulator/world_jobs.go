package emulator

import (
	"context"
	"encoding/json"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/live"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// jobWait is the longest time that a change of a job waits for its effect.
const jobWait = 5 * time.Second

// Jobs implements control.World.
func (w *world) Jobs(ctx context.Context, f control.JobFilter) (control.JobPage, error) {
	list := engine.JobList{Statuses: f.Statuses, Kinds: f.Kinds, Classes: f.Classes, Limit: f.Limit, Cursor: f.After}
	out := control.JobPage{Jobs: []control.Job{}}
	if f.Resource != "" {
		if err := w.store.View(ctx, func(tx engine.ReadTx) (err error) {
			list.Refs, err = engine.JobRefs(tx, f.Resource)
			return err
		}); err != nil {
			return out, err
		}
	}
	page, err := w.engine.ListJobs(ctx, list)
	if err != nil {
		return out, err
	}
	for _, j := range page.Jobs {
		shown, err := w.describe(ctx, j)
		if err != nil {
			return out, err
		}
		out.Jobs = append(out.Jobs, shown)
	}
	out.Count, out.Next = len(out.Jobs), page.NextCursor
	return out, nil
}

// describe returns a job for the control API.
func (w *world) describe(ctx context.Context, j queue.Job) (control.Job, error) {
	out := control.Job{
		ID: j.ID, Kind: j.Kind, Class: j.Class, Ref: j.Ref, Tenant: j.Tenant, Status: j.Status, Attempt: j.Attempt, Outages: j.Outages, Generation: j.Generation,
		RunAt: j.RunAt.UTC(), LeaseOwner: j.LeaseOwner, CancelRequested: j.CancelRequested, LastError: j.LastError, CreatedAt: j.CreatedAt.UTC(), UpdatedAt: j.UpdatedAt.UTC(),
	}
	if until := j.LeaseUntil.UTC(); !until.IsZero() && until.Before(queue.Never) {
		out.LeaseUntil = &until
	}
	at, waits := w.sim.Waits(j)
	if at = at.UTC(); !at.IsZero() {
		out.Held, out.NextAt = waits, &at
	}
	if why := w.sim.Failing(j.ID); why != nil && !j.Status.Terminal() {
		out.FailsWith = why.Msg
	}
	err := w.store.View(ctx, func(tx engine.ReadTx) (err error) {
		out.Resource, out.Recording, err = engine.JobSubject(tx, j)
		return err
	})
	return out, err
}

// Job implements control.World.
func (w *world) Job(ctx context.Context, id queue.ID) (control.Job, []control.Transition, error) {
	shown, err := w.shownJob(ctx, id)
	if err != nil {
		return shown, nil, err
	}
	return shown, transitionsOf(shown, w.live.About(live.Job, string(id))), nil
}

// transitionsOf returns what is known of a job's past: its beginning, what its stream has, and its present.
func transitionsOf(now control.Job, seen []live.Message) []control.Transition {
	list := []control.Transition{{At: now.CreatedAt, Status: queue.Machine().Initial()}}
	add := func(at time.Time, j control.Job) {
		last := list[len(list)-1]
		if last.Status == j.Status && last.Attempt == j.Attempt && (last.Held == j.Held || !j.Held) {
			return
		}
		next := control.Transition{At: at, Status: j.Status, Attempt: j.Attempt, Held: j.Held, NextAt: j.NextAt}
		if j.Status != last.Status {
			next.Error = j.LastError
		}
		list = append(list, next)
	}
	for _, m := range seen {
		var j control.Job
		if json.Unmarshal(m.Data, &j) != nil {
			continue // not possible: the server wrote it
		}
		at := j.UpdatedAt
		if j.Held && j.Status == queue.Running {
			at = m.At
		}
		add(at, j)
	}
	add(now.UpdatedAt, now)
	return list
}

func (w *world) shownJob(ctx context.Context, id queue.ID) (control.Job, error) {
	j, err := w.engine.Job(ctx, id)
	if engine.CodeOf(err) == engine.CodeNotFound {
		return control.Job{}, engine.Errorf(engine.CodeNotFound, "Job", "There is no job with the id %.100q.", string(id)).
			WithHint("List the jobs with GET /_soundstage/jobs.").Because(err)
	}
	if err != nil {
		return control.Job{}, err
	}
	return w.describe(ctx, j)
}

// CancelJob implements control.World.
func (w *world) CancelJob(ctx context.Context, id queue.ID) (control.Job, error) {
	if _, err := w.unfinished(ctx, id); err != nil {
		return control.Job{}, err
	}
	if err := w.engine.CancelJob(ctx, id); err != nil {
		return control.Job{}, err
	}
	return w.shownJob(ctx, id)
}

// unfinished returns a job. CodeNotFound; CodeConflict when it has ended.
func (w *world) unfinished(ctx context.Context, id queue.ID) (control.Job, error) {
	j, err := w.shownJob(ctx, id)
	if err == nil && j.Status.Terminal() {
		err = engine.Errorf(engine.CodeConflict, "Job", "The job is already %s.", j.Status)
	}
	return j, err
}

// FailJob implements control.World. It waits until the current attempt has ended.
func (w *world) FailJob(ctx context.Context, id queue.ID, message string) (control.Job, error) {
	j, err := w.unfinished(ctx, id)
	if err != nil {
		return j, err
	}
	w.sim.Fail(id, engine.Errorf(engine.CodeUnprocessable, "Job", "%s", message))
	if j.Status != queue.Running {
		return w.shownJob(ctx, id)
	}
	return w.awaitJob(ctx, id, func(now control.Job) bool { return now.Status != queue.Running || now.Generation != j.Generation })
}

// StepJob implements control.World. It waits until the job has taken its step, and does nothing or waits for the clock again.
func (w *world) StepJob(ctx context.Context, id queue.ID) (control.Job, error) {
	const op = "Step"
	j, err := w.unfinished(ctx, id)
	switch {
	case err != nil:
		return j, err
	case j.Status == queue.Running:
		err = w.sim.Step(id)
	case !j.Held:
		err = engine.Errorf(engine.CodeConflict, op, "The job is due already, and waits for a worker of its class, %s.", j.Class)
	default:
		err = w.engine.HastenJob(ctx, id)
	}
	if err != nil {
		return j, err
	}
	return w.awaitJob(ctx, id, func(now control.Job) bool {
		return (now.Status != j.Status || now.Generation != j.Generation) && (now.Status != queue.Running || !w.sim.Works(id))
	})
}

// awaitJob returns a job when it is as wanted, or as it is after a while.
func (w *world) awaitJob(ctx context.Context, id queue.ID, wanted func(control.Job) bool) (control.Job, error) {
	timer := time.NewTimer(jobWait)
	defer timer.Stop()
	for {
		changed, activity := w.engine.Changes(), w.sim.JobActivity()
		j, err := w.shownJob(ctx, id)
		if err != nil || wanted(j) {
			return j, err
		}
		select {
		case <-changed:
		case <-activity:
		case <-timer.C:
			return j, nil
		case <-ctx.Done():
			return j, context.Cause(ctx)
		}
	}
}
