package command

import (
	"context"
	"crypto/sha256"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Config configures the program and its runs. Program, Args, and Media are required.
type Config struct {
	Program string // searched in PATH unless it contains a slash

	// Args are the program's arguments. They may contain placeholders:
	//
	//	{wav}             path of the WAV file: 16 kHz, mono, signed 16-bit
	//	{dir}             folder of the WAV file, for the program's JSON; removed afterwards
	//	{language}        "en", or "auto" to detect the language
	//	{known_language}  "en", or empty to detect the language
	//	{speakers}        expected number of speakers, or empty
	//	{words}           boosted words, separated by commas, or empty
	//	{prompt}          the user's description of the media, or empty
	//
	// An argument with an empty placeholder is left out. So is the flag before it, if the argument is only the placeholder. {words} and
	// {prompt} are users' text and must follow a flag: "--prompt={prompt}", or "--prompt", "{prompt}".
	//
	//	whisper-cli: -m model.bin -f {wav} -l {language} -ojf -pp --prompt {prompt}
	//	whisperx:    {wav} --output_format json --output_dir {dir} --language {known_language} --diarize --min_speakers {speakers}
	Args []string

	Media       engine.Media  // decodes the sound
	Env         []string      // environment variables to pass on besides the safe ones, such as tokens, which Args would show to other users
	Folder      string        // for temporary files; default the system's
	Timeout     time.Duration // of one run; default 4 h
	Concurrency int           // concurrent runs; default 1, because a model can use a whole machine

	// Wrap, if not nil, wraps every call, for example to record or replay it. It returns the JSON of the call; run runs the program
	// and returns its JSON. If Wrap never calls run, the program needn't be installed.
	Wrap func(ctx context.Context, c Call, run func() ([]byte, error)) ([]byte, error)
}

// Call describes a run of a program independently of the machine.
type Call struct {
	Program string            // name without folder
	Args    []string          // {wav} is "audio.wav", and {dir} is "."
	Size    int64             // bytes of sound, without the WAV header
	SHA256  [sha256.Size]byte // of the sound
}

const (
	opNew          = "command.New"
	defaultTimeout = 4 * time.Hour
)

// Transcriber is an engine.Transcriber. It is safe for concurrent use.
type Transcriber struct {
	cfg   Config
	path  string
	slots chan struct{} // holds a value for each current run
}

var _ engine.Transcriber = (*Transcriber)(nil)

// New returns a Transcriber. It returns CodeInvalid for invalid arguments, and CodeUnavailable if the program doesn't exist. It doesn't
// run the program.
func New(c Config) (*Transcriber, error) {
	if c.Media == nil {
		return nil, engine.Errorf(engine.CodeInvalid, opNew, "No decoder is configured.").WithHint("Set Config.Media.")
	}
	if err := checkArgs(c.Args); err != nil {
		return nil, err
	}
	path, err := findProgram(c.Program)
	if err != nil && (c.Wrap == nil || engine.CodeOf(err) != engine.CodeUnavailable) {
		return nil, err
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	c.Args = slices.Clone(c.Args)
	return &Transcriber{cfg: c, path: path, slots: make(chan struct{}, max(c.Concurrency, 1))}, nil
}

// findProgram returns the absolute path of a program.
func findProgram(program string) (string, error) {
	if strings.TrimSpace(program) == "" {
		return "", engine.Errorf(engine.CodeInvalid, opNew, "No program is configured.").WithHint("Set Config.Program, for example to whisper-cli.")
	}
	path, err := exec.LookPath(program)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", engine.Errorf(engine.CodeUnavailable, opNew, "The program %q was not found.", program).Because(err).
			WithHint("Install it, or use its full path.")
	}
	return path, nil
}
