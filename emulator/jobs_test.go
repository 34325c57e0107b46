package emulator_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// jobsOf returns the jobs that a query selects.
func jobsOf(t *testing.T, s *emulator.Server, query string) (list []map[string]any) {
	t.Helper()
	status, v := as(t, "", "GET", s.URL()+"/_soundstage/jobs"+query, "")
	require.Equal(t, 200, status, v)
	for _, j := range v["jobs"].([]any) {
		list = append(list, j.(map[string]any))
	}
	require.EqualValues(t, len(list), v["count"])
	return list
}

// change calls an action of a job, requires a status, and returns the job, or the error.
func change(t *testing.T, s *emulator.Server, id any, action, body string, want int) map[string]any {
	t.Helper()
	status, v := as(t, "", "POST", fmt.Sprintf("%s/_soundstage/jobs/%v/%s", s.URL(), id, action), body)
	require.Equal(t, want, status, v)
	if want != 200 {
		return v
	}
	return v["job"].(map[string]any)
}

// A recording's job is stepped from state to state while the clock is frozen, and its past can be seen.
func TestStepJob(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{Clock: emulator.ClockManual})
	stream := follow(t, s)
	upload, _ := put(t, s, "sk_sandbox_platform")
	require.Equal(t, 201, record(t, s, "sk_sandbox_platform", upload))
	id := recordings(t, s, "sk_sandbox_platform")[0]
	list := jobsOf(t, s, "?kind=transcript.transcribe&resource="+id)
	require.Len(t, list, 1)
	job := list[0]
	require.Equal(t, id, job["resource"])
	require.Equal(t, id, job["recording"])
	require.Equal(t, "queued", job["status"])
	require.Equal(t, true, job["held"])
	require.Equal(t, job["run_at"], job["next_at"])

	job = change(t, s, job["id"], "step", "", 200)
	require.Equal(t, "running", job["status"])
	require.Equal(t, true, job["held"], "the simulated transcription takes its time")
	require.Greater(t, job["next_at"], "2026-01-01T00:00:01")
	job = change(t, s, job["id"], "step", "{}", 200)
	require.Contains(t, []string{"completed", "failed"}, job["status"]) // the upload is no media
	require.Nil(t, job["next_at"])
	require.Equal(t, false, job["held"])
	require.Contains(t, change(t, s, job["id"], "step", "", 409)["error"], "The job is already")

	_, clock := as(t, "", "GET", s.URL()+"/_soundstage/clock", "")
	require.Equal(t, "2026-01-01T00:00:00Z", clock["now"])
	status, v := as(t, "", "GET", fmt.Sprintf("%s/_soundstage/jobs/%v", s.URL(), job["id"]), "")
	require.Equal(t, 200, status)
	var past []string
	for _, p := range v["transitions"].([]any) {
		p := p.(map[string]any)
		past = append(past, fmt.Sprint(p["status"], " ", p["attempt"], " ", p["held"]))
	}
	require.Equal(t, "queued 0 false, queued 0 true, running 1 false, running 1 true, "+fmt.Sprint(job["status"])+" 1 false", strings.Join(past, ", "))
	stream()
}

// follow opens a stream, so that the server records what happens, until the returned function is called.
func follow(t *testing.T, s *emulator.Server) (stop func()) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL()+"/_soundstage/events", nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.Equal(t, 200, resp.StatusCode)
	_, err = resp.Body.Read(make([]byte, 1))
	require.NoError(t, err)
	return func() { _ = resp.Body.Close() }
}

