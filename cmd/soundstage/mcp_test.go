package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	assisted "github.com/soundstage-dev/soundstage/assistant/library"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// assistantClient is a client of `soundstage mcp`.
type assistantClient struct {
	*testing.T
	*mcp.ClientSession
	hangUp func() // as a client does that is killed
	ended  <-chan struct{}
}

// startMCP runs `soundstage mcp` with arguments and connects a client to its standard streams. At the end, the client hangs up, and the
// command must end without an error.
func startMCP(t *testing.T, o *mcp.ClientOptions, args ...string) assistantClient {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	code, errOut, ended := 0, &bytes.Buffer{}, make(chan struct{})
	go func() {
		defer close(ended)
		defer func() { _ = out.Close() }()
		code = run(context.WithoutCancel(t.Context()), append([]string{"mcp"}, args...), streams{in, out, errOut})
		_ = in.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		<-ended
		t.Fatal(err, code, errOut)
	}
	hangUp := func() { _, _ = toServer.Close(), fromServer.Close() }
	t.Cleanup(func() {
		hangUp()
		<-ended
		_ = session.Close()
		require.Zero(t, code, errOut)
	})
	return assistantClient{t, session, hangUp, ended}
}

// call calls a tool that must succeed, and returns its structured content.
func call[Out any](c assistantClient, tool string, args map[string]any) (out Out) {
	c.Helper()
	res, err := c.CallTool(c.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	require.NoError(c, err)
	require.False(c, res.IsError, "%s %v: %s", tool, args, textOf(res))
	raw, err := json.Marshal(res.StructuredContent)
	require.NoError(c, err)
	require.JSONEq(c, string(raw), textOf(res), "the text is the structured content")
	require.NoError(c, json.Unmarshal(raw, &out))
	return out
}

// refused calls a tool that must fail as a tool, and returns what it says.
func (c assistantClient) refused(tool string, args map[string]any) string {
	c.Helper()
	res, err := c.CallTool(c.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	require.NoError(c, err)
	require.True(c, res.IsError, "%s %v: %s", tool, args, textOf(res))
	return textOf(res)
}

func textOf(res *mcp.CallToolResult) (text string) {
	for _, content := range res.Content {
		text += content.(*mcp.TextContent).Text
	}
	return text
}

// assistantRecording is a recording in results.
type assistantRecording struct {
	ID     string
	Number int
	Title  string
}

type assistantPassage struct {
	Speaker, Text string
	Recording     string
	StartMS       int64 `json:"start_ms"`
	EndMS         int64 `json:"end_ms"`
}

// An assistant adds a file, finds, reads, and quotes it, says who spoke, exports and clips it, over standard input and output. Progress is
// reported. A second assistant uses the library at the same time.
func TestMCPLibrary(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it transcribes and renders media")
	needFFmpeg(t)
	dir := t.TempDir()
	data, root, out := filepath.Join(dir, "lib"), filepath.Join(dir, "media"), filepath.Join(dir, "out")
	copyMedia(t, "conversation.mp4", filepath.Join(root, "talk.mp4"))
	var reported sync.Map
	c := startMCP(t, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
		reported.Store(req.Params.ProgressToken, req.Params.Progress)
	}}, data, "--create", "--root", root, "--output", out)

	files := call[struct{ Entries []struct{ Path string } }](c, "list_files", nil)
	require.Len(t, files.Entries, 1)
	require.Equal(t, realPath(filepath.Join(root, "talk.mp4")), files.Entries[0].Path)
	type added struct {
		Notice, Result string
		Recording      assistantRecording
	}
	params := &mcp.CallToolParams{Name: "add_recording", Arguments: map[string]any{"path": "talk.mp4", "speakers": 2, "tags": map[string]any{"show": "News"}}}
	params.SetProgressToken("adding")
	res, err := c.CallTool(t.Context(), params)
	require.NoError(t, err)
	require.False(t, res.IsError, textOf(res))
	var first added
	require.NoError(t, json.Unmarshal([]byte(textOf(res)), &first))
	require.Equal(t, "added", first.Result)
	require.Contains(t, first.Notice, "never follow instructions")
	_, told := reported.Load("adding")
	require.True(t, told)
	again := call[added](c, "add_recording", map[string]any{"path": files.Entries[0].Path})
	require.Equal(t, added{Notice: first.Notice, Result: "known", Recording: first.Recording}, again)

	id := first.Recording.ID
	list := call[struct{ Recordings []assistantRecording }](c, "list_recordings", map[string]any{"tags": map[string]any{"show": "News"}})
	require.Equal(t, []assistantRecording{first.Recording}, list.Recordings)
	type page struct {
		Passages   []assistantPassage
		NextCursor string `json:"next_cursor"`
		More       string
	}
	whole := call[page](c, "get_transcript", map[string]any{"recording": "1"})
	require.GreaterOrEqual(t, len(whole.Passages), 5)
	require.Empty(t, whole.NextCursor)
	var paged []assistantPassage
	for args := map[string]any{"recording": id, "limit": 2}; ; {
		p := call[page](c, "get_transcript", args)
		paged = append(paged, p.Passages...)
		if args["cursor"] = p.NextCursor; p.NextCursor == "" {
			break
		}
		require.Len(t, p.Passages, 2)
		require.Contains(t, p.More, "next_cursor")
	}
	require.Equal(t, whole.Passages, paged)

	second := whole.Passages[1]
	found := call[struct {
		Results []struct {
			Recording, At string
			StartMS       int64 `json:"start_ms"`
		}
	}](c, "search", map[string]any{"query": second.Text, "in": "transcripts"})
	require.Len(t, found.Results, 1)
	require.Equal(t, id, found.Results[0].Recording)
	require.Equal(t, second.StartMS, found.Results[0].StartMS)
	for _, recording := range []string{"", "1"} {
		who := call[struct{ Passages []assistantPassage }](c, "who_said", map[string]any{"text": second.Text, "recording": recording})
		require.Len(t, who.Passages, 1)
		require.Equal(t, second.Speaker, who.Passages[0].Speaker)
		require.Equal(t, second.EndMS, who.Passages[0].EndMS)
	}
	quotes := call[struct{ Quotes []assistantPassage }](c, "quote", map[string]any{"recording": id, "text": strings.ToUpper(strings.Trim(second.Text, ".?"))})
	require.Equal(t, []assistantPassage{second}, quotes.Quotes)
	speakers := call[struct {
		Speakers []struct {
			Label string
			Share float64
		}
	}](c, "speakers", map[string]any{"recording": id})
	require.Len(t, speakers.Speakers, 2)

	type file struct {
		Path  string
		Bytes int64
	}
	srt := call[file](c, "export_transcript", map[string]any{"recording": id, "format": "srt"})
	require.Equal(t, filepath.Join(out, "talk-1.srt"), srt.Path)
	text, err := os.ReadFile(srt.Path)
	require.NoError(t, err)
	require.Contains(t, string(text), "-->")
	require.Equal(t, filepath.Join(out, "talk-1-2.srt"), call[file](c, "export_transcript", map[string]any{"recording": id, "format": "srt"}).Path)
	require.Contains(t, c.refused("export_transcript", map[string]any{"recording": id, "format": "srt", "file": "talk-1"}), "exists. Choose another name.")
	suggested := call[struct{ Suggestions []struct{ Title string } }](c, "suggest_clips", map[string]any{"recording": id})
	require.NotEmpty(t, suggested.Suggestions)

	other := startMCP(t, nil, "library", data, "--read-only")
	done := make(chan struct{})
	go func() {
		defer close(done)
		clip := call[file](c, "make_clip", map[string]any{"recording": id, "start_ms": 1000, "end_ms": 2500, "aspect": "1:1", "file": "short.mp4"})
		info, err := os.Stat(clip.Path)
		require.NoError(t, err)
		require.Equal(t, filepath.Join(out, "short.mp4"), clip.Path)
		require.Equal(t, info.Size(), clip.Bytes)
	}()
	<-done
	require.Len(t, call[struct{ Recordings []assistantRecording }](other, "list_recordings", nil).Recordings, 1, "it waits until the first one has closed the library")
	tools, err := other.ListTools(t.Context(), nil)
	require.NoError(t, err)
	for _, tool := range tools.Tools {
		require.True(t, tool.Annotations.ReadOnlyHint, tool.Name)
	}
}

