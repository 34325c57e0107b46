package main

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/render"
)

// doctor is `soundstage doctor`.
type doctor struct {
	backendFlags
	storage storageFlags
	data    string
	timeout time.Duration
	noProbe bool
	json    bool
}

func newDoctor(std streams) *cobra.Command {
	var d doctor
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check ffmpeg, fonts, disk, backends, database, and storage, and suggest fixes",
		Long: `Checks what the other commands need, and suggests a fix for each failure. It renders 1 s of video with ffmpeg, with captions in
every language to check the fonts; writes to the disk; and tests the backends that the flags, the environment, and the config
file choose.

Each backend gets one small request, at the provider's price: 1 s of speech to transcribe, or a few words to generate.
--no-probe skips these requests, and so does --replay. Nothing is recorded. The report ends with the settings and the source of
each. It shows whether a key is set, never the key.

With --database and --objects, it also checks what nodes share. Of the database: its version, whether it is the primary, its schema, the
right to create tables, its clock, and the right to write. Of the storage: the rights to list, write, copy, and delete objects,
If-None-Match, and its clock; then it stores, reads, and deletes an object, itself and by the signed addresses that clients use. It
changes no schema, and leaves no object.

` + backendHelp + `
Exit codes: 0 all checks passed, 2 wrong flags or settings, or a missing key, 5 something doesn't work or can't be reached, 8 the
disk is full. The first failure that is printed decides. Warnings don't count.`,
		Example: `  soundstage doctor
  soundstage doctor --transcriber whispercpp --llm openai --llm-url http://127.0.0.1:11434/v1 --llm-model llama3.2
  soundstage doctor --config soundstage.yaml --json
  soundstage doctor --database-file database.txt --objects 's3://media?endpoint=https://s3.example.com&region=eu-west-1'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if d.timeout <= 0 {
				return engine.Errorf(engine.CodeInvalid, "doctor", "--timeout must be greater than zero (got %s).", d.timeout)
			}
			return d.run(cmd, std)
		},
	}
	f := cmd.Flags()
	f.StringVar(&d.data, "data", "", "data `folder` to check; default the folder for temporary files")
	f.DurationVar(&d.timeout, "timeout", 30*time.Second, "longest `time` for each check")
	f.BoolVar(&d.noProbe, "no-probe", false, "send no requests to the backends")
	f.BoolVar(&d.json, "json", false, "print one JSON object")
	d.storage.add(f)
	d.register(f)
	return cmd
}

// finding is the result of one check.
type finding struct {
	Check  string      `json:"check"` // "ffmpeg", "renders", "fonts", "disk", "transcriber", "llm", and those of node.Check
	Status checkStatus `json:"status"`
	Found  string      `json:"found"` // a sentence
	Hints  []string    `json:"hints,omitempty"`
	TookMS int64       `json:"took_ms"`

	code engine.Code // of the failure
}

// checkStatus is the status of a check.
type checkStatus string

const (
	statusOK      checkStatus = "ok"
	statusWarning checkStatus = "warning" // works, but needs attention
	statusFailed  checkStatus = "failed"
	statusSkipped checkStatus = "skipped"
)

// diagnosis is the report of all checks.
type diagnosis struct {
	OK       bool      `json:"ok"`
	Version  string    `json:"version"`
	Checks   []finding `json:"checks"`
	Settings []origin  `json:"settings"`
}

// origin is a setting with its source.
type origin struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"` // "flag", an environment variable, a file and line, or "default"
}

func (d doctor) run(cmd *cobra.Command, std streams) error {
	ctx := cmd.Context()
	asked := d.Config.Record
	d.Config.Record = ""
	made, settingsErr := d.open(cmd)
	d.Config.Record = asked
	out := diagnosis{Version: versionString(), Settings: origins(cmd, made)}
	out.Checks = append(out.Checks, checkFFmpeg(d.withTimeout(ctx)))
	if out.Checks[0].Status == statusOK {
		out.Checks = append(out.Checks, checkRenders(d.withTimeout(ctx))...)
	}
	out.Checks = append(out.Checks, checkDisk(d.data))
	out.Checks = append(out.Checks, d.checkNode(ctx, cmd)...)
	if settingsErr != nil {
		out.Checks = append(out.Checks, failedCheck("backends", settingsErr, 0))
	} else {
		out.Checks = append(out.Checks, d.checkBackends(ctx, made)...)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	out.OK = true
	code := 0
	for _, f := range out.Checks {
		if f.Status == statusFailed && out.OK {
			out.OK, code = false, exitCodes[f.code]
		}
	}
	if d.json {
		e := json.NewEncoder(std.out)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(out); err != nil {
			return err
		}
	} else {
		out.print(std.out)
	}
	if !out.OK {
		return exitStatus{code: max(code, 1)}
	}
	return nil
}

// withTimeout returns a context with the timeout of one check.
func (d doctor) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d.timeout)
}

