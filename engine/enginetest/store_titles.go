package enginetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// titleCases returns the claims about finding recordings by title.
func titleCases() []storeCase {
	return []storeCase{
		{"a title matches any part of it, ignoring case, without wildcards", titlesMatch},
		{"a page of matches is full despite non-matches between them", titlesFillPages},
	}
}

// titles holds the titles of titlesMatch; the expected results are their indexes.
var titles = []string{
	0: "100% organic", 1: "100 percent", 2: "snake_case", 3: "snakeXcase", 4: `back\slash`, 5: "backslash", 6: "Straße", 7: "STRASSE",
	8: "ΣΊΣΥΦΟΣ", 9: "σίσυφος", 10: "İstanbul", 11: "istanbul", 12: "", 13: "it's \"quoted\" [a-z]* ?", 14: "日本語の録音", 15: "K\u212Aelvin",
	16: "  spaces  ", 17: "ÄRGER", 18: "A\u0308rger",
}

func titlesMatch(t *testing.T, s engine.Store) {
	for i, title := range titles {
		r := newRecording(fmt.Sprintf("r%02d", i), "space", at(0))
		r.Title, r.Number = title, i+1
		write(t, s, engine.Tx.PutRecording, r)
	}
	for query, want := range map[string][]int{
		"%": {0}, "100%": {0}, "100": {0, 1}, "_": {2}, "e_c": {2}, "E_CASE": {2}, `\`: {4}, `K\S`: {4}, `\%`: {}, `\_`: {},
		"strasse": {6, 7}, "straße": {6, 7}, "STRASSE": {6, 7}, "STRAẞE": {6, 7}, "σίσυφος": {8, 9}, "ΣΊΣΥΦΟΣ": {8, 9}, "φοσ": {8, 9},
		"İ": {10}, "i̇stanbul": {}, "ISTANBUL": {11}, "stan": {10, 11}, "'s \"q": {13}, "[a-z]": {13}, "* ?": {13}, "?": {13},
		"録音": {14}, "kk": {15}, "\u212A\u212A": {15}, "  ": {16}, "ärger": {17}, "a\u0308RGER": {18}, "no such title": {}, "a%": {}, "%c": {}, "\x00": {},
	} {
		got := []int{}
		for _, r := range listRecordings(t, s, engine.RecordingQuery{Spaces: []engine.SpaceID{"space"}, Title: transcript.Fold(query), Limit: 100}) {
			got = append(got, r.Number-1)
		}
		slices.Sort(got)
		require.Equal(t, want, got, "query %q", query)
	}
	require.Len(t, listRecordings(t, s, engine.RecordingQuery{Spaces: []engine.SpaceID{"space"}, Limit: 100}), len(titles))
}

func titlesFillPages(t *testing.T, s engine.Store) {
	var all []engine.Recording
	var want []string
	for i := range 30 {
		r := newRecording(fmt.Sprintf("r%02d", i), engine.SpaceID([]string{"one", "two"}[i%2]), at(-i))
		if r.Title = "other"; i%5 == 0 {
			r.Title = "Wanted one"
			want = append(want, string(r.ID))
		}
		all = append(all, r)
	}
	write(t, s, engine.Tx.PutRecording, numbered(all)...)
	q := engine.RecordingQuery{Spaces: []engine.SpaceID{"one", "two"}, Title: transcript.Fold("WANTED"), Limit: 4}
	first := listRecordings(t, s, q)
	require.Len(t, first, 4)
	q.After = after(first[3])
	require.Equal(t, want, append(ids(first, func(r engine.Recording) engine.RecordingID { return r.ID }), recordingIDs(t, s, q)...))
}