// A job that is let fail fails its resource with the given words, once, and needs no stream for its past.
func TestFailJob(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{Clock: emulator.ClockManual})
	upload, _ := put(t, s, "sk_sandbox_platform")
	require.Equal(t, 201, record(t, s, "sk_sandbox_platform", upload))
	id := recordings(t, s, "sk_sandbox_platform")[0]
	job := jobsOf(t, s, "?class=transcribe&resource="+id)[0]
	for _, body := range []string{`{"error":""}`, `{"error":" \n"}`, `{"error":7}`, `{"error":"` + strings.Repeat("ä", 501) + `"}`, `{"why":"x"}`, `[`} {
		change(t, s, job["id"], "fail", body, 400)
	}
	job = change(t, s, job["id"], "fail", `{"error":"`+strings.Repeat("ä", 500)+`"}`, 200)
	require.Equal(t, strings.Repeat("ä", 500), job["fails_with"])
	job = change(t, s, job["id"], "fail", `{"error":"The tape is torn."}`, 200)
	require.Equal(t, "queued", job["status"])
	require.Equal(t, "The tape is torn.", job["fails_with"])
	job = change(t, s, job["id"], "step", "", 200)
	require.Equal(t, "failed", job["status"])
	require.NotContains(t, job, "fails_with")
	require.Contains(t, job["last_error"], "The tape is torn.")
	_, v := as(t, "sk_sandbox_platform", "GET", s.URL()+"/v1/recordings/"+id, "")
	require.Equal(t, "error", v["recording"].(map[string]any)["transcript_status"])
	change(t, s, job["id"], "fail", "", 409)
	_, v = as(t, "", "GET", fmt.Sprintf("%s/_soundstage/jobs/%v", s.URL(), job["id"]), "")
	require.Len(t, v["transitions"], 2)
}

// A running attempt is stopped at once when its job is let fail, or canceled.
func TestFailRunningJob(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{Clock: emulator.ClockManual})
	for _, action := range []string{"fail", "cancel"} {
		upload, _ := put(t, s, "sk_sandbox_platform")
		require.Equal(t, 201, record(t, s, "sk_sandbox_platform", upload))
		job := jobsOf(t, s, "?class=transcribe&status=queued")[0]
		job = change(t, s, job["id"], "step", "", 200)
		require.Equal(t, "running", job["status"])
		job = change(t, s, job["id"], action, "", 200)
		if action == "fail" {
			require.Equal(t, "failed", job["status"])
			require.Contains(t, job["last_error"], "The job was let fail with the control API.")
		}
		require.Contains(t, change(t, s, job["id"], "nothing", "", 404)["error"], "no endpoint")
	}
}

// A message that is held can't be stepped; after its release, its retry can.
func TestStepDelivery(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{Clock: emulator.ClockManual})
	at := s.URL() + "/_soundstage/webhooks/"
	for _, call := range [][2]string{{"sink", `{"status":[500,200]}`}, {"hold", ""}, {"trigger", `{"event":"transcript.completed"}`}} {
		status, v := as(t, "", "POST", at+call[0], call[1])
		require.Equal(t, 200, status, v)
	}
	_, _ = as(t, "", "POST", s.URL()+"/_soundstage/idle", "")
	job := jobsOf(t, s, "?class=deliver")[0]
	require.Equal(t, "running", job["status"])
	require.Equal(t, "The message of the job is held.", change(t, s, job["id"], "step", "", 409)["error"])
	status, _ := as(t, "", "POST", at+"release", "")
	require.Equal(t, 200, status)
	_, _ = as(t, "", "POST", s.URL()+"/_soundstage/idle", "")
	job = jobsOf(t, s, "?class=deliver")[0]
	require.Equal(t, "retrying", job["status"])
	require.Equal(t, "completed", change(t, s, job["id"], "step", "", 200)["status"])
	_, counts := as(t, "", "GET", s.URL()+"/_soundstage/counts", "")
	kinds := counts["counts"].(map[string]any)
	require.Equal(t, map[string]any{"total": 1.0, "statuses": map[string]any{"delivered": 1.0}}, kinds["messages"])
	require.Equal(t, map[string]any{"total": 0.0, "statuses": map[string]any{}}, kinds["renders"])
	require.Contains(t, kinds, "faults")
}