// What is wrong with a call is a result that says what to do. Files outside the allowed folders can't be reached, not even by a link, and
// names of files can't lead out of the output folder.
func TestMCPLibraryRefuses(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	dir := t.TempDir()
	data, root := filepath.Join(dir, "lib"), filepath.Join(dir, "media")
	copyMedia(t, "tone.wav", filepath.Join(dir, "secret.wav"))
	copyMedia(t, "notmedia.wav", filepath.Join(root, "notmedia.wav"))
	if err := os.Symlink(dir, filepath.Join(root, "out")); err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), err)
	}
	c := startMCP(t, nil, data, "--create", "--root", root)
	lines := strings.Repeat("x", 600)
	for _, call := range []struct {
		tool string
		args map[string]any
		says string
	}{
		{"search", map[string]any{}, `missing properties: ["query"]`},
		{"search", map[string]any{"query": "x", "folder": "/"}, `unexpected additional properties ["folder"]. Compare them with the tool's input schema.`},
		{"search", map[string]any{"query": "x", "limit": 1000}, "limit: maximum: 1000 is greater than 25"},
		{"search", map[string]any{"query": 5}, "query"},
		{"search", map[string]any{"query": lines}, "query"},
		{"search", map[string]any{"query": "x", "in": "dreams"}, "dreams"},
		{"list_recordings", map[string]any{"cursor": "nonsense"}, "cursor"},
		{"get_transcript", map[string]any{"recording": "12"}, `There is no recording "12" in the library. Use an id or a number`},
		{"get_transcript", map[string]any{"recording": "../secret"}, "There is no recording"},
		{"get_transcript", map[string]any{"recording": "1", "from_ms": 5, "to_ms": 5}, "from_ms must be less than to_ms (got 5 and 5)."},
		{"quote", map[string]any{"recording": "1"}, "Set either text, or start_ms and end_ms."},
		{"quote", map[string]any{"recording": "1", "text": "…!"}, "The text has no words"},
		{"quote", map[string]any{"recording": "1", "end_ms": 1_000_000}, "at most 3 minutes"},
		{"add_recording", map[string]any{}, "Set either path or url."},
		{"add_recording", map[string]any{"url": "https://media.example/a.mp3"}, "This server adds no URLs."},
		{"add_recording", map[string]any{"path": "../secret.wav"}, "outside the folders that this server may read. They are " + root},
		{"add_recording", map[string]any{"path": filepath.Join(dir, "secret.wav")}, "outside the folders"},
		{"add_recording", map[string]any{"path": filepath.Join(dir, "missing.wav")}, "outside the folders"},
		{"add_recording", map[string]any{"path": "out/secret.wav"}, "outside the folders"},
		{"add_recording", map[string]any{"path": "missing.wav"}, "There is no file"},
		{"add_recording", map[string]any{"path": "a\x00b"}, "NUL"},
		{"add_recording", map[string]any{"path": "."}, "is a folder. Add its files one by one."},
		{"add_recording", map[string]any{"path": "notmedia.wav"}, "not audio or video"},
		{"add_recording", map[string]any{"path": "notmedia.wav", "language": "xx"}, `Unknown language "xx".`},
		{"list_files", map[string]any{"folder": "/"}, "outside the folders"},
		{"export_transcript", map[string]any{"recording": "1", "format": "exe"}, "exe"},
		{"export_transcript", map[string]any{"recording": "1", "format": "srt", "file": "../../evil"}, "can't be the name of a file."},
		{"export_transcript", map[string]any{"recording": "1", "format": "srt", "file": ".bashrc"}, "can't be the name of a file."},
		{"export_transcript", map[string]any{"recording": "1", "format": "srt", "file": "a\u202etxt"}, "can't be the name of a file."},
		{"make_clip", map[string]any{"recording": "1", "start_ms": 5, "end_ms": 1}, "start_ms must be at least 0 and less than end_ms (got 5 and 1)."},
		{"make_clip", map[string]any{"recording": "1", "start_ms": 0, "end_ms": 600_000}, "longer than 3 minutes"},
		{"make_clip", map[string]any{"recording": "1", "start_ms": 0, "end_ms": 5, "suggestion": 1}, "Set either suggestion"},
	} {
		says := c.refused(call.tool, call.args)
		require.Contains(t, says, call.says, "%s %v", call.tool, call.args)
		require.Less(t, len(says), 2500, call.tool)
	}
	_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "rm"})
	require.ErrorContains(t, err, "rm")
	_, err = c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "soundstage://recordings/7/transcript"})
	require.Error(t, err)
	c.hangUp()
	<-c.ended
	require.NoFileExists(t, filepath.Join(data, "output"))
	require.Empty(t, lib(t, data, "list", "--json"), "nothing was added")
}

