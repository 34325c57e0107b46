package queue

import "time"

type (
	// ID identifies a Job.
	ID string
	// Kind says which step of which work a job is: "transcript.download".
	Kind string
)

// Job is one step of work that outlives a process. It names a row by Ref. The row is the truth; the job only says that something is to
// be done about it.
type Job struct {
	ID     ID
	Key    string // at most one job of a key is not yet over; see Key
	Kind   Kind
	Class  Class
	Ref    string // ID of the row
	Tenant string // fairness key: tenants of a class take turns; "" for jobs of nobody in particular
	Status Status

	Generation      int       // grows with every claim and every lost lease; writes of an older one are dropped
	Attempt         int       // attempts that have begun and were not given back
	RunAt           time.Time // earliest time of the next claim
	LeaseOwner      string    // process that runs it
	LeaseUntil      time.Time // when another process may take it; Never with a sole worker
	CancelRequested bool
	LastError       string // for the log

	CreatedAt time.Time
	UpdatedAt time.Time
}

// Key returns the Key of the jobs of a kind about a row.
func Key(kind Kind, ref string) string { return string(kind) + ":" + ref }
