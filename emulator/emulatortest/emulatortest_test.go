package emulatortest_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// sound is a WAV file with one second of an intermittent tone.
var sound = func() []byte {
	const samples = transcript.SampleRate
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data")
	b = binary.LittleEndian.AppendUint32(b, 2*samples)
	for i := range samples {
		v := 6000
		if i/40%2 == 0 {
			v = -v
		}
		if i/4000%2 == 1 {
			v = 0
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(v)))
	}
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return b
}()

// fetch sends a request and returns the status and the decoded body.
func fetch(t testing.TB, c *http.Client, method, url string, body []byte, contentType string) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequest(method, url, bytes.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", contentType)
	resp, err := c.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	var v map[string]any
	if len(raw) > 0 {
		require.NoError(t, json.Unmarshal(raw, &v), "%s", raw)
	}
	return resp.StatusCode, v
}

func getJSON(t testing.TB, c *http.Client, url string) map[string]any {
	t.Helper()
	status, v := fetch(t, c, "GET", url, nil, "")
	require.Equal(t, 200, status)
	return v
}

func postJSON(t testing.TB, c *http.Client, url, body string) map[string]any {
	t.Helper()
	status, v := fetch(t, c, "POST", url, []byte(body), "application/json")
	require.Contains(t, []int{200, 201, 202}, status, "%v", v)
	return v
}

// record uploads a file and returns its recording's id.
func record(t testing.TB, base string, c *http.Client, file []byte) string {
	t.Helper()
	v := postJSON(t, c, base+"/v1/uploads", fmt.Sprintf(`{"filename":"a.wav","content_type":"audio/wav","content_size":%d}`, len(file)))
	status, _ := fetch(t, c, "PUT", v["upload_url"].(string), file, "audio/wav")
	require.Equal(t, 200, status)
	v = postJSON(t, c, base+"/v1/recordings", `{"object_id":"`+v["object_id"].(string)+`"}`)
	return v["recording"].(map[string]any)["id"].(string)
}

// transcriptStatus returns the status of a recording's transcript.
func transcriptStatus(t testing.TB, base string, c *http.Client, id string) string {
	t.Helper()
	return getJSON(t, c, base+"/v1/recordings/"+id)["recording"].(map[string]any)["transcript_status"].(string)
}

// New returns a server with a URL, a client that sends the secret, and an engine with the same data.
func TestNew(t *testing.T) {
	t.Parallel()
	s := emulatortest.New(t, emulatortest.WithSeed(5))
	id := record(t, s.URL, s.Client(), sound)
	r := s.Wait.Recording(id, "completed")
	require.Equal(t, engine.RecordingID(id), r.ID)
	require.Equal(t, "completed", transcriptStatus(t, s.URL, s.Client(), id))
	require.Equal(t, "sk_sandbox_platform", s.Secret)
	for secret, want := range map[string]int{"": 401, s.Secrets.None: 403, s.Secrets.Core: 200, s.Secrets.Other: 200} {
		status, _ := fetch(t, s.ClientOf(secret), "GET", s.URL+"/v1/recordings", nil, "")
		require.Equal(t, want, status, "%q", secret)
	}
	other, err := http.Get(s.URL + "/openapi.yaml") // no secret needed
	require.NoError(t, err)
	require.NoError(t, other.Body.Close())
	require.Equal(t, 200, other.StatusCode)
	s.Reset()
	require.Empty(t, getJSON(t, s.Client(), s.URL+"/v1/recordings")["recordings"])
}

// In a bubble, a transcription of 15 minutes polled every 5 seconds takes 181 polls through every state, and only the bubble's
// time.
func TestBubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		id, polls, seen := quarterOfAnHour(t)
		require.Equal(t, 181, polls)
		require.Equal(t, []string{"queued", "processing", "completed"}, seen)
		require.Equal(t, 15*time.Minute, time.Since(began).Truncate(time.Second))
		require.NotEmpty(t, id)
	})
}