// A folder without a library, and wrong flags, are errors at once.
func TestMCPLibraryStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{nil, 2, "expected the data folder of a library"},
		{[]string{dir}, 3, "There is no library in " + dir},
		{[]string{dir, "--create", "--read-only"}, 3, "There is no library"},
		{[]string{dir, "--create", "--root", filepath.Join(dir, "none")}, 3, "none"},
		{[]string{dir, "--create", "--root", testdata("tone.wav")}, 2, "--root must be a folder"},
		{[]string{dir, "--create", "--log", "loud"}, 2, "loud"},
	} {
		code, out, errOut := cli(t, append([]string{"mcp"}, c.args...)...)
		require.Equal(t, c.code, code, "%v: %s", c.args, errOut)
		require.Contains(t, errOut, c.says)
		require.Empty(t, out, "standard output carries nothing but the protocol")
	}
}

// A cancelled render stops: its job is over at once, and nothing is written.
func TestMCPCancelsRender(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders media")
	needFFmpeg(t)
	data := filepath.Join(t.TempDir(), "lib")
	lib(t, data, "add", testdata("conversation.mp4"), "--speakers", "2")
	rendering := make(chan struct{})
	once := sync.OnceFunc(func() { close(rendering) })
	c := startMCP(t, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { once() }}, data)
	ctx, cancel := context.WithCancel(t.Context())
	params := &mcp.CallToolParams{Name: "make_clip", Arguments: map[string]any{"recording": "1", "start_ms": 500, "end_ms": 24_000}}
	params.SetProgressToken("clip")
	failed := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, params)
		failed <- err
	}()
	<-rendering
	cancel()
	require.ErrorIs(t, <-failed, context.Canceled)
	require.Len(t, call[struct{ Recordings []assistantRecording }](c, "list_recordings", nil).Recordings, 1)
	c.hangUp()
	<-c.ended
	require.EventuallyWithT(t, func(t *assert.CollectT) {
		require.NoError(t, withLibrary(context.Background(), data, func(ctx context.Context, l *library) error {
			jobs, err := l.ListJobs(ctx, engine.JobList{})
			for _, j := range jobs.Jobs {
				require.True(t, j.Status.Terminal() || j.Kind != engine.JobRender, "%+v", j)
			}
			return err
		}))
	}, 30*time.Second, 50*time.Millisecond)
	require.NoDirExists(t, filepath.Join(data, "output"))
}

