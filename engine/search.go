package engine

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/search"
)

// SearchCategory is what to search.
type SearchCategory string

const (
	SearchAll         SearchCategory = "all" // the default: all other categories
	SearchTranscripts SearchCategory = "transcripts"
	SearchRecordings  SearchCategory = "recordings" // titles
	SearchContent     SearchCategory = "content"    // completed outputs
)

const (
	// DefaultSearchLimit and MaxSearchLimit limit the results of each category.
	DefaultSearchLimit = 5
	MaxSearchLimit     = 25
	maxQuery           = 500 // characters
)

// searchKinds has the kinds of documents of each category, in the order of results.
var searchKinds = map[SearchCategory][]search.DocumentKind{
	SearchAll:         {search.DocumentTranscript, search.DocumentRecording, search.DocumentContent},
	SearchTranscripts: {search.DocumentTranscript},
	SearchRecordings:  {search.DocumentRecording},
	SearchContent:     {search.DocumentContent},
}

// SearchRequest asks for texts that contain all words of a query.
type SearchRequest struct {
	Query    string         // required
	Category SearchCategory // default SearchAll
	SpaceID  SpaceID        // "" for all spaces of the caller
	Limit    int            // per category; 0 for DefaultSearchLimit; at most MaxSearchLimit
}

// Validate returns what is wrong with the request, as CodeInvalid.
func (r SearchRequest) Validate() error {
	const op = "Search"
	switch {
	case strings.TrimSpace(r.Query) == "":
		return Errorf(CodeInvalid, op, "query is required.").WithRule("search.query-required")
	case utf8.RuneCountInString(r.Query) > maxQuery:
		return Errorf(CodeInvalid, op, "query is longer than %d characters.", maxQuery)
	case r.Category != "" && searchKinds[r.Category] == nil:
		return Errorf(CodeInvalid, op, "category must be one of all, transcripts, recordings and content.").WithRule("search.category-unknown")
	case r.Limit < 0:
		return Errorf(CodeInvalid, op, "limit must be a number from 1 to %d.", MaxSearchLimit).WithRule("limit.out-of-range")
	}
	return input.CheckText(op, "query", r.Query)
}

// SearchResult is a text that matches a query.
type SearchResult struct {
	Kind           search.DocumentKind
	RecordingID    RecordingID
	RecordingTitle string
	Snippet        string        // about 160 characters around the first match; "…" marks omitted text
	Start          time.Duration // for DocumentTranscript: when the first word of the match is spoken
	OutputID       OutputID      // for DocumentContent only
	OutputType     OutputType    // for DocumentContent only
}

// Search returns texts of the caller's active spaces that contain every word of the query: transcripts, then titles, then generated
// content. Each category is sorted by relevance, ties newest first. Case and diacritics are ignored. Words may appear in any order, but a
// run of Chinese, Japanese, or Korean characters must appear as it is. A query of punctuation matches nothing. Of a word in more than
// search.MaxDocuments texts of a category, the newest are searched, or those with a rarer word of the query. Errors: CodeInvalid,
// CodeNotFound (space).
func (e *Engine) Search(ctx context.Context, c Caller, r SearchRequest) ([]SearchResult, error) {
	const op = "Search"
	if err := r.Validate(); err != nil {
		return nil, err
	}
	if r.Category == "" {
		r.Category = SearchAll
	}
	if r.Limit == 0 {
		r.Limit = DefaultSearchLimit
	}
	r.Limit = min(r.Limit, MaxSearchLimit)
	query := search.ParseQuery(r.Query)
	results := []SearchResult{}
	err := e.store.View(ctx, func(tx ReadTx) error {
		spaces, err := searchedSpaces(tx, c, r.SpaceID)
		if err != nil || query.Empty() || len(spaces) == 0 {
			return err
		}
		for _, kind := range searchKinds[r.Category] {
			found, err := searchKind(tx, kind, spaces, query, r.Limit)
			if err != nil {
				return err
			}
			results = append(results, found...)
		}
		return nil
	})
	if err != nil {
		return nil, wrap(op, err)
	}
	return results, nil
}

// searchedSpaces returns the caller's active spaces, or only the requested one if it is active.
func searchedSpaces(tx ReadTx, c Caller, asked SpaceID) ([]string, error) {
	if asked != "" {
		if _, err := memberSpace(tx, c, asked); err != nil {
			return nil, err
		}
	}
	spaces, err := tx.SpacesOf(c.UserID)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, s := range spaces {
		if !s.Inactive && (asked == "" || s.ID == asked) {
			ids = append(ids, string(s.ID))
		}
	}
	return ids, nil
}

// searchKind returns the documents of one kind that match a query.
func searchKind(tx ReadTx, kind search.DocumentKind, spaces []string, query search.Query, limit int) ([]SearchResult, error) {
	rows := map[search.DocumentID]searchedRow{}
	found, err := search.Find(tx, kind, spaces, query, limit, func(d search.Document) ([]string, error) {
		row, texts, err := readSearched(tx, d)
		rows[d.ID] = row
		return texts, err
	})
	results := make([]SearchResult, 0, len(found))
	for _, m := range found {
		row := rows[m.Document.ID]
		r := SearchResult{
			Kind: kind, RecordingID: row.recording.ID, RecordingTitle: row.recording.Title, Snippet: m.Snippet, OutputID: row.output.ID, OutputType: row.output.Type,
		}
		if kind == search.DocumentTranscript {
			r.Start = row.transcript.Utterances[m.Part].TimeAt(m.At)
		}
		results = append(results, r)
	}
	return results, err
}

// searchedRow has the rows of a document.
type searchedRow struct {
	recording  Recording
	transcript Transcript // for DocumentTranscript only
	output     Output     // for DocumentContent only
}

// readSearched returns the rows of a document and its indexed texts.
func readSearched(tx ReadTx, d search.Document) (row searchedRow, texts []string, err error) {
	if row.recording, err = tx.Recording(RecordingID(d.RecordingID)); err != nil {
		return row, nil, err
	}
	switch d.Kind {
	case search.DocumentTranscript:
		row.transcript, err = tx.Transcript(row.recording.TranscriptID)
		return row, utteranceTexts(row.transcript), err
	case search.DocumentContent:
		row.output, err = tx.Output(OutputID(d.OutputID))
		return row, lines(row.output.Text), err
	}
	return row, []string{row.recording.Title}, nil
}
