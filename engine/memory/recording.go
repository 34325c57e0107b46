package memory

import (
	"maps"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// recordingRow is a recording with its folded title for matching.
type recordingRow struct {
	engine.Recording
	folded string
}

func (tx *readTx) Recording(id engine.RecordingID) (engine.Recording, error) {
	row, err := get(tx, tx.recordings, id)
	return row.Recording, err
}

// Recordings reads each space from the query's position on, until it has a page.
func (tx *readTx) Recordings(q engine.RecordingQuery) ([]engine.Recording, error) {
	if err := tx.checkOpen(); err != nil {
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
		page[i] = tx.recordings.copyOf(row).Recording
	}
	return page, nil
}

// pageOf returns the first q.Limit matching rows of one space, newest first.
func (tx *readTx) pageOf(space engine.SpaceID, q engine.RecordingQuery) (page []*recordingRow) {
	var after *recordingRow
	if q.After != nil {
		after = &recordingRow{Recording: engine.Recording{ID: engine.RecordingID(q.After.ID), CreatedAt: q.After.CreatedAt}}
	}
	for row := range tx.recordingsByAge.descend(tx, space, after) {
		if len(page) >= q.Limit {
			break
		}
		if strings.Contains(row.folded, q.Title) && row.Matches(q.Tags) {
			page = append(page, row)
		}
	}
	return page
}

// externalID identifies a recording, or imports, of another program.
type externalID struct {
	space engine.SpaceID
	id    string
}

func externalIDName(e externalID) string { return pair(e.space, e.id) }

func (tx *readTx) RecordingByExternalID(space engine.SpaceID, id string) (engine.Recording, error) {
	row, err := first(tx, tx.recordings, tx.recordingsByExternalID, externalID{space, id})
	return row.Recording, err
}

func (tx *writeTx) PutRecording(r engine.Recording) error {
	return put(tx, tx.recordings, r.ID, recordingRow{r, transcript.Fold(r.Title)})
}

func recordingExternalID(r *recordingRow) (externalID, bool) {
	return externalID{r.SpaceID, r.ExternalID}, r.ExternalID != ""
}

func recordingSpace(r *recordingRow) engine.SpaceID { return r.SpaceID }
func byRecordingAge(a, b *recordingRow) int         { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }

func cloneRecordingRow(r recordingRow) recordingRow {
	r.CreatedAt = utc(r.CreatedAt)
	if r.PublishedAt = clonePointer(r.PublishedAt); r.PublishedAt != nil {
		*r.PublishedAt = utc(*r.PublishedAt)
	}
	r.EpisodeNumber, r.SeasonNumber = clonePointer(r.EpisodeNumber), clonePointer(r.SeasonNumber)
	if r.RSS = clonePointer(r.RSS); r.RSS != nil {
		r.RSS.PublishedAt, r.RSS.EpisodeNumber = utc(r.RSS.PublishedAt), clonePointer(r.RSS.EpisodeNumber)
	}
	r.Metadata = maps.Clone(r.Metadata)
	return r
}
