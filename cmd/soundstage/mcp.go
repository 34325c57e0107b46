package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/assistant"
	assisted "github.com/soundstage-dev/soundstage/assistant/library"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
)

func newMCP(std streams) *cobra.Command {
	cmd := newMCPLibrary(std)
	cmd.Use = "mcp DIR"
	cmd.Short = "Give assistants the tools of a library or of a sandbox"
	cmd.Long = `Serves the Model Context Protocol on standard input and output, for assistants such as Claude Desktop, VS Code, and Cursor. Without a
subcommand, it serves a library, as “soundstage mcp library” does.`
	cmd.Example = `  soundstage mcp ./lib --root ~/Recordings
  soundstage mcp ./lib --read-only
  soundstage mcp lab --server http://127.0.0.1:8765`
	cmd.AddCommand(newMCPLibrary(std), newMCPLab(std))
	return cmd
}

// mcpLibraryFlags are the parsed flags of `soundstage mcp library`.
type mcpLibraryFlags struct {
	work     workFlags
	roots    []string
	output   string
	urls     bool
	readOnly bool
	create   bool
}

func newMCPLibrary(std streams) *cobra.Command {
	var o mcpLibraryFlags
	cmd := &cobra.Command{
		Use:   "library DIR",
		Short: "Give assistants the tools of a library",
		Long: `Serves the library in a data folder to an assistant on standard input and output, by the Model Context Protocol: tools that add, search,
read, quote, export, and clip recordings, transcripts as resources, and prompts for common jobs.

The assistant adds files only from the folders of --root, and writes files only to the folder of --output. It never replaces a file, and
deletes nothing. The library is open only while a tool needs it, so other commands and other assistants can use it, too.

` + backendHelp + `
Exit codes: 2 wrong flags, 3 no library (see --create), 5 the transcriber doesn't work.`,
		Example: `  soundstage mcp library ./lib --root ~/Recordings --output ~/Clips
  soundstage mcp library ./lib --read-only`,
		Args: exactArgs(1, "the data folder of a library"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], std) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.roots, "root", nil, "`folder` whose files the assistant may add; repeatable; default none")
	f.StringVarP(&o.output, "output", "o", "", "`folder` for exports and clips; default the folder output of the library")
	f.BoolVar(&o.urls, "allow-urls", false, "let the assistant add from URLs")
	f.BoolVar(&o.readOnly, "read-only", false, "leave out the tools that add recordings and write files")
	f.BoolVar(&o.create, "create", false, "begin with an empty library if there is none")
	o.work.addWork(f)
	return cmd
}

func (o *mcpLibraryFlags) run(cmd *cobra.Command, dir string, std streams) error {
	made, err := o.work.backends.open(cmd)
	if err != nil {
		return err
	}
	if err := checkMaxDuration(o.work.maxDuration); err != nil {
		return err
	}
	if o.work.library.data, err = filepath.Abs(dir); err != nil {
		return err
	}
	options, err := o.options(made, std)
	if err != nil {
		return err
	}
	shelf := newShelf(cmd.Context(), &o.work, made, std)
	defer shelf.close()
	options.Use = shelf.use
	return assistant.Serve(cmd.Context(), assisted.New(options), std.in, std.out)
}

// options returns what the flags say. Errors: CodeNotFound (no library, no such folder), CodeInvalid.
func (o *mcpLibraryFlags) options(made *backends.Backends, std streams) (assisted.Options, error) {
	log, err := newLog(o.work.log, std.err)
	if err != nil {
		return assisted.Options{}, err
	}
	all := assisted.Options{Version: versionString(), URLs: o.urls, ReadOnly: o.readOnly, Log: log}
	if !o.create || o.readOnly {
		if err := hasLibrary(o.work.library.data); err != nil {
			return all, engine.Errorf(engine.CodeNotFound, "mcp", "%s", engine.Message(err)).
				WithHint("Check the folder, or create the library: soundstage library add FILE --data DIR.")
		}
	}
	for _, root := range o.roots {
		full, err := filepath.Abs(root)
		if err != nil {
			return all, err
		}
		info, err := os.Stat(full)
		switch {
		case err != nil:
			return all, fileError(root, err)
		case !info.IsDir():
			return all, engine.Errorf(engine.CodeInvalid, "mcp", "--root must be a folder (got %s).", root)
		}
		all.Roots = append(all.Roots, full)
	}
	all.Output, err = filepath.Abs(cmp.Or(o.output, filepath.Join(o.work.library.data, "output")))
	return all, err
}

// use is the assisted.Options.Use of a shelf.
func (s *shelf) use(ctx context.Context, need assisted.Need, fn func(context.Context, assisted.Open) error) error {
	return s.with(ctx, need, func(ctx context.Context, w *worker) error {
		return fn(ctx, assisted.Open{Engine: w.Engine, Me: w.me, Add: func(ctx context.Context, a assisted.Addition) (assisted.Added, error) { return s.add(ctx, w, a) }})
	})
}