// Lists of jobs are paged, and wrong parameters are refused.
func TestListJobs(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{Clock: emulator.ClockManual})
	for range 3 {
		put(t, s, "sk_sandbox_platform")
	}
	seen, next := map[any]bool{}, ""
	for range 3 {
		status, v := as(t, "", "GET", s.URL()+"/_soundstage/jobs?limit=1"+next, "")
		require.Equal(t, 200, status)
		seen[v["jobs"].([]any)[0].(map[string]any)["id"]] = true
		if cursor, ok := v["next"].(string); ok {
			next = "&after=" + cursor
		}
	}
	require.Len(t, seen, 3)
	require.Empty(t, jobsOf(t, s, "?resource=none"))
	for query, want := range map[string]string{
		"?status=done": `no status "done"`, "?kind=x": `no kind "x"`, "?class=x": `no class "x"`, "?status=queued,": `no status ""`,
		"?limit=0": "limit must be a number from 1 to 1000", "?limit=1001": "limit must be", "?limit=x": "limit must be", "?limit=": "limit must be",
		"?after=x": "not valid for this list", "?status=queued" + next: "not valid for this list", "?state=queued": `Unknown parameter "state"`,
		"?kind=a&kind=b": "more than once",
	} {
		status, v := as(t, "", "GET", s.URL()+"/_soundstage/jobs"+query, "")
		require.Equal(t, 400, status, query)
		require.Contains(t, v["error"], want)
	}
}

// The public secrets are listed; with own secrets there are none, and the response says why.
func TestSecretsOfWorlds(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{})
	_, v := as(t, "", "GET", s.URL()+"/_soundstage/secrets", "")
	none, other := v["secrets"].([]any)[0].(map[string]any), v["secrets"].([]any)[4].(map[string]any)
	require.Equal(t, map[string]any{"secret": "sk_sandbox_none", "key": none["key"], "tier": "none", "other": false}, none)
	require.Equal(t, map[string]any{"secret": "sk_sandbox_other", "key": other["key"], "tier": "platform", "other": true}, other)
	as(t, "sk_sandbox_other", "GET", s.URL()+"/v1/spaces", "")
	_, v = as(t, "", "GET", s.URL()+"/_soundstage/requests", "")
	require.Equal(t, other["key"], v["requests"].([]any)[0].(map[string]any)["key"])
	_, v = as(t, "", "GET", s.URL()+"/_soundstage/secrets", "")
	require.NotContains(t, v, "reason")
	own := start(t, emulator.Options{Secrets: []emulator.Secret{{Value: "a-secret-of-our-own", Tier: "platform"}}})
	status, _ := as(t, "", "POST", own.URL()+"/_soundstage/worlds", `{"name":"x"}`)
	require.Equal(t, 201, status)
	for _, world := range []string{"", "?world=x"} {
		_, v = as(t, "", "GET", own.URL()+"/_soundstage/secrets"+world, "")
		require.Empty(t, v["secrets"])
		require.Contains(t, v["reason"], "own secrets")
	}
}

// A request is sent again with the caller's secret, to the world that logged it, and a long body is not.
func TestResendRequest(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{})
	status, _ := as(t, "", "POST", s.URL()+"/_soundstage/worlds", `{"name":"x"}`)
	require.Equal(t, 201, status)
	status, _ = as(t, "sk_sandbox_core_x", "POST", s.URL()+"/v1/uploads", anUpload)
	require.Equal(t, 201, status)
	status, v := as(t, "", "POST", s.URL()+"/_soundstage/requests/1/resend?world=x", "")
	require.Equal(t, 200, status, v)
	again := v["request"].(map[string]any)
	require.EqualValues(t, 201, again["status"])
	require.EqualValues(t, 2, again["number"])
	require.Equal(t, "core", again["tier"])
	_, v = as(t, "", "GET", s.URL()+"/_soundstage/requests/2?world=x", "")
	require.Equal(t, again, v["request"])
	_, v = as(t, "", "GET", s.URL()+"/_soundstage/counts?world=x", "")
	require.EqualValues(t, 2, v["counts"].(map[string]any)["uploads"].(map[string]any)["total"])
	status, _ = as(t, "sk_sandbox_core_x", "POST", s.URL()+"/v1/uploads", anUpload+strings.Repeat(" ", 5000))
	require.Equal(t, 201, status)
	status, v = as(t, "", "POST", s.URL()+"/_soundstage/requests/3/resend?world=x", "")
	require.Equal(t, 409, status)
	require.Contains(t, v["error"], "The log has only the first 4096 of ")
	for path, want := range map[string]int{"1": 404, "x/resend": 400, "1/resend": 404, "-1/resend": 400} {
		status, v := as(t, "", "POST", s.URL()+"/_soundstage/requests/"+path, "")
		require.Equal(t, want, status, "%s %v", path, v)
	}
}
