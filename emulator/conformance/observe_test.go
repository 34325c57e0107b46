package conformance_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/engine"
)

// seenExchange returns an exchange for the observer. request is "METHOD path" and, after a space, the body.
func seenExchange(number int, request string, status int, answer string, header ...string) *record.Exchange {
	parts := strings.SplitN(request, " ", 3)
	path, query, _ := strings.Cut(parts[1], "?")
	raw := record.Raw{
		Time: time.Unix(int64(number), 0), Method: parts[0], Path: path, Query: query, Host: "api.example.com", Storage: strings.HasPrefix(path, "/storage/"),
		Sent: http.Header{"Authorization": {"Bearer recorded"}, "Content-Type": {"application/json"}}, Status: status,
		Received: http.Header{"Content-Type": {"application/json"}}, Answer: record.Captured{Data: []byte(answer), Bytes: int64(len(answer))},
	}
	if len(parts) == 3 {
		raw.Body = record.Captured{Data: []byte(parts[2]), Bytes: int64(len(parts[2]))}
	}
	for i := 0; i+1 < len(header); i += 2 {
		if name, ok := strings.CutPrefix(header[i], ">"); ok {
			raw.Sent.Set(name, header[i+1])
		} else {
			raw.Received.Set(header[i], header[i+1])
		}
	}
	if raw.Sent.Get("Authorization") == "none" {
		raw.Sent.Del("Authorization")
	}
	x := record.WithoutSecrets(raw, 1<<20)
	x.Number = int64(number)
	return x
}

const (
	id1 = "0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11"
	id2 = "0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a12"
	// aRecording is a recording; its status follows.
	aRecording = `{"id":"` + id1 + `","title":"Talk","space":{"id":"s","name":"S"},"created_at":"2026-01-01T00:00:00Z","published_at":"2026-01-01T00:00:00Z","number":1,"has_transcript":false,"rss":null,"transcript_status":`
)

