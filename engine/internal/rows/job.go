package rows

import "github.com/soundstage-dev/soundstage/engine/queue"

// Jobs is the table of jobs.
var Jobs = New("jobs", "job", func(c *Columns, v *queue.Job) {
	key(c, "id", &v.ID)
	text(c, "key", &v.Key)
	text(c, "kind", &v.Kind)
	text(c, "class", &v.Class)
	text(c, "ref", &v.Ref)
	text(c, "tenant", &v.Tenant)
	text(c, "status", &v.Status)
	number(c, "generation", &v.Generation)
	number(c, "attempt", &v.Attempt)
	number(c, "outages", &v.Outages)
	timestamp(c, "run_at", &v.RunAt)
	text(c, "lease_owner", &v.LeaseOwner)
	timestamp(c, "lease_until", &v.LeaseUntil)
	flag(c, "cancel_requested", &v.CancelRequested)
	text(c, "last_error", &v.LastError)
	timestamp(c, "created_at", &v.CreatedAt)
	timestamp(c, "updated_at", &v.UpdatedAt)
})
