package emulator_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/render"
)

// slowWAV returns 2 MB of 8-bit mono that claim a sample rate of 1 Hz, so they last 555 h.
func slowWAV() []byte {
	const frames = 2_000_000
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), 36+frames)
	b = binary.LittleEndian.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = append(b, 1, 0, 1, 0)             // PCM, mono
	b = append(b, 1, 0, 0, 0, 1, 0, 0, 0) // 1 Hz, 1 byte per second
	b = append(b, 1, 0, 8, 0)             // 1 byte per frame, 8 bits
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), frames)
	return append(b, bytes.Repeat([]byte{128}, frames)...)
}

// silentFLAC returns silence of 8 kHz and 16 bits in 1.7 bytes per second. claimed is the length in its header. Source: RFC 9639, sections 8.2
// and 9.
func silentFLAC(length, claimed time.Duration) []byte {
	const rate, block = 8000, 65535
	b := append([]byte("fLaC"), 0x80, 0, 0, 34) // the last metadata block: STREAMINFO, of 34 bytes
	b = append(b, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0)
	b = binary.BigEndian.AppendUint64(b, rate<<44|15<<36|uint64(claimed.Seconds()*rate))
	b = append(b, make([]byte, 16)...) // no checksum
	for n := range int(length.Seconds()) * rate / block {
		at := len(b)
		b = utf8.AppendRune(append(b, 0xFF, 0xF8, 0x70, 0x08), rune(n)) // a block of the size below, mono, 16 bits
		b = binary.BigEndian.AppendUint16(b, block-1)
		b = append(b, byte(crc(b[at:], 8, 0x07)), 0, 0, 0) // a subframe with the constant 0
		b = binary.BigEndian.AppendUint16(b, crc(b[at:], 16, 0x8005))
	}
	return b
}

// crc returns a cyclic redundancy check of some bits with a polynomial.
func crc(b []byte, bits int, polynomial uint16) (sum uint16) {
	for _, v := range b {
		sum ^= uint16(v) << (bits - 8)
		for range 8 {
			if sum>>(bits-1)&1 == 1 {
				sum = sum<<1 ^ polynomial
			} else {
				sum <<= 1
			}
		}
	}
	return sum & (1<<bits - 1)
}

// claimed is a sandbox, and an origin of files.
type claimed struct {
	*client
	files  map[string][]byte
	origin string
}

func newClaimed(t *testing.T, o emulator.Options, files map[string][]byte) *claimed {
	origin := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(files[strings.TrimPrefix(r.URL.Path, "/")])
	}))
	t.Cleanup(origin.Close)
	o.AllowPrivateURLs = true
	return &claimed{newClient(t, o), files, origin.URL}
}

// send uploads, imports, and transcribes a file, without waiting for any of it. It returns the paths that show how it ends.
func (h *claimed) send(name string) []string {
	h.t.Helper()
	url := `{"url":"` + h.origin + "/" + name + `"}`
	return []string{
		"/v1/recordings/" + h.upload(name, "audio/wav", h.files[name]) + "/transcript",
		"/v1/imports/" + h.json(202, "POST", "/v1/imports", url)["import_id"].(string),
		"/v1/transcripts/" + h.json(201, "POST", "/v1/transcripts", url)["id"].(string),
	}
}

// failure polls a resource until it has failed, and returns its error. That of a recording is the hint of its transcript. An import whose
// file claims to be short completes, and its recording fails.
func (h *claimed) failure(path string) string {
	h.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		w := h.do("GET", path, "")
		var v map[string]any
		require.NoError(h.t, json.Unmarshal(w.Body.Bytes(), &v), "%s", w.Body)
		if hint := w.Header().Get("X-Soundstage-Hint"); hint != "" {
			return hint
		}
		if message, ok := v["error"].(string); ok && w.Code == http.StatusOK {
			return message
		}
		if id, ok := v["recording_id"].(string); ok {
			return h.failure("/v1/recordings/" + id + "/transcript")
		}
		require.NotEqual(h.t, "completed", v["status"])
		require.True(h.t, time.Now().Before(deadline), "%s: still %s", path, w.Body)
	}
}

// Small files that last for days end with an error that names the limit, uploaded, imported, or transcribed by URL. They keep no
// worker, so the next file is transcribed.
func TestMediaThatClaimsTooMuch(t *testing.T) {
	t.Parallel()
	const days = 30 * time.Hour
	wantRate, wantLength := "The sample rate of the audio must be between 4000 and 384000 Hz (got 1).", "The media must be at most 12 h long."
	for name, c := range map[string]struct {
		options emulator.Options
		files   map[string][]byte
		want    map[string]string
	}{
		"claims": {
			emulator.Options{}, map[string][]byte{"slow.wav": slowWAV(), "silence.flac": silentFLAC(days, days)},
			map[string]string{"slow.wav": wantRate, "silence.flac": wantLength},
		},
		"decoded": {
			emulator.Options{MaxDuration: time.Minute}, map[string][]byte{"lying.flac": silentFLAC(days, time.Second)},
			map[string]string{"lying.flac": "The media must be at most 1m0s long."},
		},
		"without ffmpeg": {
			emulator.Options{FFmpegOptional: true, FFmpeg: render.FFmpeg{FFmpeg: "no-ffmpeg", FFprobe: "no-ffprobe"}},
			map[string][]byte{"slow.wav": slowWAV()}, map[string]string{"slow.wav": wantRate},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newClaimed(t, c.options, c.files)
			paths := map[string][]string{}
			for file := range c.files {
				paths[file] = h.send(file)
			}
			next := h.record("conversation.wav")
			h.eventually("/v1/recordings/"+next, "recording", "transcript_status", "completed")
			for file, paths := range paths {
				for _, path := range paths {
					require.Equal(t, c.want[file], h.failure(path), path)
				}
			}
			for _, p := range h.json(200, "GET", "/_soundstage/clock", "")["pending"].([]any) {
				require.NotContains(t, []any{"import.download", "transcript.download", "transcript.transcribe", "transcript.diarize"}, p.(map[string]any)["kind"])
			}
		})
	}
}
