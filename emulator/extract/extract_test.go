package extract_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/extract"
	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/engine"
)

const (
	space, recording = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
	speaker, prompt  = "33333333-3333-4333-8333-333333333333", "44444444-4444-4444-8444-444444444444"
	utterances       = `[{"speaker":"Speaker 0","text":"Hello there.","start":100,"end":1500,"confidence":0.9,"words":[` +
		`{"text":"Hello","start":100,"end":600,"confidence":0.9,"speaker":"Speaker 0"},{"text":"there.","start":700,"end":1500,"confidence":0.9,"speaker":"Speaker 0"}]}]`
)

// exchange returns an exchange; asked is "METHOD path" and, after a space, the body.
func exchange(second int, asked, answer string) *record.Exchange {
	parts := strings.SplitN(asked, " ", 3)
	raw := record.Raw{
		Time: time.Unix(int64(second), 0), Method: parts[0], Path: parts[1], Status: 200, Answer: record.Captured{Data: []byte(answer), Bytes: int64(len(answer))},
		Received: http.Header{"Content-Type": {"application/json"}},
	}
	if len(parts) == 3 {
		raw.Body = record.Captured{Data: []byte(parts[2]), Bytes: int64(len(parts[2]))}
	}
	return record.WithoutSecrets(raw, 1<<20)
}

func recordingJSON(status string) string {
	return fmt.Sprintf(`{"id":%q,"title":"The talk","space":{"id":%q,"name":"Team"},"created_at":"2026-03-01T10:00:00Z","published_at":"2026-03-01T10:00:00Z","language":"en",`+
		`"transcript_status":%q,"duration_minutes":1,"has_transcript":true,"number":7,"episode_number":3,"season_number":null,"rss":null}`, recording, space, status)
}

func recorded() []*record.Exchange {
	return []*record.Exchange{
		exchange(0, "GET /v1/spaces", `{"spaces":[{"id":"`+space+`","name":"Team","language":"en"}],"count":1}`),
		exchange(1, `POST /v1/uploads {"filename":"talk.wav"}`, `{"object_id":"obj_1234567"}`),
		exchange(2, `POST /v1/recordings {"object_id":"obj_1234567"}`, `{"recording":`+recordingJSON("queued")+`}`),
		exchange(3, "GET /v1/recordings/"+recording, `{"recording":`+recordingJSON("completed")+`}`),
		exchange(4, "GET /v1/recordings/"+recording+"/transcript", `{"recording_id":"`+recording+`","language":"en","audio_duration":2,"utterances":`+utterances+`}`),
		exchange(5, "POST /v1/spaces/"+space+`/speakers {"name":"Ada"}`, `{"speaker":{"id":"`+speaker+`","name":"Ada","role":"Host","email":null}}`),
		exchange(6, "GET /v1/recordings/"+recording+"/speakers", `{"speakers":[{"label":"Speaker 0","speaker":{"id":"`+speaker+`","name":"Ada"}}]}`),
		exchange(7, "GET /v1/prompts", `{"space":{"id":"`+space+`","name":"Team"},"prompts":[{"id":"`+prompt+`","name":"Sum","prompt":"Sum up.","type":"dynamic","disabled":false},{"id":"x","type":"quotes"}]}`),
		exchange(8, `POST /v1/transcripts {"url":"https://media.example/a.mp3"}`, `{"id":"t1","status":"queued"}`),
		exchange(10, "GET /v1/transcripts/t1", `{"id":"t1","status":"processing"}`),
		exchange(15, "GET /v1/transcripts/t1", `{"id":"t1","status":"completed","audio_duration":2,"utterances":`+utterances+`}`),
		exchange(16, `POST /v1/imports {"url":"https://media.example/gone.mp4"}`, `{"import_id":"i1","status":"queued"}`),
		exchange(17, "GET /v1/imports/i1", `{"import_id":"i1","status":"error","error":"The file is gone."}`),
		exchange(18, `POST /v1/imports {"url":"https://me:pw@media.example/x"}`, `{"import_id":"i2","status":"queued"}`),
		exchange(19, "GET /v1/chat/c1", `{"chat_id":"c1","status":"completed","answer":"Yes."}`),
	}
}

// A sandbox with the fixture answers as the recorded service: the same recording with its words, speaker, and prompt.
func TestFixture(t *testing.T) {
	t.Parallel()
	e := extract.New()
	for _, x := range recorded() {
		e.Add(x)
	}
	made, err := e.Fixture()
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 2, 2}, []int{made.Spaces, made.Recordings, made.Transcripts, made.Timelines})
	require.Equal(t, []string{"Fixtures can't hold URLs with secrets: 1 response left out.", "Fixtures can't hold answers of chats: 1 response left out."}, made.Notes)
	require.Contains(t, string(made.YAML), "queued 2s → processing 5s → completed")
	require.Contains(t, string(made.YAML), "message: The file is gone.")
	f, err := fixture.Parse(bytes.NewReader(made.YAML), "recorded")
	require.NoError(t, err)
	s, err := emulator.New(t.Context(), emulator.Options{Fixtures: []*fixture.Fixture{f}, FFmpegOptional: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	for path, want := range map[string][]string{
		"/v1/recordings/" + recording:                 {`"title":"The talk"`, `"created_at":"2026-03-01T10:00:00Z"`, `"transcript_status":"completed"`, `"episode_number":3`},
		"/v1/recordings/" + recording + "/transcript": {`"text":"Hello there.","start":100,"end":1500`, `"text":"there.","start":700`},
		"/v1/recordings/" + recording + "/speakers":   {`"label":"Speaker 0","speaker":{"id":"` + speaker},
		"/v1/prompts?space_id=" + space:               {`"id":"` + prompt, `"prompt":"Sum up."`},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL()+path, nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		for _, text := range want {
			require.Contains(t, string(body), text, path)
		}
	}
}

// Words are left out, with a note, when the fixture would be too long; what is still too long, empty, or no valid fixture is an error.
func TestNoFixture(t *testing.T) {
	t.Parallel()
	_, err := extract.New().Fixture()
	require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))

	long := func(words string, n int) (extract.Result, error) {
		e := extract.New()
		e.Limit(8 << 10)
		x := exchange(1, `POST /v1/transcripts {"url":"https://media.example/a.mp3"}`, `{"id":"t1","status":"queued"}`)
		e.Add(x)
		x = exchange(2, "GET /v1/transcripts/t1", "")
		x.ResponseBody.Text = `{"id":"t1","status":"completed","utterances":[{"speaker":"Speaker 0","text":"` + strings.Repeat("word ", n) + `","start":1,"end":20,"words":[` + words + `]}]}`
		e.Add(x)
		return e.Fixture()
	}
	made, err := long(strings.Repeat(`{"text":"word","start":1,"end":2,"confidence":0.9},`, 200)+`{"text":"word","start":1,"end":2}`, 1)
	require.NoError(t, err)
	require.Contains(t, strings.Join(made.Notes, " "), "single words were left out")
	_, err = long("", 2000)
	require.Equal(t, engine.CodeTooLarge, engine.CodeOf(err))

	e := extract.New()
	e.Add(exchange(0, "GET /v1/spaces", `{"spaces":[{"id":"`+space+`","name":"Team","language":"tlh"}]}`))
	_, err = e.Fixture()
	require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
	require.ErrorContains(t, err, "don't make a valid fixture")
}
