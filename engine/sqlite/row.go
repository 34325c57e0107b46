package sqlite

import "github.com/soundstage-dev/soundstage/engine/internal/rows"

// row is one row of a result. Its methods take the columns from left to right, in the order of the SELECT.
type row struct {
	rows.Row
	summer summer // checks the row; kept here to avoid an allocation per row
}

// checkSum reports whether the next columns, which are those of a table and their checksum, are undamaged. It doesn't take them.
func (r *row) checkSum(t *summed) bool {
	if r.Err != nil {
		return false
	}
	end := r.Next + len(t.names)
	values := r.Values[r.Next:end]
	if stored, ok := r.Values[end].(int64); ok && stored == r.summer.sum(values) {
		return true
	}
	r.Fail(t.damage(values))
	return false
}
