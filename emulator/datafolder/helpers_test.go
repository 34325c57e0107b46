package datafolder_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// deaf is a transcriber that Restore requires but doesn't call.
type deaf struct{}

func (deaf) Transcribe(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
	return engine.Transcription{}, errors.New("nobody listens")
}

// folder is a data folder with recordings, of which each has a transcript, an output, and a completed render.
type folder struct {
	dir        string
	recordings []engine.RecordingID
}

const recordings = 6

// newFolder fills a data folder. Everything about it is the same each time, except generated ids.
func newFolder(t *testing.T) folder {
	t.Helper()
	f := folder{dir: t.TempDir()}
	store, err := sqlite.OpenWith(t.Context(), filepath.Join(f.dir, "soundstage.db"), sqlite.OpenOptions{NoSync: true})
	require.NoError(t, err)
	blobs, err := files.New(filepath.Join(f.dir, "blobs"), files.Options{NoSync: true})
	require.NoError(t, err)
	e, err := engine.New(engine.Config{Store: store, Blobs: blobs, Media: wav.Media{}, Transcriber: deaf{}})
	require.NoError(t, err)
	me, _, err := emulator.Accounts(t.Context(), e)
	require.NoError(t, err)
	space := engine.ArchiveSpace{ID: emulator.SandboxSpaceID, Speakers: []engine.ArchiveSpeaker{{Speaker: engine.Speaker{Name: "Ada"}, Role: "Host"}}}
	for i := range recordings {
		space.Recordings = append(space.Recordings, engine.ArchiveRecording{
			Recording:  engine.Recording{Title: fmt.Sprintf("Episode %d", i)},
			Transcript: &transcript.Transcript{Language: "en", Utterances: utterances(i)},
			Names:      map[string]string{"Speaker 0": "Ada"},
			Media: func() (io.ReadCloser, error) {
				return os.Open(filepath.Join("..", "..", "testdata", "tone.wav"))
			},
			ContentType: "audio/wav",
		})
	}
	done, err := e.Restore(t.Context(), me, engine.Archive{Spaces: []engine.ArchiveSpace{space}})
	require.NoError(t, err)
	f.recordings = done.Recordings
	for i, id := range f.recordings {
		addResults(t, store, blobs, id, i)
	}
	require.NoError(t, store.Close())
	return f
}

func utterances(i int) []transcript.Utterance {
	var list []transcript.Utterance
	for n := range 10 {
		start := time.Duration(n) * 50 * time.Millisecond
		text := fmt.Sprintf("Needle%d hay%d.", i, n)
		list = append(list, transcript.Utterance{Speaker: "Speaker 0", Text: text, Start: start, End: start + 40*time.Millisecond, Words: []transcript.Word{
			{Text: fmt.Sprintf("Needle%d", i), Start: start, End: start + 20*time.Millisecond, Speaker: "Speaker 0"},
			{Text: fmt.Sprintf("hay%d.", n), Start: start + 20*time.Millisecond, End: start + 40*time.Millisecond, Speaker: "Speaker 0"},
		}})
	}
	return list
}

// addResults adds an output and a completed render to a recording. Nothing reads the render's video as a video.
func addResults(t *testing.T, store *sqlite.Store, blobs *files.Blobs, id engine.RecordingID, i int) {
	t.Helper()
	video := make([]byte, 100_000)
	_, _ = rand.NewChaCha8([32]byte{byte(i)}).Read(video)
	render := engine.Render{
		ID: engine.RenderID(fmt.Sprintf("00000000-0000-4000-8000-00000000000%d", i)), UserID: emulator.SandboxUserID, RecordingID: id,
		Status: engine.RenderCompleted, Style: engine.StyleBars, AspectRatio: engine.AspectSquare, Window: transcript.Window{End: time.Second},
		Progress: 1, Message: "Done.", Size: int64(len(video)), CreatedAt: time.Unix(1e9, 0), UpdatedAt: time.Unix(1e9, 0),
	}
	render.BlobKey = "renders/" + string(render.ID) + "/1"
	w, err := blobs.Create(t.Context(), render.BlobKey, engine.BlobMeta{ContentType: "video/mp4"})
	require.NoError(t, err)
	_, err = w.Write(video)
	require.NoError(t, err)
	_, err = w.Commit()
	require.NoError(t, err)
	output := engine.Output{
		ID: engine.OutputID(fmt.Sprintf("00000000-0000-4000-8000-10000000000%d", i)), RecordingID: id, SpaceID: emulator.SandboxSpaceID,
		Type: engine.OutputDynamic, Name: "Notes", Status: engine.OutputCompleted, Text: fmt.Sprintf("Notes about episode %d.", i),
		CreatedAt: time.Unix(1e9, 0), UpdatedAt: time.Unix(1e9, 0),
	}
	parts, length := search.IndexTerms([]string{output.Text})
	document := search.Document{
		ID: search.NewDocumentID(search.DocumentContent, 1e15, string(output.ID)), Kind: search.DocumentContent, SpaceID: string(output.SpaceID),
		RecordingID: string(id), OutputID: string(output.ID), Length: length,
	}
	require.NoError(t, store.Update(t.Context(), func(tx engine.Tx) error {
		return errors.Join(tx.PutRender(render), tx.PutOutput(output), tx.PutDocument(document, parts))
	}))
}

