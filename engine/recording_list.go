package engine

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// RecordingQuery asks a Store for a page of recordings.
type RecordingQuery struct {
	Spaces []SpaceID        // without spaces, the page is empty
	Title  string           // a part of Fold(title), itself folded; "" matches all
	Tags   Tags             // see Tags.Matches
	After  *cursor.Position // last row of the previous page; nil for the first page
	Limit  int              // at least 1
}

// ListRecordings is the request for a page of recordings.
type ListRecordings struct {
	SpaceID SpaceID // "" for all spaces of the caller
	Query   string  // case-insensitive part of the title
	Tags    Tags    // external id, and names and values of metadata, that the recordings must have; empty ones match all
	Limit   int     // 0 for DefaultPageSize; at most MaxPageSize
	Cursor  string  // NextCursor of the previous page; "" for the first page
}

// RecordingPage is a page of recordings, newest first. It may have fewer recordings than requested, or none, and still have a NextCursor.
// The list ends where NextCursor is "".
type RecordingPage struct {
	Recordings []Recording
	Spaces     map[SpaceID]Space // the spaces of the recordings
	NextCursor string
}

// ListRecordings returns a page of the recordings of the caller's active spaces. Recordings of inactive spaces are removed after the page
// is cut (specification, "GET /v1/recordings"). Errors: CodeInvalid (limit, cursor), CodeNotFound (space).
func (e *Engine) ListRecordings(ctx context.Context, c Caller, l ListRecordings) (RecordingPage, error) {
	const op = "ListRecordings"
	if l.Limit < 0 {
		return RecordingPage{}, Errorf(CodeInvalid, op, "limit must be a number from 1 to %d.", MaxPageSize).WithRule("limit.out-of-range")
	}
	if l.Limit == 0 {
		l.Limit = DefaultPageSize
	}
	l.Limit = min(l.Limit, MaxPageSize)
	if err := l.Tags.Validate(); err != nil {
		return RecordingPage{}, wrap(op, err)
	}
	filter := "recordings\x00" + string(c.UserID) + "\x00" + string(l.SpaceID) + "\x00" + l.Query + l.Tags.filter()
	q := RecordingQuery{Title: transcript.Fold(l.Query), Tags: l.Tags, Limit: l.Limit + 1}
	if l.Cursor != "" {
		pos, err := e.cursors.Decode(l.Cursor, filter)
		if err != nil {
			return RecordingPage{}, err
		}
		q.After = &pos
	}
	page := RecordingPage{Spaces: map[SpaceID]Space{}}
	var found []Recording
	err := e.store.View(ctx, func(tx ReadTx) error {
		spaces, err := tx.SpacesOf(c.UserID)
		if err != nil {
			return err
		}
		for _, s := range spaces {
			if l.SpaceID == "" || s.ID == l.SpaceID {
				page.Spaces[s.ID] = s
				q.Spaces = append(q.Spaces, s.ID)
			}
		}
		if l.SpaceID != "" && len(q.Spaces) == 0 {
			return NotFound(op, "space")
		}
		found, err = tx.Recordings(q)
		return err
	})
	if err != nil {
		return RecordingPage{}, wrap(op, err)
	}
	if len(found) > l.Limit {
		found = found[:l.Limit]
		last := found[l.Limit-1]
		page.NextCursor = e.cursors.Encode(cursor.Position{CreatedAt: last.CreatedAt, ID: string(last.ID)}, filter)
	}
	for _, r := range found {
		if !page.Spaces[r.SpaceID].Inactive {
			page.Recordings = append(page.Recordings, r)
		}
	}
	return page, nil
}
