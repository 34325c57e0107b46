package library

import (
	"cmp"
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/assistant"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// addWriting adds the tools that add recordings and write files.
func (t *tools) addWriting(s *mcp.Server) {
	assistant.Add(s, assistant.Tool[filesIn, filesOut]{
		Name: "list_files", Title: "List files to add", Run: t.files, Log: t.Log,
		Description: "Lists the audio and video files, and the folders, of a folder from which files may be added.",
		Limits:      assistant.Limits{"folder": aPath, "cursor": aPath, "limit": assistant.Default(50, assistant.Between(1, 200))},
	})
	assistant.Add(s, assistant.Tool[addIn, addOut]{
		Name: "add_recording", Title: "Add a recording", Effect: assistant.Sets, Open: t.URLs, Run: t.add, Log: t.Log,
		Description: "Adds an audio or video file and transcribes it, which can take minutes. Adding the same file again changes nothing. If the call is cancelled, the recording is not kept.",
		Limits: assistant.Limits{
			"path": aPath, "url": aPath, "language": assistant.Length(0, 10), "speakers": assistant.Between(0, engine.MaxSpeakersExpected), "tags": assistant.Entries(20),
		},
	})
	assistant.Add(s, assistant.Tool[exportIn, fileOut]{
		Name: "export_transcript", Title: "Export a transcript", Effect: assistant.Adds, Run: t.export, Log: t.Log,
		Description: "Writes a recording's transcript as a file: text, captions, a document, or a timeline for video editors. Files are never replaced.",
		Limits:      assistant.Limits{"recording": aRecording, "format": assistant.OneOf(formatNames()...), "file": aFile},
	})
	assistant.Add(s, assistant.Tool[clipIn, clipOut]{
		Name: "make_clip", Title: "Make a clip", Effect: assistant.Adds, Run: t.clip, Log: t.Log,
		Description: "Renders a part of a recording as an MP4 with captions, which can take minutes: a range of at most 3 minutes, or a suggestion of suggest_clips. It snaps to whole words. Files are never replaced.",
		Limits: assistant.Limits{
			"recording": aRecording, "start_ms": aTime, "end_ms": aTime, "suggestion": assistant.Between(0, 20), "title": assistant.Length(0, 200), "file": aFile,
			"style": assistant.OneOf(engine.RenderStyles()...), "aspect": assistant.OneOf(engine.AspectRatios()...), "target": assistant.OneOf(engine.Targets()...),
		},
	})
}

// Limits of arguments.
var (
	aPath = assistant.Length(0, 4096)
	aFile = assistant.Length(0, 120)
)

func formatNames() (names []string) {
	for _, f := range formats.All() {
		names = append(names, f.Name)
	}
	return names
}

type addIn struct {
	Path     string            `json:"path,omitempty" jsonschema:"file to add, in one of the allowed folders; a relative path is in the first of them"`
	URL      string            `json:"url,omitempty" jsonschema:"address to download from, instead of path"`
	Language string            `json:"language,omitempty" jsonschema:"code of the language that is spoken, such as de; default the file's language tag, otherwise en"`
	Speakers int               `json:"speakers,omitempty" jsonschema:"expected number of speakers; default is to find out"`
	Tags     map[string]string `json:"tags,omitempty" jsonschema:"names and values to find the recording by"`
}

type addOut struct {
	assistant.Untrusted
	Recording recording `json:"recording"`
	Result    string    `json:"result" jsonschema:"added, known (it was there before), or changed (it was there before, and the file has changed since)"`
}

func (t *tools) add(ctx context.Context, call assistant.Call, in addIn) (*addOut, error) {
	const op = "add_recording"
	a := Addition{URL: in.URL, Progress: call.Progress, Settings: engine.NewRecording{
		Language: transcript.Language(in.Language), DetectLanguage: in.Language == "", SpeakersExpected: in.Speakers, Tags: engine.Tags{Metadata: in.Tags},
	}}
	switch {
	case (in.Path == "") == (in.URL == ""):
		return nil, engine.Errorf(engine.CodeInvalid, op, "Set either path or url.")
	case in.URL != "" && !t.URLs:
		return nil, engine.Errorf(engine.CodeForbidden, op, "This server adds no URLs.").WithHint("Ask the user to download the file, or to start soundstage mcp with --allow-urls.")
	case in.Language != "" && !a.Settings.Language.Supported():
		return nil, engine.Errorf(engine.CodeInvalid, op, "Unknown language %.20q.", in.Language).WithHint("Use a code such as en or de, or leave it out.")
	}
	err := a.Settings.Tags.Validate()
	if err == nil && in.Path != "" {
		a.Path, err = t.allowed(in.Path)
	}
	if err != nil {
		return nil, err
	}
	return use(ctx, t, Rendering, func(ctx context.Context, l Open) (*addOut, error) {
		added, err := l.Add(ctx, a)
		if err != nil {
			return nil, err
		}
		out := &addOut{Recording: describe(added.Recording), Result: "added"}
		switch {
		case added.Changed:
			out.Result = "changed"
		case added.Known:
			out.Result = "known"
		}
		return out, nil
	})
}

type exportIn struct {
	Recording recordingName `json:"recording" jsonschema:"id or number of the recording"`
	Format    string        `json:"format" jsonschema:"format of the file"`
	File      string        `json:"file,omitempty" jsonschema:"name of the file, without a folder; default the title"`
}

type fileOut struct {
	assistant.Untrusted
	ref
	Path  string `json:"path" jsonschema:"of the file that was written"`
	Bytes int64  `json:"bytes"`
}

func (t *tools) export(ctx context.Context, _ assistant.Call, in exportIn) (*fileOut, error) {
	f, ok := formats.Lookup(in.Format)
	if !ok {
		return nil, engine.Errorf(engine.CodeInvalid, "export_transcript", "Unknown format %.40q.", in.Format).WithHint("Use one of " + strings.Join(formatNames(), ", ") + ".")
	}
	if err := t.checkFile(in.File); err != nil {
		return nil, err
	}
	return use(ctx, t, Reading, func(ctx context.Context, l Open) (*fileOut, error) {
		rt, err := l.read(ctx, in.Recording)
		if err != nil {
			return nil, err
		}
		options := formats.Options{Title: rt.Recording.Title, Names: rt.Names, RecordingID: string(rt.Recording.ID)}
		if id := rt.Recording.ExternalID; !strings.Contains(id, "://") {
			options.Media = id
		}
		w, err := t.create(cmp.Or(in.File, Stem(rt.Recording.Title, rt.Recording.Number)), f.Extension, in.File != "")
		if err != nil {
			return nil, err
		}
		return t.written(w, rt.Recording, f.Write(w, rt.Transcript, options))
	})
}

// written returns a file that is complete, or removes it after an error.
func (t *tools) written(w *output, r engine.Recording, err error) (*fileOut, error) {
	size, err := w.finish(err)
	if err != nil {
		return nil, err
	}
	return &fileOut{ref: refer(r), Path: w.path, Bytes: size}, nil
}
