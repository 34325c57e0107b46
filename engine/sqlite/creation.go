package sqlite

import (
	"context"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

// createdTables are the tables whose rows are listed in the order of creation.
var createdTables = []string{
	"users", "keys", "spaces", "roles", "speakers", "prompts", "recordings", "edits", "outputs", "renders", "chats", "imports", "webhooks", "deliveries",
}

// lastCreated reads all rows, because few programs need it.
func lastCreated() string {
	return "SELECT max(at) FROM (SELECT max(created_at) AS at FROM " +
		strings.Join(createdTables, " WHERE created_at < ?1 UNION ALL SELECT max(created_at) FROM ") + " WHERE created_at < ?1)"
}

// LastCreated returns the CreatedAt of the newest row before a time, of any kind that is listed, or the zero time without rows. It is meant
// for engine.Config.CreatedAfter, and reads all rows.
func (s *Store) LastCreated(ctx context.Context, before time.Time) (at time.Time, err error) {
	err = s.view(ctx, func(t *readTx) error {
		return t.query(func(r *row) {
			if !r.Null() {
				at = r.Time()
			}
		}, lastCreated(), rows.Micros(before))
	})
	return at, err
}
