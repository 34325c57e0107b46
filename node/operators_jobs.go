package node

import (
	"net/http"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// operatorJob is a job, in the form of Job in emulator/control/openapi.yaml.
type operatorJob struct {
	ID              queue.ID     `json:"id"`
	Kind            queue.Kind   `json:"kind"`
	Class           queue.Class  `json:"class"`
	Resource        string       `json:"resource"`            // ID in /v1; in lists, the ID of the row
	Recording       string       `json:"recording,omitempty"` // that it is about; not in lists, where finding out costs too much
	Ref             string       `json:"ref"`
	Tenant          string       `json:"tenant"`
	Status          queue.Status `json:"status"`
	Attempt         int          `json:"attempt"`
	Outages         int          `json:"outages"`
	Generation      int          `json:"generation"`
	RunAt           time.Time    `json:"run_at"`
	LeaseOwner      string       `json:"lease_owner"`
	LeaseUntil      *time.Time   `json:"lease_until"`
	CancelRequested bool         `json:"cancel_requested"`
	LastError       string       `json:"last_error,omitempty"`
	Held            bool         `json:"held"`    // it waits for NextAt
	NextAt          *time.Time   `json:"next_at"` // when it is due; null while it works, and at its end
	CreatedAt       time.Time    `json:"created_at"`
	UpdatedAt       time.Time    `json:"updated_at"`
}

type operatorJobs struct {
	Jobs  []operatorJob `json:"jobs"`
	Count int           `json:"count"`
	Next  string        `json:"next,omitempty"`
}

// operatorTransition is a known change of a job's status. A node knows the first and the last one.
type operatorTransition struct {
	At      time.Time    `json:"at"`
	Status  queue.Status `json:"status"`
	Attempt int          `json:"attempt"`
	Held    bool         `json:"held"`
	NextAt  *time.Time   `json:"next_at,omitempty"`
	Error   string       `json:"error,omitempty"`
}

func (o operators) describeJob(j queue.Job) operatorJob {
	out := operatorJob{
		ID: j.ID, Kind: j.Kind, Class: j.Class, Resource: j.Ref, Ref: j.Ref, Tenant: j.Tenant, Status: j.Status, Attempt: j.Attempt, Outages: j.Outages, Generation: j.Generation,
		RunAt: j.RunAt.UTC(), LeaseOwner: j.LeaseOwner, CancelRequested: j.CancelRequested, LastError: j.LastError, CreatedAt: j.CreatedAt.UTC(), UpdatedAt: j.UpdatedAt.UTC(),
	}
	if until := j.LeaseUntil.UTC(); !until.IsZero() && until.Before(queue.Never) {
		out.LeaseUntil = &until
	}
	if j.Status == queue.Queued || j.Status == queue.Retrying {
		at := j.RunAt.UTC()
		out.NextAt, out.Held = &at, at.After(o.now())
	}
	return out
}

// listJobs handles GET /_soundstage/jobs.
func (o operators) listJobs(req *http.Request) (any, error) {
	q, err := parameters(req, "status", "kind", "class", "resource", "limit", "after")
	if err != nil {
		return nil, err
	}
	l := engine.JobList{Statuses: listOf[queue.Status](q["status"]), Kinds: listOf[queue.Kind](q["kind"]), Classes: listOf[queue.Class](q["class"]), Cursor: q["after"]}
	if l.Limit, err = limitOf(q, engine.DefaultJobPage, engine.MaxJobPage); err != nil {
		return nil, err
	}
	if resource := q["resource"]; resource != "" {
		if err := o.n.c.Store.View(req.Context(), func(tx engine.ReadTx) (err error) {
			l.Refs, err = engine.JobRefs(tx, resource)
			return err
		}); err != nil {
			return nil, err
		}
	}
	page, err := o.n.engine.ListJobs(req.Context(), l)
	if err != nil {
		return nil, err
	}
	out := operatorJobs{Jobs: make([]operatorJob, len(page.Jobs)), Count: len(page.Jobs), Next: page.NextCursor}
	for i, j := range page.Jobs {
		out.Jobs[i] = o.describeJob(j)
	}
	return out, nil
}

// job returns a job with what it is about. CodeNotFound.
func (o operators) job(req *http.Request) (out operatorJob, err error) {
	id := queue.ID(req.PathValue("id"))
	err = o.n.c.Store.View(req.Context(), func(tx engine.ReadTx) error {
		j, err := tx.Job(id)
		if err != nil {
			return err
		}
		out = o.describeJob(j)
		out.Resource, out.Recording, err = engine.JobSubject(tx, j)
		return err
	})
	if engine.CodeOf(err) == engine.CodeNotFound {
		err = engine.Errorf(engine.CodeNotFound, "operators", "There is no job with the id %.100q.", string(id)).
			WithHint("List the jobs with GET /_soundstage/jobs.").Because(err)
	}
	return out, err
}

// getJob handles GET /_soundstage/jobs/{id}.
func (o operators) getJob(req *http.Request) (any, error) {
	j, err := o.job(req)
	if err != nil {
		return nil, err
	}
	known := []operatorTransition{{At: j.CreatedAt, Status: queue.Machine().Initial()}}
	if j.Status != queue.Machine().Initial() || j.Held {
		known = append(known, operatorTransition{j.UpdatedAt, j.Status, j.Attempt, j.Held, j.NextAt, j.LastError})
	}
	return struct {
		Job         operatorJob          `json:"job"`
		Transitions []operatorTransition `json:"transitions"`
	}{j, known}, nil
}

// cancelJob handles POST /_soundstage/jobs/{id}/cancel.
func (o operators) cancelJob(req *http.Request) (any, error) {
	return o.changeJob(req, func(id queue.ID) error { return o.n.engine.CancelJob(req.Context(), id) })
}

// stepJob handles POST /_soundstage/jobs/{id}/step: a job that waits for a later time is due now.
func (o operators) stepJob(req *http.Request) (any, error) {
	return o.changeJob(req, func(id queue.ID) error { return o.n.engine.HastenJob(req.Context(), id) })
}

func (o operators) changeJob(req *http.Request, change func(queue.ID) error) (any, error) {
	j, err := o.job(req)
	if err != nil {
		return nil, err
	}
	if err := change(j.ID); err != nil {
		return nil, err
	}
	o.n.c.Log.Info("an operator changed a job", "job", j.ID, "kind", j.Kind, "path", req.URL.Path, "remote", req.RemoteAddr)
	j, err = o.job(req)
	return struct {
		Job operatorJob `json:"job"`
	}{j}, err
}