func needFFmpeg(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("ffmpeg is missing: run `make setup`")
		}
		t.Skip("ffmpeg is missing: run `make setup`")
	}
}

// answer is what a client sees of a request.
type answer struct {
	status int // 0 if the response ended early
	body   string
}

var signature = regexp.MustCompile(`\?[^"]*sig=[^"]*`)

// get sends a request. Signatures and the server's address are left out of the body, because they change.
func get(t *testing.T, url string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return answer{}
	}
	own := req.URL.Scheme + "://" + req.URL.Host
	return answer{resp.StatusCode, strings.ReplaceAll(signature.ReplaceAllString(string(body), ""), own, "")}
}

var assetURL = regexp.MustCompile(`"asset_url":"[^"]*(/storage/[^"]*)"`)

// answers asks a server for everything that the folder has.
func (f folder) answers(t *testing.T, url string) map[string]answer {
	t.Helper()
	paths := []string{
		"/v1/spaces", "/v1/spaces/" + string(emulator.SandboxSpaceID) + "/speakers", "/v1/recordings", "/v1/recordings?title=episode+2", "/v1/recordings?limit=2",
		"/v1/prompts", "/v1/usage", "/v1/webhooks", "/v1/search?query=hay3", "/v1/search?query=needle4", "/v1/search?query=notes",
	}
	for _, id := range f.recordings {
		r := "/v1/recordings/" + string(id)
		paths = append(paths, r, r+"/transcript", r+"/transcript?format=srt", r+"/speakers", r+"/outputs", r+"/clip-suggestions")
	}
	all := map[string]answer{}
	for _, p := range paths {
		all[p] = get(t, url+p)
	}
	for i := range f.recordings {
		p := fmt.Sprintf("/v1/renders/00000000-0000-4000-8000-00000000000%d", i)
		a := get(t, url+p)
		all[p] = a
		raw := rawBody(t, url+p)
		if asset := assetURL.FindStringSubmatch(raw); asset != nil {
			link := url + unescape(asset[1])
			all[p+" part"] = get(t, link, "Range", "bytes=70000-70099")
			all[p+" video"] = get(t, link)
		}
	}
	return all
}

func rawBody(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(body)
}

func unescape(s string) string {
	return string(bytes.ReplaceAll([]byte(s), []byte(`\u0026`), []byte("&")))
}

// flip flips a bit of a file, and changes its modification time: the file system's clock may be coarse.
func flip(t *testing.T, path string, bit int) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	b[bit/8] ^= 1 << (bit % 8)
	require.NoError(t, os.WriteFile(path, b, 0o600))
	later := info.ModTime().Add(time.Second)
	require.NoError(t, os.Chtimes(path, later, later))
}

// flipText flips a bit in each occurrence of a text in a file: some may be in free space.
func flipText(t *testing.T, path, text string) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	changed := append([]byte{text[0] ^ 1}, text[1:]...)
	after := bytes.ReplaceAll(b, []byte(text), changed)
	require.NotEqual(t, b, after, text)
	require.NoError(t, os.WriteFile(path, after, 0o600))
}

// clone returns a copy of the folder.
func (f folder) clone(t *testing.T) folder {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(f.dir)))
	return folder{dir, f.recordings}
}

func (f folder) database() string { return filepath.Join(f.dir, "soundstage.db") }

// file returns the path of the i-th render's video, or of its record.
func (f folder) file(t *testing.T, i int, record bool) string {
	t.Helper()
	base := filepath.Join(f.dir, "blobs", "renders", fmt.Sprintf("00000000-0000-4000-8000-00000000000%d", i), "1")
	if record {
		return base + "@meta"
	}
	found, err := filepath.Glob(base + "@*")
	require.NoError(t, err)
	for _, path := range found {
		if filepath.Base(path) != "1@meta" {
			return path
		}
	}
	t.Fatalf("no video in %q", found)
	return ""
}
