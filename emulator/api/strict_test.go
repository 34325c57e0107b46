package api_test

import (
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Numbers and booleans in queries have one spelling: decimal digits, true, and false.
func TestStrictQueries(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	id := r.record("tone.wav", media(t, "tone.wav"), nil)
	r.settled("/v1/recordings/"+id, "transcript_status")
	for _, limit := range []string{"%2B5", "0x5", "5_0", "5e0", "+5", "5+", "%EF%BC%95"} {
		require.Contains(t, r.do("GET", "/v1/recordings?limit="+limit, nil).wantError(400), "limit", limit)
		require.Contains(t, r.do("GET", "/v1/search?query=a&limit="+limit, nil).wantError(400), "limit", limit)
	}
	r.do("GET", "/v1/recordings?limit=025", nil).want(200)
	for _, no := range []string{"1", "0", "t", "f", "T", "TRUE", "True", "FALSE", "", "yes"} {
		require.Contains(t, r.do("GET", "/v1/recordings/"+id+"/transcript?include_timestamp="+no, nil).wantError(400), "include_timestamp", no)
		require.Contains(t, r.do("GET", "/v1/recordings/"+id+"/clip-suggestions?generate="+no, nil).wantError(400), "generate", no)
	}
	for _, yes := range []string{"true", "false"} {
		r.do("GET", "/v1/recordings/"+id+"/transcript?include_timestamp="+yes, nil).want(200)
		r.do("GET", "/v1/recordings/"+id+"/clip-suggestions?generate="+yes, nil).want(200)
	}
}

// include_timestamp=false changes txt and no other format.
func TestIncludeTimestamp(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	id := r.record("conversation.wav", media(t, "conversation.wav"), nil)
	r.settled("/v1/recordings/"+id, "transcript_status")
	for _, format := range []string{"json", "txt", "vtt", "srt", "csv", "pdf", "docx"} {
		with := r.do("GET", "/v1/recordings/"+id+"/transcript?format="+format, nil)
		without := r.do("GET", "/v1/recordings/"+id+"/transcript?include_timestamp=false&format="+format, nil)
		require.Equal(t, 200, without.status)
		require.Equal(t, format == "txt", string(with.body) != string(without.body), format)
	}
}

// Assigning and unassigning refuse an unknown label alike.
func TestUnknownLabels(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	id := r.record("conversation.wav", media(t, "conversation.wav"), nil)
	r.settled("/v1/recordings/"+id, "transcript_status")
	space := r.do("GET", "/v1/spaces", nil).want(200)["spaces"].([]any)[0].(map[string]any)["id"].(string)
	speaker := r.do("POST", "/v1/spaces/"+space+"/speakers", map[string]any{"name": "Ann"}).want(201)["speaker"].(map[string]any)["id"]
	for _, verb := range []string{"assign", "unassign"} {
		a := r.do("POST", "/v1/recordings/"+id+"/speakers/"+verb, map[string]any{"label": "Speaker 99", "speaker_id": speaker})
		require.Equal(t, "label is not in the recording's transcript.", a.wantError(400), verb)
	}
	r.do("POST", "/v1/recordings/"+id+"/speakers/unassign", map[string]any{"label": "Speaker 0", "speaker_id": speaker}).wantError(404)
}

// Only callers with a secret learn that a path is unknown or a method is wrong.
func TestSecretComesFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	for _, c := range []struct {
		method, path string
		status       int
	}{{"GET", "/v1/nothing", 404}, {"GET", "/v1/", 404}, {"DELETE", "/v1/spaces", 405}, {"PUT", "/v1/recordings/x", 405}} {
		for _, secret := range []string{"", "sk_sandbox_wrong"} {
			a := r.as(secret).do(c.method, c.path, nil)
			a.wantError(401)
			require.Contains(t, a.header.Get("WWW-Authenticate"), "Bearer")
			require.Empty(t, a.header.Get("Allow"))
		}
		a := r.do(c.method, c.path, nil)
		a.wantError(c.status)
		require.Equal(t, c.status == 405, a.header.Get("Allow") != "")
	}
}

// Every address that is not public is refused with one message, in every spelling.
func TestPrivateAddressesHaveOneMessage(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	const want = "url must resolve to a public address"
	for _, host := range []string{
		"127.0.0.1", "127.0.0.1:9999", "127.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.1", "127.0.0.01", "0", "0x0", "127.0.0.1.",
		"localhost", "localhost.", "LOCALHOST", "10.1.2.3", "10.1.2.3:22", "169.254.169.254", "192.168.0.1", "172.16.0.1", "100.64.0.1",
		"[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::1%25lo]", "[fe80::1%25eth0]", "[::127.0.0.1]", "[fd00::1]", "[64:ff9b::7f00:1]",
		"127。0。0。1", "１２７.0.0.1", "①②⑦.⓪.⓪.①",
	} {
		url := "http://" + host + "/a.mp3"
		assert.Equal(t, want, errorOf(t, r.do("POST", "/v1/imports", map[string]any{"url": url})), url)
		assert.Equal(t, want, errorOf(t, r.do("POST", "/v1/webhooks", map[string]any{"url": url, "events": []string{"output.completed"}})), url)
	}
}

// errorOf returns the message of a 400.
func errorOf(t *testing.T, a answer) string {
	t.Helper()
	var v struct{ Error string }
	require.NoError(t, json.Unmarshal(a.body, &v), "%s", a.body)
	if a.status != 400 {
		return string(a.body)
	}
	return v.Error
}

// audio_duration is rounded half up from the exact number of samples, once: 1.49975 s is 1 s, though it is 1.500 s in milliseconds.
func TestAudioDurationIsRoundedOnce(t *testing.T) {
	slow.Skip(t, "it transcribes many lengths")
	t.Parallel()
	r := newRig(t, emulator.Options{})
	for samples, want := range map[int]float64{11_998: 1, 11_999: 1, 12_000: 2, 12_001: 2} {
		id := r.record("short.wav", wavOf(samples), nil)
		r.settled("/v1/recordings/"+id, "transcript_status")
		require.Equal(t, want, r.do("GET", "/v1/recordings/"+id+"/transcript", nil).want(200)["audio_duration"], samples)
	}
}

// wavOf returns WAV with 8,000 samples per second of 8 bits.
func wavOf(samples int) []byte {
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data")
	binary.LittleEndian.PutUint32(b[4:], uint32(36+samples))
	b = binary.LittleEndian.AppendUint32(b, uint32(samples))
	for i := range samples {
		b = append(b, byte(100+i%18*3))
	}
	return b
}