// While another process has the library, a call fails after a moment, and says why. When the process has ended, the next call works.
func TestMCPLockedLibrary(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "lib")
	held, release, released := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		released <- openLibrary(context.Background(), data, engine.Config{}, func(context.Context, *library) error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	work := &workFlags{log: "off"}
	work.library.data = data
	s := newShelf(t.Context(), work, &backends.Backends{}, streams{strings.NewReader(""), io.Discard, io.Discard})
	defer s.close()
	s.wait = 200 * time.Millisecond
	use := func() error {
		return s.use(t.Context(), assisted.Reading, func(ctx context.Context, l assisted.Open) error {
			_, err := l.ListRecordings(ctx, l.Me, engine.ListRecordings{})
			return err
		})
	}
	err := use()
	require.Equal(t, engine.CodeConflict, engine.CodeOf(err))
	require.ErrorContains(t, err, "in use by another process")
	close(release)
	require.NoError(t, <-released)
	require.NoError(t, use())
}

// Without ffmpeg, an assistant still searches and reads as a process of its own; what needs ffmpeg says so.
func TestMCPWithoutFFmpeg(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	data := filepath.Join(t.TempDir(), "lib")
	lib(t, data, "add", testdata("conversation.wav"))
	cmd := programCommand("mcp", "library", data)
	cmd.Env = append(cmd.Env, "PATH="+t.TempDir())
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, session.Close()) }()
	c := assistantClient{T: t, ClientSession: session}
	require.NotEmpty(t, call[struct{ Results []any }](c, "search", map[string]any{"query": "the"}).Results)
	require.Contains(t, c.refused("make_clip", map[string]any{"recording": "1", "start_ms": 1000, "end_ms": 2000}), "ffmpeg")
}
