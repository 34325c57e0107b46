package queue_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// lines returns the messages of a JSON log about jobs, without time and level.
func lines(t *testing.T, log *bytes.Buffer) (all []map[string]any) {
	t.Helper()
	for d := json.NewDecoder(log); d.More(); {
		var line map[string]any
		require.NoError(t, d.Decode(&line))
		delete(line, "time")
		delete(line, "level")
		all = append(all, line)
	}
	return all
}

// Each message about a job says which job and attempt, for whom, and how long the attempt took.
func TestLogOfJobs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var log bytes.Buffer
		h := does(func(ctx context.Context, a *queue.Attempt) error {
			time.Sleep(time.Duration(a.Job.Attempt) * time.Second)
			require.Equal(t, time.Duration(a.Job.Attempt)*time.Second, time.Since(a.Began))
			switch {
			case a.Job.Ref == "stuck":
				return until(ctx, a)
			case a.Job.Ref == "broken":
				return errBroken
			case a.Job.Ref == "crash":
				panic("at the disco")
			case a.Job.Attempt == 1:
				return errBusy
			}
			return nil
		})
		h.Tenant = "account"
		s := newStage(t, config{
			Log: slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), Random: func() float64 { return 0 },
		}, h)
		stop := s.start()
		line := func(msg string, attempt int, more map[string]any) map[string]any {
			want := map[string]any{
				"msg": msg, "job": "job-001", "kind": "work", "ref": "busy", "attempt": float64(attempt), "generation": float64(attempt), "account": "acme",
				"duration": float64(time.Duration(attempt) * time.Second),
			}
			for k, v := range more {
				want[k] = v
			}
			return want
		}
		s.enqueue("busy", "acme")
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, []map[string]any{
			line("job will be retried", 1, map[string]any{"err": errBusy.Error()}), line("job completed", 2, nil),
		}, lines(t, &log))

		s.enqueue("broken", "acme")
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, []map[string]any{
			line("job failed", 1, map[string]any{"job": "job-002", "ref": "broken", "err": errBroken.Error()}),
		}, lines(t, &log))

		s.enqueue("crash", "acme")
		time.Sleep(time.Minute)
		synctest.Wait()
		crash := lines(t, &log)
		require.Len(t, crash, 2)
		require.Equal(t, []any{"job panicked", "job-003", "crash", "acme", "at the disco"},
			[]any{crash[0]["msg"], crash[0]["job"], crash[0]["ref"], crash[0]["account"], crash[0]["panic"]})
		require.Equal(t, "job failed", crash[1]["msg"])

		canceled := s.enqueue("stuck", "acme")
		time.Sleep(time.Second)
		synctest.Wait()
		require.NoError(t, s.Cancel(t.Context(), canceled))
		synctest.Wait()
		s.enqueue("stuck", "acme")
		time.Sleep(time.Second)
		synctest.Wait()
		stop()
		require.Equal(t, []map[string]any{
			line("job canceled", 1, map[string]any{"job": "job-004", "ref": "stuck"}),
			line("job interrupted; the next Run continues it", 1, map[string]any{"job": "job-005", "ref": "stuck"}),
		}, lines(t, &log))
	})
}
