package engine_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Operators list the jobs of all accounts, newest first and page by page, and get one by its id.
func TestListJobs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Transcriber: hears("Hello.")})
		stop := s.start()
		first, second := s.record(), s.record()
		synctest.Wait()
		stop()
		all, err := s.ListJobs(t.Context(), engine.JobList{})
		require.NoError(t, err)
		require.Empty(t, all.NextCursor)
		var paged []queue.Job
		for l := (engine.JobList{Limit: 1}); ; {
			page, err := s.ListJobs(t.Context(), l)
			require.NoError(t, err)
			paged = append(paged, page.Jobs...)
			if l.Cursor = page.NextCursor; l.Cursor == "" {
				break
			}
			require.Len(t, page.Jobs, 1)
		}
		require.Equal(t, all.Jobs, paged)
		l := engine.JobList{
			Kinds: []queue.Kind{engine.JobTranscribe}, Statuses: []queue.Status{queue.Completed}, Classes: []queue.Class{queue.ClassTranscribe},
			Refs: []string{string(first.TranscriptID)},
		}
		page, err := s.ListJobs(t.Context(), l)
		require.NoError(t, err)
		require.Len(t, page.Jobs, 1)
		require.Equal(t, string(first.TranscriptID), page.Jobs[0].Ref)
		j, err := s.Job(t.Context(), page.Jobs[0].ID)
		require.NoError(t, err)
		require.Equal(t, page.Jobs[0], j)
		l.Refs = append(l.Refs, string(second.TranscriptID))
		page, err = s.ListJobs(t.Context(), l)
		require.NoError(t, err)
		require.Len(t, page.Jobs, 2)
		requireCode(t, engine.CodeConflict, s.HastenJob(t.Context(), j.ID))
	})
}

// A list with an unknown value, limit, or cursor is refused, and so is the cursor of another list.
func TestListJobsRefuses(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	s.record()
	s.record()
	page, err := s.ListJobs(t.Context(), engine.JobList{Limit: 1})
	require.NoError(t, err)
	require.NotEmpty(t, page.NextCursor)
	for want, l := range map[string]engine.JobList{
		`There is no status "done" of jobs.`:                {Statuses: []queue.Status{queue.Failed, "done"}},
		`There is no kind "render" of jobs.`:                {Kinds: []queue.Kind{"render"}},
		`There is no class "" of jobs.`:                     {Classes: []queue.Class{""}},
		"limit must be a number from 1 to 1000 (got -1).":   {Limit: -1},
		"limit must be a number from 1 to 1000 (got 1001).": {Limit: 1001},
		"cursor is not valid for this list.":                {Cursor: "x"},
		"cursor is not valid for this list":                 {Cursor: page.NextCursor, Statuses: []queue.Status{queue.Queued}},
	} {
		_, err := s.ListJobs(t.Context(), l)
		requireCode(t, engine.CodeInvalid, err)
		require.ErrorContains(t, err, want)
	}
	_, err = s.Job(t.Context(), "none")
	requireCode(t, engine.CodeNotFound, err)
	requireCode(t, engine.CodeNotFound, s.HastenJob(t.Context(), "none"))
}
