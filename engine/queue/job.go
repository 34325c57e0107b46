package queue

import "time"

type (
	// ID identifies a Job.
	ID string
	// Kind names the step of work that a job does: "transcript.download".
	Kind string
)

// Job is one step of work that outlives a process. Ref names the row that it works on. The row is the source of truth;
// the job only records that work is due.
type Job struct {
	ID     ID
	Key    string // at most one unfinished job has a given key; see Key
	Kind   Kind
	Class  Class
	Ref    string // ID of the row
	Tenant string // fairness key: tenants of a class take turns, and none keeps the others waiting; "" for no tenant
	Status Status

	Generation      int       // increments with every claim and every lost lease; writes of an older one are dropped
	Attempt         int       // attempts begun, not counting those that were released
	Outages         int       // attempts of these that failed because of an outage; see RetryPolicy.Outage
	RunAt           time.Time // earliest time of the next claim
	LeaseOwner      string    // process that runs it
	LeaseUntil      time.Time // when another process may take it; Never with a sole worker
	CancelRequested bool
	LastError       string // for the log

	CreatedAt time.Time
	UpdatedAt time.Time
}

// Key returns the Key of jobs of a kind for a row.
func Key(kind Kind, ref string) string { return string(kind) + ":" + ref }