// checkBackends sends a request to each backend that isn't fake.
func (d doctor) checkBackends(ctx context.Context, made *backends.Backends) []finding {
	health := healthBackends(made.Descriptions)
	all := []finding{
		d.checkBackend(ctx, "transcriber", health.Transcriber, made.NewTranscriber != nil, "words are invented", made.ProbeTranscriber),
		d.checkBackend(ctx, "llm", health.LLM, made.LLM != nil, "texts are invented", made.ProbeLLM),
	}
	for _, notice := range made.Notices {
		all = append(all, finding{Check: "keys", Status: statusWarning, Found: notice, Hints: []string{"Use an https:// URL."}})
	}
	return all
}

func (d doctor) checkBackend(ctx context.Context, name string, b control.Backend, real bool, invented string, probe func(context.Context) backends.Probe) finding {
	description := describeBackend(b)
	switch {
	case !real:
		return finding{Check: name, Status: statusOK, Found: description + ": " + invented + "."}
	case d.Replay != "":
		return finding{Check: name, Status: statusSkipped, Found: description + ": the answers come from " + d.Replay + "."}
	case d.noProbe:
		return finding{Check: name, Status: statusSkipped, Found: description + " was not contacted."}
	}
	ctx, cancel := d.withTimeout(ctx)
	defer cancel()
	p := probe(ctx)
	switch {
	case p.Err != nil:
		f := failedCheck(name, p.Err, p.Took)
		if b.Address != "" && !strings.Contains(f.Found, b.Address) { // the message has the name, but not the address
			f.Found += " Its address is " + b.Address + "."
		}
		return f
	case p.Text == "":
		return finding{Check: name, Status: statusWarning, Found: description + " said nothing: it returned no text.", TookMS: p.Took.Milliseconds(),
			Hints: []string{"The request was 1 s of English speech. Try a longer recording or another model."}}
	}
	return finding{Check: name, Status: statusOK, Found: description + " returned “" + p.Text + "”.", TookMS: p.Took.Milliseconds()}
}

// failedCheck returns the finding for an error, with its cause and what to do.
func failedCheck(check string, err error, took time.Duration) finding {
	f := finding{Check: check, Status: statusFailed, Found: engine.Message(err), TookMS: took.Milliseconds(), code: engine.CodeOf(err)}
	if e, ok := asError(err); ok {
		if e.Err != nil {
			f.Found += " (" + e.Err.Error() + ")"
		}
		if e.Hint != "" {
			f.Hints = []string{e.Hint}
		}
	}
	if len(f.Hints) == 0 {
		f.Hints = []string{adviceFor(check)}
	}
	return f
}

// adviceFor returns what to do about a failed check whose error doesn't say it.
func adviceFor(check string) string {
	switch check {
	case "transcriber", "llm":
		return "Check the URL, the model, and the key, and look into the log of the service. docs/backends.md has examples."
	case "backends":
		return "Correct the setting that the message names: a flag, a variable, or a line of the config file."
	case "ffmpeg", "renders":
		return "Install FFmpeg 4.4 or newer, with libx264 and libass, from your system's packages."
	}
	return "Look at the cause in parentheses, correct it, and run “soundstage doctor” again."
}

// checkFFmpeg checks that ffmpeg and ffprobe are installed and new enough.
func checkFFmpeg(ctx context.Context, cancel context.CancelFunc) finding {
	defer cancel()
	begun := time.Now()
	if err := (render.FFmpeg{}).CheckVersion(ctx); err != nil {
		return failedCheck("ffmpeg", err, time.Since(begun))
	}
	return finding{Check: "ffmpeg", Status: statusOK, Found: ffmpegVersion(ctx) + " and ffprobe.", TookMS: time.Since(begun).Milliseconds()}
}