// The table lists exchanges, of which the last confirms one statement when it is as the statement says, and contradicts it otherwise.
func TestObserver(t *testing.T) {
	t.Parallel()
	processing := seenExchange(1, "GET /v1/recordings/"+id1, 200, `{"recording":`+aRecording+`"processing"}}`)
	uploaded := seenExchange(1, `POST /v1/uploads {"filename":"a.wav","content_type":"audio/wav","content_size":2}`, 201, `{"object_id":"obj_1234567","space_id":"s"}`)
	created := seenExchange(2, `POST /v1/recordings {"object_id":"obj_1234567"}`, 201, `{"recording":`+aRecording+`"queued"}}`)
	page := seenExchange(1, "GET /v1/recordings?limit=1", 200, `{"recordings":[`+aRecording+`"queued"}],"count":1,"next_cursor":"c"}`)
	for name, k := range map[string]struct {
		statement string
		before    []*record.Exchange
		right     *record.Exchange
		wrong     *record.Exchange
	}{
		"an unknown recording":      {"recordings.get.unknown", nil, seenExchange(9, "GET /v1/recordings/"+id2, 404, `{"error":"No."}`), seenExchange(9, "GET /v1/recordings/"+id2, 400, `{"error":"No."}`)},
		"a created recording":       {"recordings.create.status-201", nil, created, seenExchange(9, `POST /v1/recordings {"object_id":"o"}`, 200, `{}`)},
		"the same object twice":     {"recordings.create.twice", []*record.Exchange{uploaded, created}, seenExchange(9, `POST /v1/recordings {"object_id":"obj_1234567"}`, 409, `{"error":"x"}`), seenExchange(9, `POST /v1/recordings {"object_id":"obj_1234567"}`, 201, `{}`)},
		"a title":                   {"recording.title.default-filename", []*record.Exchange{uploaded}, seenExchange(9, `POST /v1/recordings {"object_id":"obj_1234567"}`, 201, `{"recording":{"title":"a.wav"}}`), seenExchange(9, `POST /v1/recordings {"object_id":"obj_1234567"}`, 201, `{"recording":{"title":"a"}}`)},
		"the next page":             {"recordings.list.cursor.opens-next-page", []*record.Exchange{page}, seenExchange(9, "GET /v1/recordings?limit=1&cursor=c", 200, `{"recordings":[{"id":"other"}]}`), seenExchange(9, "GET /v1/recordings?limit=1&cursor=c", 200, `{"recordings":[`+aRecording+`"queued"}]}`)},
		"a limit over 100":          {"recordings.list.limit.clamps", nil, seenExchange(9, "GET /v1/recordings?limit=200", 200, `{"recordings":[]}`), seenExchange(9, "GET /v1/recordings?limit=200", 400, `{"error":"x"}`)},
		"a limit of 0":              {"recordings.list.limit.zero", nil, seenExchange(9, "GET /v1/recordings?limit=0", 400, `{"error":"x"}`), seenExchange(9, "GET /v1/recordings?limit=0", 200, `{"recordings":[]}`)},
		"the count of a page":       {"recordings.list.count.of-page", nil, page, seenExchange(9, "GET /v1/recordings", 200, `{"recordings":[],"count":3}`)},
		"a status in an error":      {"recordings.transcript.names-status", []*record.Exchange{processing}, seenExchange(9, "GET /v1/recordings/"+id1+"/transcript", 400, `{"error":"It is processing."}`), seenExchange(9, "GET /v1/recordings/"+id1+"/transcript", 400, `{"error":"Not yet."}`)},
		"a format":                  {"recordings.transcript.content-types", nil, seenExchange(9, "GET /v1/recordings/"+id1+"/transcript?format=srt", 200, "1", "Content-Type", "application/x-subrip; charset=utf-8", "Content-Disposition", `attachment; filename="a.srt"`), seenExchange(9, "GET /v1/recordings/"+id1+"/transcript?format=srt", 200, "1", "Content-Type", "text/plain")},
		"a PUT":                     {"uploads.put.status-200", nil, seenExchange(9, "PUT /storage/obj_1234567", 200, "", "Etag", `"1"`), seenExchange(9, "PUT /storage/obj_1234567", 204, "")},
		"a PUT of another type":     {"uploads.put.wrong-type-403", []*record.Exchange{uploaded}, seenExchange(9, "PUT /storage/obj_1234567 x", 403, "<Error><Code>A</Code></Error>", "Content-Type", "application/xml"), seenExchange(9, "PUT /storage/obj_1234567 x", 200, "")},
		"a blank URL":               {"transcripts.create.blank", nil, seenExchange(9, `POST /v1/transcripts {}`, 400, `{"errors":{"url":["can't be blank"]},"valid":false}`), seenExchange(9, `POST /v1/transcripts {}`, 400, `{"errors":{"url":["is missing"]},"valid":false}`)},
		"seconds":                   {"transcript.audio_duration.seconds", nil, seenExchange(9, "GET /v1/transcripts/"+id1, 200, `{"audio_duration":10,"utterances":[{"end":9500}]}`), seenExchange(9, "GET /v1/transcripts/"+id1, 200, `{"audio_duration":10000,"utterances":[{"end":9500}]}`)},
		"a final state":             {"states.transcript.transitions", []*record.Exchange{seenExchange(1, "GET /v1/transcripts/"+id1, 200, `{"id":"`+id1+`","status":"processing"}`)}, seenExchange(9, "GET /v1/transcripts/"+id1, 200, `{"id":"`+id1+`","status":"error"}`), seenExchange(9, "GET /v1/transcripts/"+id1, 200, `{"id":"`+id1+`","status":"queued"}`)},
		"a chat about too many":     {"chat.create.capped-sentence", nil, seenExchange(9, `POST /v1/chat {"message":"a","recording_ids":[1,2,3,4,5,6,7,8,9,10,11]}`, 400, `{"error":"recording_ids is capped at 10 recordings"}`), seenExchange(9, `POST /v1/chat {"message":"a","recording_ids":[1,2,3,4,5,6,7,8,9,10,11]}`, 422, `{"error":"too many"}`)},
		"a one-off prompt":          {"generate.prompt_id.null-for-one-off", nil, seenExchange(9, "POST /v1/recordings/"+id1+`/generate {"prompt":"a"}`, 202, `{"prompt_id":null}`), seenExchange(9, "POST /v1/recordings/"+id1+`/generate {"prompt":"a"}`, 202, `{"prompt_id":"p"}`)},
		"a long window":             {"renders.create.too-long-400", nil, seenExchange(9, `POST /v1/renders {"start_ms":0,"end_ms":200000}`, 400, `{"error":"x"}`), seenExchange(9, `POST /v1/renders {"start_ms":0,"end_ms":200000}`, 422, `{"error":"x"}`)},
		"an audiogram":              {"renders.audiogram-style", []*record.Exchange{uploaded, created}, seenExchange(9, `POST /v1/renders {"recording_id":"`+id1+`"}`, 202, `{"render":{"style":"audiogram"}}`), seenExchange(9, `POST /v1/renders {"recording_id":"`+id1+`"}`, 202, `{"render":{"style":"captions"}}`)},
		"scores":                    {"suggestions.best-first", nil, seenExchange(9, "GET /v1/recordings/"+id1+"/clip-suggestions", 200, `{"suggestions":[{"score":9},{"score":8}]}`), seenExchange(9, "GET /v1/recordings/"+id1+"/clip-suggestions", 200, `{"suggestions":[{"score":8},{"score":9}]}`)},
		"an unknown label":          {"labels.assign.unknown-label-400", []*record.Exchange{seenExchange(1, "GET /v1/recordings/"+id1+"/speakers", 200, `{"speakers":[{"label":"Speaker 0"}]}`)}, seenExchange(9, "POST /v1/recordings/"+id1+`/speakers/assign {"label":"x","speaker_id":"y"}`, 400, `{"error":"x"}`), seenExchange(9, "POST /v1/recordings/"+id1+`/speakers/assign {"label":"x","speaker_id":"y"}`, 422, `{"error":"x"}`)},
		"a deleted webhook":         {"webhooks.delete.gone", []*record.Exchange{seenExchange(1, "DELETE /v1/webhooks/"+id1, 204, "")}, seenExchange(9, "GET /v1/webhooks/"+id1, 404, `{"error":"x"}`), seenExchange(9, "GET /v1/webhooks/"+id1, 200, `{"webhook":{}}`)},
		"a secret that stays":       {"webhooks.secret-once", nil, seenExchange(9, "GET /v1/webhooks", 200, `{"webhooks":[{"id":"a"}]}`), seenExchange(9, "GET /v1/webhooks", 200, `{"webhooks":[{"secret":"whsec_YQ=="}]}`)},
		"no secret":                 {"auth.missing-401", nil, seenExchange(9, "GET /v1/spaces", 401, `{"error":"x"}`, ">Authorization", "none", "Www-Authenticate", "Bearer"), seenExchange(9, "GET /v1/spaces", 403, `{"error":"x"}`, ">Authorization", "none")},
		"a wrong method":            {"errors.wrong-method", nil, seenExchange(9, "DELETE /v1/spaces", 405, `{"error":"x"}`, "Allow", "GET"), seenExchange(9, "DELETE /v1/spaces", 404, `{"error":"x"}`)},
		"bad JSON":                  {"errors.bad-json", nil, seenExchange(9, "POST /v1/chat {", 400, `{"error":"x"}`), seenExchange(9, "POST /v1/chat {", 422, `{"error":"x"}`)},
		"more members in an error":  {"errors.only-error", nil, seenExchange(9, "GET /v1/spaces", 400, `{"error":"x"}`), seenExchange(9, "GET /v1/spaces", 400, `{"error":"x","code":1}`)},
		"ids":                       {"answers.ids", nil, seenExchange(9, "GET /v1/chat/x", 200, `{"chat_id":"`+id1+`"}`), seenExchange(9, "GET /v1/chat/x", 200, `{"chat_id":"17"}`)},
		"times":                     {"answers.timestamps", nil, seenExchange(9, "GET /v1/outputs/x", 200, `{"created_at":"2026-01-01T00:00:00Z"}`), seenExchange(9, "GET /v1/outputs/x", 200, `{"created_at":"2026-01-01T00:00:00.000Z"}`)},
		"a missing Retry-After":     {"errors.rate-limit", nil, seenExchange(9, "GET /v1/spaces", 429, `{"error":"x"}`, "Retry-After", "1"), seenExchange(9, "GET /v1/spaces", 429, `{"error":"x"}`)},
		"a result of another kind":  {"search.category", nil, seenExchange(9, "GET /v1/search?query=a&category=content", 200, `{"results":[{"kind":"content"}]}`), seenExchange(9, "GET /v1/search?query=a&category=content", 200, `{"results":[{"kind":"recording"}]}`)},
		"progress of a done import": {"import.progress.whole", nil, seenExchange(9, "GET /v1/imports/imp_1234567", 200, `{"status":"completed","progress":1}`), seenExchange(9, "GET /v1/imports/imp_1234567", 200, `{"status":"completed","progress":100}`)},
	} {
		for x, want := range map[*record.Exchange]conformance.Knowledge{k.right: conformance.Confirmed, k.wrong: conformance.Contradicted} {
			o := conformance.NewObserver()
			for _, b := range k.before {
				o.Add(b)
			}
			require.Equal(t, want == conformance.Contradicted, slices.Contains(o.Add(x), k.statement), name)
			d := o.Decision(k.statement)
			require.Equal(t, want, d.Knowledge, name)
			require.True(t, d.Observable)
			require.Contains(t, d.Exchanges, x.Number, name)
			if want == conformance.Contradicted {
				require.NotEmpty(t, d.Expected, name)
				require.Equal(t, x.Number, d.Example.Number)
			}
		}
	}
}