// poll gets a recording and returns its transcript's status, decoding nothing else.
func poll(c *http.Client, url string) (status string, err error) {
	resp, err := c.Get(url)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	var v struct {
		Recording struct {
			TranscriptStatus string `json:"transcript_status"`
		} `json:"recording"`
	}
	err = json.NewDecoder(resp.Body).Decode(&v)
	if _, drained := io.Copy(io.Discard, resp.Body); err == nil {
		err = drained
	}
	return v.Recording.TranscriptStatus, err
}

// quarterOfAnHour starts a sandbox and polls a recording until its transcript is complete: 1 s queued and the rest in processing.
func quarterOfAnHour(t testing.TB) (id string, polls int, seen []string) {
	s := emulatortest.New(t, emulatortest.WithTranscript(15*time.Minute-time.Second-time.Nanosecond, engine.Transcription{
		Language: "en", Words: []transcript.Word{{Text: "Hello.", Start: 100 * time.Millisecond, End: 400 * time.Millisecond, Speaker: "Speaker 0"}},
	}))
	client := s.Client()
	id = record(t, s.URL, client, sound)
	for {
		synctest.Wait() // let everything due settle before the poll
		polls++
		status, err := poll(client, s.URL+"/v1/recordings/"+id)
		if err != nil {
			t.Fatal(err)
		}
		if len(seen) == 0 || seen[len(seen)-1] != status {
			seen = append(seen, status)
		}
		if status == "completed" || status == "error" {
			return id, polls, seen
		}
		time.Sleep(5 * time.Second)
	}
}

// In a bubble, the default transcriber works without ffmpeg and takes the hosted service's minimum time.
func TestBubbleHears(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // without ffmpeg
	synctest.Test(t, func(t *testing.T) {
		s := emulatortest.New(t)
		began := time.Now()
		id := record(t, s.URL, s.Client(), sound)
		s.Wait.Recording(id, "completed")
		require.Equal(t, 3*time.Second, time.Since(began), "1 s queued and 2 s in processing")
		v := getJSON(t, s.Client(), s.URL+"/v1/recordings/"+id+"/transcript")
		require.NotEmpty(t, v["utterances"])

		out := postJSON(t, s.Client(), s.URL+"/v1/recordings/"+id+"/generate", `{"prompt":"Sum it up."}`)
		require.NotEmpty(t, s.Wait.Output(out["output_id"].(string), "completed").Text)
		chat := postJSON(t, s.Client(), s.URL+"/v1/chat", `{"message":"What is it about?","recording_ids":["`+id+`"]}`)
		require.NotEmpty(t, s.Wait.Chat(chat["chat_id"].(string), "completed").Answer)
	})
}

// A file's transcript is the same in a bubble, over the network, in memory, and in every world.
func TestSameEverywhere(t *testing.T) {
	t.Parallel()
	text := func(t *testing.T, opts ...emulatortest.Option) string {
		s := emulatortest.New(t, append(opts, emulatortest.WithSeed(9))...)
		w := s.NewWorld(t, control.NewWorld{})
		var said []string
		for _, world := range []*emulatortest.World{s.World, w} {
			id := record(t, s.URL, world.Client(), sound)
			world.Wait.Recording(id, "completed")
			b, err := json.Marshal(getJSON(t, world.Client(), s.URL+"/v1/recordings/"+id+"/transcript")["utterances"])
			require.NoError(t, err)
			said = append(said, string(b))
		}
		require.Equal(t, said[0], said[1])
		return said[0]
	}
	want := text(t)
	require.Contains(t, want, "Speaker 0")
	require.Equal(t, want, text(t, emulatortest.WithoutNetwork()))
	synctest.Test(t, func(t *testing.T) { require.Equal(t, want, text(t)) })
}

// Worlds of tests that share a server are isolated and end with their tests. A fork starts with its parent's data.
func TestWorlds(t *testing.T) {
	t.Parallel()
	s := emulatortest.New(t)
	t.Run("tests", func(t *testing.T) {
		for i := range 3 {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				seed := uint64(i)
				w := s.NewWorld(t, control.NewWorld{Seed: &seed})
				require.Equal(t, "sk_sandbox_platform_"+w.Name, w.Secret)
				require.Empty(t, getJSON(t, w.Client(), s.URL+"/v1/recordings")["recordings"])
				id := record(t, s.URL, w.Client(), sound)
				w.Wait.Recording(id, "completed")
				fork := w.Fork(t)
				require.Equal(t, getJSON(t, w.Client(), s.URL+"/v1/recordings"), getJSON(t, fork.Client(), s.URL+"/v1/recordings"))
				w.Reset()
				require.Empty(t, getJSON(t, w.Client(), s.URL+"/v1/recordings")["recordings"])
				fork.Wait.Recording(id, "completed")
			})
		}
	})
	require.Len(t, s.Sandbox.Worlds(), 1)
	require.Empty(t, getJSON(t, s.Client(), s.URL+"/v1/recordings")["recordings"])
}

