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

// sound is a second of a tone that comes and goes, as a WAV file.
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

// fetch sends a request and returns the JSON of the answer.
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

// record uploads a file and makes a recording of it, whose id it returns.
func record(t testing.TB, base string, c *http.Client, file []byte) string {
	t.Helper()
	v := postJSON(t, c, base+"/v1/uploads", fmt.Sprintf(`{"filename":"a.wav","content_type":"audio/wav","content_size":%d}`, len(file)))
	status, _ := fetch(t, c, "PUT", v["upload_url"].(string), file, "audio/wav")
	require.Equal(t, 200, status)
	v = postJSON(t, c, base+"/v1/recordings", `{"object_id":"`+v["object_id"].(string)+`"}`)
	return v["recording"].(map[string]any)["id"].(string)
}

// transcriptStatus asks for the status of a recording's transcript.
func transcriptStatus(t testing.TB, base string, c *http.Client, id string) string {
	t.Helper()
	return getJSON(t, c, base+"/v1/recordings/"+id)["recording"].(map[string]any)["transcript_status"].(string)
}

// TestNew: one line is a server at an address, with a client that sends the secret, and an engine that has what the client made.
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
	other, err := http.Get(s.URL + "/openapi.yaml") // whoever has the address may come
	require.NoError(t, err)
	require.NoError(t, other.Body.Close())
	require.Equal(t, 200, other.StatusCode)
	s.Reset()
	require.Empty(t, getJSON(t, s.Client(), s.URL+"/v1/recordings")["recordings"])
}

// In a bubble a transcription of 15 minutes, polled every 5 seconds by a client of net/http, is 181 polls, through every state, and
// takes the bubble's time only.
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

// poll asks for a recording as a program does that wants nothing but the status of its transcript.
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

// quarterOfAnHour makes a sandbox and polls a recording until its transcript is there: a second in the queue, and work for the rest.
func quarterOfAnHour(t testing.TB) (id string, polls int, seen []string) {
	s := emulatortest.New(t, emulatortest.WithTranscript(15*time.Minute-time.Second-time.Nanosecond, engine.Transcription{
		Language: "en", Words: []transcript.Word{{Text: "Hello.", Start: 100 * time.Millisecond, End: 400 * time.Millisecond, Speaker: "Speaker 0"}},
	}))
	client := s.Client()
	id = record(t, s.URL, client, sound)
	for {
		synctest.Wait() // whatever is due has settled before the poll
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

// In a bubble the sandbox's own transcriber hears a file without ffmpeg, and takes as long as the hosted service at least does.
func TestBubbleHears(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // where there is no ffmpeg
	synctest.Test(t, func(t *testing.T) {
		s := emulatortest.New(t)
		began := time.Now()
		id := record(t, s.URL, s.Client(), sound)
		s.Wait.Recording(id, "completed")
		require.Equal(t, 3*time.Second, time.Since(began), "a second in the queue, and two of work")
		v := getJSON(t, s.Client(), s.URL+"/v1/recordings/"+id+"/transcript")
		require.NotEmpty(t, v["utterances"])

		out := postJSON(t, s.Client(), s.URL+"/v1/recordings/"+id+"/generate", `{"prompt":"Sum it up."}`)
		require.NotEmpty(t, s.Wait.Output(out["output_id"].(string), "completed").Text)
		chat := postJSON(t, s.Client(), s.URL+"/v1/chat", `{"message":"What is it about?","recording_ids":["`+id+`"]}`)
		require.NotEmpty(t, s.Wait.Chat(chat["chat_id"].(string), "completed").Answer)
	})
}

// The transcript of a file is the same in a bubble, over the network, in every world, and with every clock.
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

// Worlds of tests that share a server have nothing else in common, and end with their tests; a fork begins with what there is.
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

// report is a test of which nothing is known but what it complains of.
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

// fatal ends what finish runs.
type fatal string

func (r *report) Fatalf(format string, args ...any) { panic(fatal(fmt.Sprintf(format, args...))) }

// finish runs a test with its cleanups, and returns what it complains of.
func (r *report) finish(fn func()) (complaints []string) {
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

// A test that leaves an answer open, waits for what can't be, or asks for what there can't be is told so.
func TestComplaints(t *testing.T) {
	t.Parallel()
	for want, fn := range map[string]func(t testing.TB){
		"": func(t testing.TB) {
			s := emulatortest.New(t)
			s.NewWorld(t, control.NewWorld{Name: "a"})
			s.Close()
		},
		"the bodies of 1 answers were never closed: [GET /v1/spaces]": func(t testing.TB) {
			s := emulatortest.New(t)
			_, err := s.Client().Get(s.URL + "/v1/spaces")
			require.NoError(t, err)
			getJSON(t, s.Client(), s.URL+"/v1/recordings")
		},
		"waiting for the recording nothing: No recording with this id": func(t testing.TB) { emulatortest.New(t).Wait.Recording("nothing", "completed") },
		"is error, and will not be completed": func(t testing.TB) {
			s := emulatortest.New(t)
			s.Wait.Recording(record(t, s.URL, s.Client(), []byte("no media")), "completed")
		},
		"is still processing after 1s, and not completed": func(t testing.TB) {
			s := emulatortest.New(t, emulatortest.WithTranscript(time.Hour, engine.Transcription{}), emulatortest.WithWaitLimit(time.Second))
			s.Wait.Recording(record(t, s.URL, s.Client(), sound), "completed")
		},
		"the sandbox can't be started: clock.Parse: There is no clock": func(t testing.TB) { emulatortest.New(t, emulatortest.WithClock("sundial")) },
		"the world can't be made: CreateWorld: There is a world": func(t testing.TB) {
			emulatortest.New(t).NewWorld(t, control.NewWorld{Name: "default"})
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			r := &report{TB: t}
			complaints := r.finish(func() { fn(r) })
			if want == "" {
				require.Empty(t, complaints)
				return
			}
			require.Len(t, complaints, 1)
			require.Contains(t, complaints[0], want)
		})
	}
}

// Without network nobody is there at the address, and the client goes nowhere else.
func TestWithoutNetwork(t *testing.T) {
	t.Parallel()
	s := emulatortest.New(t, emulatortest.WithoutNetwork(), emulatortest.WithOptions(func(o *emulator.Options) { o.Version = "9" }))
	require.Equal(t, "9", getJSON(t, s.Client(), s.URL+"/_soundstage/health")["version"])
	_, err := http.Get(s.URL + "/v1/spaces")
	require.Error(t, err)
	_, err = s.Client().Get("http://example.com/")
	require.ErrorContains(t, err, "no way to example.com:80")
	s.Close()
	_, err = s.Client().Get(s.URL + "/v1/spaces")
	require.Error(t, err)
	require.True(t, strings.HasPrefix(s.URL, "http://127.0.0.1"))
}