// A large part of the assumed statements can be decided by watching. What the proxy itself answered decides nothing.
func TestObservable(t *testing.T) {
	t.Parallel()
	o := conformance.NewObserver()
	failed := seenExchange(1, "GET /v1/spaces", 502, `{"error":"unreachable"}`)
	failed.Error = "the service can't be reached"
	require.Empty(t, o.Add(failed))
	n := map[conformance.Provenance]int{}
	for _, d := range o.Decisions() {
		require.Equal(t, conformance.NotSeen, d.Knowledge, d.ID)
		if d.Observable {
			n[d.Provenance]++
		}
	}
	require.GreaterOrEqual(t, n[conformance.Assumed], 100)
	t.Log(n)
}

// Evidence from a folder lists what is known now, as text and as JSON.
func TestAgainst(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "recorded")
	r, err := record.Create(dir, record.Options{To: "https://api.example.com"})
	require.NoError(t, err)
	send := func(status int, path, body string) {
		r.Add(record.Raw{
			Time: time.Now(), Method: "GET", Path: path, Sent: http.Header{"Authorization": {"Bearer x"}}, Status: status,
			Received: http.Header{"Content-Type": {"application/json"}}, Answer: record.Captured{Data: []byte(body), Bytes: int64(len(body))},
		})
	}
	send(404, "/v1/recordings/"+id1, `{"error":"No."}`)
	send(400, "/v1/chat/"+id1, `{"error":"No."}`)
	_, err = r.Close()
	require.NoError(t, err)
	e, err := conformance.Against(dir, "*.get.unknown")
	require.NoError(t, err)
	require.Equal(t, 2, e.Exchanges)
	require.Equal(t, 1, e.Count(conformance.Assumed, conformance.Confirmed))
	require.Equal(t, 1, e.Count(conformance.Assumed, conformance.Contradicted))
	require.Empty(t, e.Contradicted(false))
	require.Equal(t, "chat.get.unknown", e.Contradicted(true)[0].ID)
	var text, raw bytes.Buffer
	require.NoError(t, e.Write(&text, "text"))
	require.Contains(t, text.String(), "CONTRADICTED chat.get.unknown (assumed)")
	require.Contains(t, text.String(), "  recordings.get.unknown ")
	require.NoError(t, e.Write(&raw, "json"))
	var v struct {
		Counts     map[string]map[string]int
		Statements []struct{ ID, Knowledge string }
	}
	require.NoError(t, json.Unmarshal(raw.Bytes(), &v))
	require.Equal(t, 1, v.Counts["assumed"]["contradicted"])
	require.NotEmpty(t, v.Statements)
	require.Equal(t, engine.CodeInvalid, engine.CodeOf(e.Write(&raw, "junit")))
	_, err = conformance.Against(dir, "no.such")
	require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
	_, err = conformance.Against(t.TempDir(), "")
	require.Equal(t, engine.CodeNotFound, engine.CodeOf(err))
}