// report is a testing.TB that records failures.
type report struct {
	testing.TB
	cleanups []func()
	errors   []string
}

func (r *report) Helper()           {}
func (r *report) Cleanup(fn func()) { r.cleanups = append(r.cleanups, fn) }
func (r *report) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// fatal is the panic that ends the function passed to finish.
type fatal string

func (r *report) Fatalf(format string, args ...any) { panic(fatal(fmt.Sprintf(format, args...))) }

// finish runs a test with its cleanups and returns its failures.
func (r *report) finish(fn func()) (failures []string) {
	func() {
		defer func() {
			if p := recover(); p != nil {
				r.errors = append(r.errors, string(p.(fatal)))
			}
		}()
		fn()
	}()
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.cleanups[i]()
	}
	return r.errors
}

// Open response bodies, waits that can't succeed and invalid options fail the test with a message.
func TestFailures(t *testing.T) {
	t.Parallel()
	for want, fn := range map[string]func(t testing.TB){
		"": func(t testing.TB) {
			s := emulatortest.New(t)
			s.NewWorld(t, control.NewWorld{Name: "a"})
			s.Close()
		},
		"the bodies of 1 responses were not closed: [GET /v1/spaces]": func(t testing.TB) {
			s := emulatortest.New(t)
			_, err := s.Client().Get(s.URL + "/v1/spaces")
			require.NoError(t, err)
			getJSON(t, s.Client(), s.URL+"/v1/recordings")
		},
		"waiting for the recording nothing: No recording with this id": func(t testing.TB) { emulatortest.New(t).Wait.Recording("nothing", "completed") },
		"is error and can't become completed": func(t testing.TB) {
			s := emulatortest.New(t)
			s.Wait.Recording(record(t, s.URL, s.Client(), []byte("no media")), "completed")
		},
		"is still queued after 10ms, not completed": func(t testing.TB) {
			s := emulatortest.New(t, emulatortest.WithClock(emulator.ClockManual), emulatortest.WithWaitLimit(10*time.Millisecond))
			s.Wait.Recording(record(t, s.URL, s.Client(), sound), "completed")
		},
		`the sandbox can't be started: clock.Parse: "sundial" is not a clock mode`: func(t testing.TB) { emulatortest.New(t, emulatortest.WithClock("sundial")) },
		"the world can't be created: CreateWorld: The world": func(t testing.TB) {
			emulatortest.New(t).NewWorld(t, control.NewWorld{Name: "default"})
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			r := &report{TB: t}
			failures := r.finish(func() { fn(r) })
			if want == "" {
				require.Empty(t, failures)
				return
			}
			require.Len(t, failures, 1)
			require.Contains(t, failures[0], want)
		})
	}
}

// Without network, the URL is unreachable for other clients, and the sandbox's client reaches nothing else.
func TestWithoutNetwork(t *testing.T) {
	t.Parallel()
	s := emulatortest.New(t, emulatortest.WithoutNetwork(), emulatortest.WithOptions(func(o *emulator.Options) { o.Version = "9" }))
	require.Equal(t, "9", getJSON(t, s.Client(), s.URL+"/_soundstage/health")["version"])
	_, err := http.Get(s.URL + "/v1/spaces")
	require.Error(t, err)
	_, err = s.Client().Get("http://example.com/")
	require.ErrorContains(t, err, "can't connect to example.com:80")
	s.Close()
	_, err = s.Client().Get(s.URL + "/v1/spaces")
	require.Error(t, err)
	require.True(t, strings.HasPrefix(s.URL, "http://127.0.0.1"))
}
