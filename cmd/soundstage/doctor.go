package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/render"
)

// doctor is `soundstage doctor`.
type doctor struct {
	backendFlags
	data    string
	timeout time.Duration
	noProbe bool
	json    bool
}

func newDoctor(std streams) *cobra.Command {
	var d doctor
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check ffmpeg, fonts, disk and backends, and say what to do",
		Long: `Checks what the other commands need on this machine, and says what to do about whatever fails: ffmpeg, by making a second of
video; fonts, by captions in every language; the disk, by writing to it; and the backends that the flags, the environment and the
config file choose. Each backend is asked once, for a second of speech or an answer of a few words, which costs what that costs at
the provider; --no-probe leaves it out. Nothing is asked of a --replay folder, and nothing is recorded. It ends with the settings
and where each comes from; keys are only told to be set or not.

` + backendHelp + `
Exit codes: 0 all is well, 2 wrong flags, settings or a missing key, 5 something doesn't work or can't be reached, 8 the disk is
full. Of several, the first one that is printed decides. Warnings don't count.`,
		Example: `  soundstage doctor
  soundstage doctor --transcriber whispercpp --llm openai --llm-url http://127.0.0.1:11434/v1 --llm-model llama3.2
  soundstage doctor --config soundstage.yaml --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if d.timeout <= 0 {
				return engine.Errorf(engine.CodeInvalid, "doctor", "--timeout must be longer than nothing.")
			}
			return d.run(cmd, std)
		},
	}
	f := cmd.Flags()
	f.StringVar(&d.data, "data", "", "`folder` that serve is to keep everything in; none checks the one for temporary files")
	f.DurationVar(&d.timeout, "timeout", 30*time.Second, "longest `time` of each check")
	f.BoolVar(&d.noProbe, "no-probe", false, "don't ask the backends anything")
	f.BoolVar(&d.json, "json", false, "print one JSON object")
	d.register(f)
	return cmd
}

// finding is how one check went.
type finding struct {
	Check  string   `json:"check"` // "ffmpeg", "renders", "fonts", "disk", "transcriber", "llm"
	Status verdict  `json:"status"`
	Found  string   `json:"found"` // a sentence
	Hints  []string `json:"hints,omitempty"`
	TookMS int64    `json:"took_ms"`

	code engine.Code // of what failed
}

// verdict is what a check says.
type verdict string

const (
	well    verdict = "ok"
	beware  verdict = "warning" // it works, but somebody should know
	broken  verdict = "failed"
	skipped verdict = "skipped"
)

// diagnosis is everything that was found.
type diagnosis struct {
	OK       bool      `json:"ok"`
	Version  string    `json:"version"`
	Checks   []finding `json:"checks"`
	Settings []origin  `json:"settings"`
}

// origin is a setting and where it comes from.
type origin struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"` // "flag", a variable of the environment, a line of a file, or "default"
}

func (d doctor) run(cmd *cobra.Command, std streams) error {
	ctx := cmd.Context()
	asked := d.Config.Record
	d.Config.Record = ""
	made, settingsErr := d.open(cmd)
	d.Config.Record = asked
	out := diagnosis{Version: versionString(), Settings: origins(cmd, made)}
	out.Checks = append(out.Checks, checkFFmpeg(d.bound(ctx)))
	if out.Checks[0].Status == well {
		out.Checks = append(out.Checks, checkRenders(d.bound(ctx))...)
	}
	out.Checks = append(out.Checks, checkDisk(d.data))
	if settingsErr != nil {
		out.Checks = append(out.Checks, failed("backends", settingsErr, 0))
	} else {
		out.Checks = append(out.Checks, d.checkBackends(ctx, made)...)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	out.OK = true
	code := 0
	for _, f := range out.Checks {
		if f.Status == broken && out.OK {
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

// bound is a context that ends when a check has taken long enough. Its resources go with ctx.
func (d doctor) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d.timeout)
}

// checkBackends asks each backend that isn't a simulation.
func (d doctor) checkBackends(ctx context.Context, made *backends.Backends) []finding {
	told := healthOf(made.Descriptions)
	all := []finding{
		d.checkBackend(ctx, "transcriber", toldOf(told.Transcriber), made.NewTranscriber != nil, "words are invented", made.ProbeTranscriber),
		d.checkBackend(ctx, "llm", toldOf(told.LLM), made.LLM != nil, "texts are invented", made.ProbeLLM),
	}
	for _, notice := range made.Notices {
		all = append(all, finding{Check: "keys", Status: beware, Found: notice, Hints: []string{"Use an address that begins with https."}})
	}
	return all
}

func (d doctor) checkBackend(ctx context.Context, name, told string, real bool, invented string, probe func(context.Context) backends.Probe) finding {
	switch {
	case !real:
		return finding{Check: name, Status: well, Found: told + ": " + invented + "."}
	case d.Replay != "":
		return finding{Check: name, Status: skipped, Found: told + ": the answers come from " + d.Replay + "."}
	case d.noProbe:
		return finding{Check: name, Status: skipped, Found: told + " was not asked."}
	}
	ctx, cancel := d.bound(ctx)
	defer cancel()
	p := probe(ctx)
	switch {
	case p.Err != nil:
		f := failed(name, p.Err, p.Took)
		f.Found = told + ": " + f.Found
		return f
	case p.Said == "":
		return finding{Check: name, Status: beware, Found: told + " answers, but said nothing.", TookMS: p.Took.Milliseconds(),
			Hints: []string{"It was asked about a second of English speech. Try a longer recording, or another model."}}
	}
	return finding{Check: name, Status: well, Found: told + " says “" + p.Said + "”.", TookMS: p.Took.Milliseconds()}
}

// failed is the finding of an error, which tells its cause like the program's own errors do.
func failed(check string, err error, took time.Duration) finding {
	f := finding{Check: check, Status: broken, Found: engine.Message(err), TookMS: took.Milliseconds(), code: engine.CodeOf(err)}
	if e, ok := asError(err); ok {
		if e.Err != nil {
			f.Found += " (" + e.Err.Error() + ")"
		}
		if e.Hint != "" {
			f.Hints = []string{e.Hint}
		}
	}
	return f
}

// checkFFmpeg looks for the programs and their versions.
func checkFFmpeg(ctx context.Context, cancel context.CancelFunc) finding {
	defer cancel()
	begun := time.Now()
	if err := (render.FFmpeg{}).CheckVersion(ctx); err != nil {
		return failed("ffmpeg", err, time.Since(begun))
	}
	return finding{Check: "ffmpeg", Status: well, Found: ffmpegVersion(ctx) + " and ffprobe.", TookMS: time.Since(begun).Milliseconds()}
}
