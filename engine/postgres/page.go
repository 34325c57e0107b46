package postgres

import (
	"encoding/json"
	"math"

	"github.com/soundstage-dev/soundstage/engine"
)

// hasMetadata selects recordings with every name and value of the object $6.
const hasMetadata = ` AND NOT EXISTS (SELECT FROM json_each_text($6::text::json) AS wanted
	WHERE NOT EXISTS (SELECT FROM json_each_text(metadata::json) AS m WHERE m.key = wanted.key AND m.value = wanted.value))`

// page returns the statement that selects a page of recordings of the spaces $1, after the position ($2, $3), with the title $4, and at most
// $5. Each space is read from its index and gives at most a page, so nothing more is read and sorted.
func page(condition string) string {
	return "SELECT " + recordings.qualified("found") + ` FROM unnest($1::text[]) AS space CROSS JOIN LATERAL (
		SELECT * FROM recordings WHERE space_id = space AND (created_at, id) < ($2, $3) AND strpos(title_folded, $4) > 0` + condition + `
			ORDER BY created_at DESC, id DESC LIMIT $5) AS found
	ORDER BY found.created_at DESC, found.id DESC LIMIT $5`
}

var pageOfSpaces, taggedPage, externalPage = page(""), page(hasMetadata), page(" AND external_id = $6 AND external_id <> ''")

func (t *readTx) Recordings(q engine.RecordingQuery) ([]engine.Recording, error) {
	if storable(q.Title) != q.Title { // no title has such bytes
		return []engine.Recording{}, nil
	}
	ids, seen := []string{}, map[engine.SpaceID]bool{}
	for _, id := range q.Spaces {
		if !seen[id] {
			seen[id], ids = true, append(ids, string(id))
		}
	}
	args := []any{ids, int64(math.MaxInt64), "", q.Title, int64(max(0, q.Limit))}
	if q.After != nil {
		args[1], args[2] = q.After.CreatedAt.UnixMicro(), q.After.ID
	}
	switch {
	case q.Tags.ExternalID != "":
		found, err := all(t, recordings, externalPage, append(args, q.Tags.ExternalID)...)
		return matching(found, q.Tags), err
	case len(q.Tags.Metadata) > 0:
		wanted, err := json.Marshal(q.Tags.Metadata)
		if err != nil {
			return nil, err
		}
		return all(t, recordings, taggedPage, append(args, string(wanted))...)
	}
	return all(t, recordings, pageOfSpaces, args...)
}

// matching returns the recordings with tags. A space has at most one of an external id, so it shortens no page.
func matching(found []engine.Recording, tags engine.Tags) []engine.Recording {
	list := []engine.Recording{}
	for _, r := range found {
		if r.Matches(tags) {
			list = append(list, r)
		}
	}
	return list
}
