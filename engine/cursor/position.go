package cursor

import "time"

// Position is a row of a list that is sorted by CreatedAt, then by ID, both descending.
type Position struct {
	CreatedAt time.Time
	ID        string
}
