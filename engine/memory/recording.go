package memory

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// recordingRow is a recording and what its title is matched by.
type recordingRow struct {
	engine.Recording
	folded string
}

func (tx *readTx) Recording(id engine.RecordingID) (engine.Recording, error) {
	row, err := get(tx, tx.recordings, id)
	return row.Recording, err
}

// Recordings looks at no more rows of a space than it must: from the query's position down, until it has a page.
func (tx *readTx) Recordings(q engine.RecordingQuery) ([]engine.Recording, error) {
	if err := tx.alive(); err != nil {
		return nil, err
	}
	spaces := slices.Compact(slices.Sorted(slices.Values(q.Spaces)))
	var found []*recordingRow
	for _, id := range spaces {
		found = append(found, tx.pageOf(id, q)...)
	}
	slices.SortFunc(found, func(a, b *recordingRow) int { return byRecordingAge(b, a) })
	found = found[:min(len(found), max(0, q.Limit))]
	page := make([]engine.Recording, len(found))
	for i, row := range found {
		page[i] = tx.recordings.own(row).Recording
	}
	return page, nil
}

// pageOf returns the rows of one space that may be on the page, newest first.
func (tx *readTx) pageOf(space engine.SpaceID, q engine.RecordingQuery) (page []*recordingRow) {
	var after *recordingRow
	if q.After != nil {
		after = &recordingRow{Recording: engine.Recording{ID: engine.RecordingID(q.After.ID), CreatedAt: q.After.CreatedAt}}
	}
	for row := range tx.recordingsByAge.descend(tx, space, after) {
		if len(page) >= q.Limit {
			break
		}
		if strings.Contains(row.folded, q.Title) {
			page = append(page, row)
		}
	}
	return page
}

func (tx *writeTx) PutRecording(r engine.Recording) error {
	return put(tx, tx.recordings, r.ID, recordingRow{r, transcript.Fold(r.Title)})
}

func recordingSpace(r *recordingRow) engine.SpaceID { return r.SpaceID }
func byRecordingAge(a, b *recordingRow) int         { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }

func cloneRecordingRow(r recordingRow) recordingRow {
	r.CreatedAt = utc(r.CreatedAt)
	if r.PublishedAt = copied(r.PublishedAt); r.PublishedAt != nil {
		*r.PublishedAt = utc(*r.PublishedAt)
	}
	r.EpisodeNumber, r.SeasonNumber = copied(r.EpisodeNumber), copied(r.SeasonNumber)
	if r.RSS = copied(r.RSS); r.RSS != nil {
		r.RSS.PublishedAt, r.RSS.EpisodeNumber = utc(r.RSS.PublishedAt), copied(r.RSS.EpisodeNumber)
	}
	return r
}
