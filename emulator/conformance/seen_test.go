//go:build !race

package conformance_test

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

var searching = flag.Bool("search", false, "search mistakes for the checks that have none, and print lines for testdata/slips.txt")

// unseen returns the checks that no mistake fails, neither one of mistakes nor one of slips.
func unseen(t *testing.T) []string {
	t.Helper()
	found := map[string]bool{}
	for _, m := range slices.Concat(mistakes(), publicMistakes()) {
		for _, id := range m.fails {
			found[id] = true
		}
	}
	for _, s := range slips(t) {
		require.False(t, found[s.check], "%s is failed by two tables", s.check)
		found[s.check] = true
	}
	ids := []string{}
	for _, st := range conformance.Statements() {
		if st.Reason == "" && st.Test == "" && !found[st.ID] {
			ids = append(ids, st.ID)
		}
		delete(found, st.ID)
	}
	require.Empty(t, found, "mistakes for checks that don't exist")
	return ids
}

// Every check is known to fail because of some mistake. To find mistakes for the checks listed here, run
//
//	go test ./emulator/conformance -run TestSearch -search
func TestEveryCheckHasAMistake(t *testing.T) {
	t.Parallel()
	require.Empty(t, unseen(t))
}

// Each check in testdata/slips.txt passes, and fails because of its mistake.
func TestEveryCheckIsSeenToFail(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it runs hundreds of checks")
	o := original(t)
	for _, s := range slips(t) {
		t.Run(s.check, func(t *testing.T) {
			t.Parallel()
			m, err := s.mistake()
			require.NoError(t, err)
			require.Equal(t, conformance.Pass, o.outcome(s.check))
			report, failed := repeated(t, o, m)
			require.Equal(t, []string{s.check}, failed, "%s, %s: %v", s.of, s.does, report)
		})
	}
}

// TestSearch prints mistakes that fail the checks that have none. A person should read them: a good one breaks the statement itself.
func TestSearch(t *testing.T) {
	if !*searching {
		t.Skip("runs with -search")
	}
	o := original(t)
	for _, id := range unseen(t) {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			if s, ok := o.search(t, id); ok {
				t.Logf("%s  %s  %s", s.check, s.of, s.does)
			} else {
				t.Errorf("no mistake fails %s, which is %s", id, o.outcome(id))
			}
		})
	}
}

// outcome returns the outcome of a check in the original run.
func (o originalRun) outcome(id string) conformance.Outcome {
	for _, r := range o.run.Report.Results {
		if r.ID == id {
			return r.Outcome
		}
	}
	return ""
}

// search returns the best mistake that fails a check other than by a poll for what never comes.
func (o originalRun) search(t *testing.T, id string) (slip, bool) {
	w := &watcher{through: o.replay(mistake{}), nonce: o.run.Nonce()}
	_, err := o.run.Repeat(t.Context(), w, id, timeout, nil)
	require.NoError(t, err)
	for _, s := range slipsFor(id, w.all) {
		m, err := s.mistake()
		require.NoError(t, err)
		report, _ := repeated(t, o, m)
		if f := report.Failures(true); len(f) > 0 && !strings.Contains(f[0].Got, errOver.Error()) {
			return s, true
		}
	}
	return slip{}, false
}
