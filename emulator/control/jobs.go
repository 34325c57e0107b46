package control

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// jobWorld is the part of World for its jobs.
type jobWorld interface {
	// Jobs returns a page of jobs, newest first. CodeInvalid.
	Jobs(ctx context.Context, f JobFilter) (JobPage, error)
	// Job returns a job with its known changes of status. CodeNotFound.
	Job(ctx context.Context, id queue.ID) (Job, []Transition, error)
	// CancelJob cancels a job. CodeNotFound; CodeConflict when it has ended.
	CancelJob(ctx context.Context, id queue.ID) (Job, error)
	// FailJob lets a job fail with a message. CodeNotFound; CodeConflict when it has ended.
	FailJob(ctx context.Context, id queue.ID, message string) (Job, error)
	// StepJob lets a job take its next step. CodeNotFound; CodeConflict when it has none now.
	StepJob(ctx context.Context, id queue.ID) (Job, error)
}

// JobFilter selects jobs. Every field is optional.
type JobFilter struct {
	Statuses []queue.Status
	Kinds    []queue.Kind
	Classes  []queue.Class
	Resource string // ID of a resource in /v1, or of a row
	Limit    int    // 0 for 100
	After    string // Next of the page before
}

// JobPage is a page of jobs.
type JobPage struct {
	Jobs  []Job  `json:"jobs"`
	Count int    `json:"count"`
	Next  string `json:"next,omitempty"`
}

// Job is a job of a world.
type Job struct {
	ID              queue.ID     `json:"id"`
	Kind            queue.Kind   `json:"kind"`
	Class           queue.Class  `json:"class"`
	Resource        string       `json:"resource"`            // ID in /v1
	Recording       string       `json:"recording,omitempty"` // that it is about
	Ref             string       `json:"ref"`                 // ID of the row
	Tenant          string       `json:"tenant"`
	Status          queue.Status `json:"status"`
	Attempt         int          `json:"attempt"`
	Outages         int          `json:"outages"` // attempts of these that ended because a service was away
	Generation      int          `json:"generation"`
	RunAt           time.Time    `json:"run_at"`
	LeaseOwner      string       `json:"lease_owner"`
	LeaseUntil      *time.Time   `json:"lease_until"` // null when no other process may take it
	CancelRequested bool         `json:"cancel_requested"`
	LastError       string       `json:"last_error,omitempty"`
	FailsWith       string       `json:"fails_with,omitempty"` // error of FailJob that is still to come
	Held            bool         `json:"held"`                 // it does nothing until NextAt
	NextAt          *time.Time   `json:"next_at"`              // when it continues; null while it works, and at its end
	CreatedAt       time.Time    `json:"created_at"`
	UpdatedAt       time.Time    `json:"updated_at"`
}

// Transition is a change of a job's status, or the beginning of its wait for the clock.
type Transition struct {
	At      time.Time    `json:"at"` // on the world's clock
	Status  queue.Status `json:"status"`
	Attempt int          `json:"attempt"`
	Held    bool         `json:"held"`
	NextAt  *time.Time   `json:"next_at,omitempty"`
	Error   string       `json:"error,omitempty"` // of the attempt before
}

// jobRoutes are the endpoints for a world's jobs.
var jobRoutes = routes{
	"GET /_soundstage/jobs":      listJobs,
	"GET /_soundstage/jobs/{id}": getJob,
	"POST /_soundstage/jobs/{id}/cancel": func(h Host, w http.ResponseWriter, req *http.Request) error {
		return changeJob(h, w, req, &struct{}{}, func(world World, id queue.ID) (Job, error) { return world.CancelJob(req.Context(), id) })
	},
	"POST /_soundstage/jobs/{id}/step": func(h Host, w http.ResponseWriter, req *http.Request) error {
		return changeJob(h, w, req, &struct{}{}, func(world World, id queue.ID) (Job, error) { return world.StepJob(req.Context(), id) })
	},
	"POST /_soundstage/jobs/{id}/fail": failJob,
}

// jobBody is a response with one job.
type jobBody struct {
	Job Job `json:"job"`
}

func listJobs(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	q, err := parameters(req, "status", "kind", "class", "resource", "limit", "after")
	if err != nil {
		return err
	}
	f := JobFilter{
		Statuses: typed[queue.Status](q.Get("status")), Kinds: typed[queue.Kind](q.Get("kind")), Classes: typed[queue.Class](q.Get("class")),
		Resource: q.Get("resource"), After: q.Get("after"),
	}
	if s := q.Get("limit"); q.Has("limit") {
		if f.Limit, err = strconv.Atoi(s); err != nil || f.Limit < 1 || f.Limit > engine.MaxJobPage {
			return engine.Errorf(engine.CodeInvalid, "jobs", "limit must be a number from 1 to %d (got %.20q).", engine.MaxJobPage, s)
		}
	}
	page, err := world.Jobs(req.Context(), f)
	if err == nil {
		writeJSON(w, http.StatusOK, page)
	}
	return err
}

// typed is listOf with values of another type.
func typed[T ~string](value string) []T {
	var list []T
	for _, v := range listOf(value) {
		list = append(list, T(v))
	}
	return list
}

func getJob(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	j, transitions, err := world.Job(req.Context(), queue.ID(req.PathValue("id")))
	if err == nil {
		writeJSON(w, http.StatusOK, struct {
			Job         Job          `json:"job"`
			Transitions []Transition `json:"transitions"`
		}{j, transitions})
	}
	return err
}

// changeJob decodes the body, calls change, and responds with the job.
func changeJob(h Host, w http.ResponseWriter, req *http.Request, body any, change func(World, queue.ID) (Job, error)) error {
	world, err := worldAndBody(h, w, req, body)
	if err != nil {
		return err
	}
	j, err := change(world, queue.ID(req.PathValue("id")))
	if err == nil {
		writeJSON(w, http.StatusOK, jobBody{j})
	}
	return err
}

const (
	maxFailure     = 500 // characters of an error of failJob
	defaultFailure = "The job was let fail with the control API."
)

func failJob(h Host, w http.ResponseWriter, req *http.Request) error {
	var body struct {
		Error *string `json:"error"`
	}
	return changeJob(h, w, req, &body, func(world World, id queue.ID) (Job, error) {
		message := defaultFailure
		if body.Error != nil {
			message = *body.Error
		}
		if n := utf8.RuneCountInString(message); n > maxFailure || strings.TrimSpace(message) == "" {
			return Job{}, engine.Errorf(engine.CodeInvalid, "jobs", "error must have 1 to %d characters that are not all blank (got %d).", maxFailure, n)
		}
		return world.FailJob(req.Context(), id, message)
	})
}
