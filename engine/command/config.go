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

// Config says which program is run, and how. Program, Args and Media are required.
type Config struct {
	Program string // without a slash it is looked for in PATH

	// Args are its arguments, in which placeholders stand for what is known of the media:
	//
	//	{wav}             path of the sound: 16 kHz, mono, signed 16-bit
	//	{dir}             the folder that it is in, which is removed afterwards: the place for JSON
	//	{language}        "en", or "auto" when it is to be detected
	//	{known_language}  "en", or nothing when it is to be detected
	//	{speakers}        how many speakers are expected, or nothing
	//	{words}           words to boost, with commas, or nothing
	//	{prompt}          what the media is about, in the user's words, or nothing
	//
	// An argument with a placeholder that stands for nothing is left out, and so is the flag before it, if the argument is the
	// placeholder alone. {words} and {prompt} are users' text: they belong behind their flag, "--prompt={prompt}" or "--prompt", "{prompt}".
	//
	//	whisper-cli: -m model.bin -f {wav} -l {language} -ojf -pp --prompt {prompt}
	//	whisperx:    {wav} --output_format json --output_dir {dir} --language {known_language} --diarize --min_speakers {speakers}
	Args []string

	Media       engine.Media  // decodes the sound
	Env         []string      // names of variables of our environment that the program gets beside the harmless ones: tokens, which Args would show to everybody
	Folder      string        // for temporary files; default the system's
	Timeout     time.Duration // of one run; default four hours
	Concurrency int           // runs at once; default one, as models fill a machine

	// Around, if not nil, gives the JSON of a call in place of the program. run runs the program and returns its answer, or why there is
	// none; Around may keep that, or have no need to call run. The program needn't be there then.
	Around func(ctx context.Context, c Call, run func() ([]byte, error)) ([]byte, error)
}

// Call is what a program is asked, wherever and whenever that is.
type Call struct {
	Program string            // its name, without its folder
	Args    []string          // with {wav} as audio.wav and {dir} as a dot
	Size    int64             // bytes of sound, without the header of the WAV file
	SHA256  [sha256.Size]byte // of them
}

const (
	opNew          = "command.New"
	defaultTimeout = 4 * time.Hour
)

// Transcriber is an engine.Transcriber. It is safe for concurrent use.
type Transcriber struct {
	cfg   Config
	path  string
	slots chan struct{} // one for each run under way
}

var _ engine.Transcriber = (*Transcriber)(nil)

// New returns a Transcriber. CodeInvalid when the arguments can't be right, CodeUnavailable when there is no such program. Nothing is run.
func New(c Config) (*Transcriber, error) {
	if c.Media == nil {
		return nil, engine.Errorf(engine.CodeInvalid, opNew, "No decoder is configured.").WithHint("Set Config.Media.")
	}
	if err := checkArgs(c.Args); err != nil {
		return nil, err
	}
	path, err := find(c.Program)
	if err != nil && (c.Around == nil || engine.CodeOf(err) != engine.CodeUnavailable) {
		return nil, err
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	c.Args = slices.Clone(c.Args)
	return &Transcriber{cfg: c, path: path, slots: make(chan struct{}, max(c.Concurrency, 1))}, nil
}

// find returns where a program is, independent of the folder that we are in.
func find(program string) (string, error) {
	if strings.TrimSpace(program) == "" {
		return "", engine.Errorf(engine.CodeInvalid, opNew, "No program is configured.").WithHint("Set Config.Program, for example to whisper-cli.")
	}
	path, err := exec.LookPath(program)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", engine.Errorf(engine.CodeUnavailable, opNew, "The program %q was not found.", program).Because(err).
			WithHint("Install it, or give its whole path.")
	}
	return path, nil
}
