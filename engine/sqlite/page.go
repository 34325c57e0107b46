package sqlite

import (
	"cmp"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// maxArms is the maximum number of spaces that one statement reads.
const maxArms = 32

// pageQueries returns the statements for 1, 2, 4, … maxArms spaces: few enough to keep prepared. Those of taggedQueries also select by metadata.
var pageQueries, taggedQueries = pages(""), pages(hasMetadata)

// pages writes its statements when the first one is used: they are 150 kB.
func pages(condition string) func() map[int]string {
	return sync.OnceValue(func() map[int]string {
		queries := map[int]string{}
		for arms := 1; arms <= maxArms; arms *= 2 {
			queries[arms] = pageQuery(arms, condition)
		}
		return queries
	})
}

// hasMetadata selects recordings with every name and value of an object.
const hasMetadata = ` AND NOT EXISTS (SELECT 1 FROM json_each(?5) AS wanted
	WHERE NOT EXISTS (SELECT 1 FROM json_each(metadata) AS m WHERE m.key = wanted.key AND m.value = wanted.value))`

// pageQuery returns the statement that selects a page of recordings from a number of spaces. Each arm of the UNION ALL scans
// the index of one space from the position on. SQLite merges the arms row by row and stops at the limit, so it sorts nothing
// and reads no more than it returns.
//
// The limit is an expression, because SQLite uses the value of a plain parameter to choose a plan and prepares the statement
// again for each new value. That took two thirds of the time of a page of five spaces.
func pageQuery(arms int, condition string) string {
	// ?1 and ?2 are the position, ?3 is the title, ?4 is the limit, ?5 is the metadata; the spaces follow.
	arm := "SELECT " + recordings.columns + " FROM recordings INDEXED BY recordings_by_space" +
		" WHERE space_id = ?%d AND (created_at, id) < (?1, ?2) AND instr(title_folded, ?3)" + condition
	list := make([]string, arms)
	for i := range list {
		list[i] = fmt.Sprintf(arm, i+6)
	}
	return strings.Join(list, " UNION ALL ") + " ORDER BY created_at DESC, id DESC LIMIT ?4 + 0"
}

func (t *readTx) Recordings(q engine.RecordingQuery) ([]engine.Recording, error) {
	spaces := slices.Compact(slices.Sorted(slices.Values(q.Spaces)))
	if q.Tags.ExternalID != "" {
		return t.ofExternalID(spaces, q)
	}
	page := []engine.Recording{}
	for group := range slices.Chunk(spaces, maxArms) {
		found, err := t.pageOf(group, q)
		if err != nil {
			return nil, err
		}
		page = append(page, found...)
	}
	if len(spaces) > maxArms {
		slices.SortFunc(page, newestFirst)
		page = page[:min(len(page), max(0, q.Limit))]
	}
	return page, nil
}

// ofExternalID returns the page of recordings with an external id: at most one of each space.
func (t *readTx) ofExternalID(spaces []engine.SpaceID, q engine.RecordingQuery) ([]engine.Recording, error) {
	page := []engine.Recording{}
	for _, space := range spaces {
		r, err := t.RecordingByExternalID(space, q.Tags.ExternalID)
		if engine.CodeOf(err) == engine.CodeNotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		if q.After != nil && cmp.Or(r.CreatedAt.Compare(q.After.CreatedAt), strings.Compare(string(r.ID), q.After.ID)) >= 0 {
			continue
		}
		if r.Matches(q.Tags) && strings.Contains(transcript.Fold(r.Title), q.Title) {
			page = append(page, r)
		}
	}
	slices.SortFunc(page, newestFirst)
	return page[:min(len(page), max(0, q.Limit))], nil
}

func newestFirst(a, b engine.Recording) int {
	return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
}

// pageOf returns the page of at most maxArms spaces.
func (t *readTx) pageOf(spaces []engine.SpaceID, q engine.RecordingQuery) ([]engine.Recording, error) {
	args := []driver.Value{int64(math.MaxInt64), "", q.Title, int64(max(0, q.Limit)), nil}
	queries := pageQueries
	if len(q.Tags.Metadata) > 0 {
		wanted, err := json.Marshal(q.Tags.Metadata)
		if err != nil {
			return nil, err
		}
		args[4], queries = string(wanted), taggedQueries
	}
	if q.After != nil {
		args[0], args[1] = rows.Micros(q.After.CreatedAt), q.After.ID
	}
	for _, id := range spaces {
		args = append(args, string(id))
	}
	arms := 1
	for arms < len(spaces) {
		arms *= 2
	}
	for len(args) < arms+5 {
		args = append(args, nil) // no space_id is NULL, so the arm is empty
	}
	return all(t, recordings, queries()[arms], args...)
}
