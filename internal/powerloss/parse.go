package powerloss

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// recorded lists the system calls that change files or folders, or make them durable.
const recorded = "open,openat,creat,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,fallocate,copy_file_range,sendfile,splice," +
	"rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir,fsync,fdatasync"

// Strace returns the arguments with which strace records a program's file operations in log. The program and its arguments follow.
func Strace(log string) []string {
	return []string{"-f", "--seccomp-bpf", "-y", "-ttt", "-xx", "-s", "4194304", "-e", "signal=none", "-e", "trace=" + recorded, "-o", log, "--"}
}

// call is a system call.
type call struct {
	name   string
	args   []string
	result string // for example "0", "-1 ENOENT (…)", or "5</path>"
}

// event is the begin or the end of a call. A call that takes effect has taken effect at its end.
type event struct {
	call  *call
	ended bool
	at    time.Time
}

// Trace is a list of file operations.
type Trace struct {
	root   string
	skip   func(path string) bool
	events []event
}

// Len returns the number of moments at which Crash can be called.
func (t *Trace) Len() int { return len(t.events) }

// Time returns the wall-clock time of a moment. What happened earlier in the program happened before that moment.
func (t *Trace) Time(at int) time.Time { return t.events[at].at }

// Parse reads what strace recorded with the arguments of Strace. The folder root must have been empty at the start. Paths that skip
// reports, relative to root, are left out with everything below them.
func Parse(log, root string, skip func(path string) bool) (*Trace, error) {
	file, err := os.Open(log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	t := &Trace{root: filepath.Clean(root), skip: skip}
	p := parser{trace: t, open: map[string]*call{}, about: t.root + "/"}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		if err := p.line(lines.Text()); err != nil {
			return nil, fmt.Errorf("powerloss: line %d: %w", n, err)
		}
	}
	return t, lines.Err()
}

// parser reads lines. A call that another thread interrupts has two: "PID TIME NAME(ARGS <unfinished ...>" and
// "PID TIME <... NAME resumed>) = RESULT".
type parser struct {
	trace *Trace
	open  map[string]*call // by thread; nil for one that doesn't concern the root
	about string
}

var (
	lineParts = regexp.MustCompile(`^(\d+) +(\d+)\.(\d{6}) (.*)$`)
	callParts = regexp.MustCompile(`^(\w+)\((.*?)(?: <unfinished \.\.\.>|\) += (.*))$`)
	resumed   = regexp.MustCompile(`^<\.\.\. \w+ resumed>(.*)\) += (.*)$`)
)

func (p *parser) line(text string) error {
	parts := lineParts.FindStringSubmatch(text)
	if parts == nil {
		return fmt.Errorf("unexpected text %.100q", text)
	}
	thread, rest := parts[1], parts[4]
	seconds, _ := strconv.ParseInt(parts[2], 10, 64)
	micros, _ := strconv.ParseInt(parts[3], 10, 64)
	at := time.Unix(seconds, micros*1000)
	if m := resumed.FindStringSubmatch(rest); m != nil {
		if c := p.open[thread]; c != nil {
			c.args, c.result = append(c.args, split(m[1])...), m[2]
			p.add(c, true, at)
		}
		delete(p.open, thread)
		return nil
	}
	m := callParts.FindStringSubmatch(rest)
	if m == nil {
		return nil // the exit of a process, or a signal
	}
	c := &call{name: m[1], args: split(m[2]), result: m[3]}
	if c.name == "open" { // by programs without cgo
		c.name, c.args = "openat", append([]string{"AT_FDCWD</>"}, c.args...)
	}
	if !p.concerns(c) {
		c = nil
	}
	if m[3] == "" {
		p.open[thread] = c
	}
	if c != nil {
		p.add(c, false, at)
		if m[3] != "" {
			p.add(c, true, at)
		}
	}
	return nil
}

func (p *parser) add(c *call, ended bool, at time.Time) {
	p.trace.events = append(p.trace.events, event{c, ended, at})
}

// concerns reports whether a call can change something below the root, or make it durable.
func (p *parser) concerns(c *call) bool {
	if c.name == "openat" && !strings.Contains(c.args[2], "O_CREAT") && !strings.Contains(c.args[2], "O_TRUNC") {
		return false
	}
	for i := range c.args {
		if path, ok := c.path(i); ok && (path == p.trace.root || strings.HasPrefix(path, p.about)) {
			return p.trace.skip == nil || !p.trace.skip(strings.TrimPrefix(strings.TrimPrefix(path, p.trace.root), "/"))
		}
	}
	return false
}

// split splits arguments. All texts in them are hexadecimal, so a comma always separates.
func split(args string) []string {
	args = strings.TrimPrefix(strings.TrimSpace(args), ", ")
	if args == "" {
		return nil
	}
	return strings.Split(args, ", ")
}

// path returns the path of an argument: a descriptor with its path, or a name after the descriptor of its folder.
func (c *call) path(i int) (string, bool) {
	arg := c.args[i]
	if from := strings.IndexByte(arg, '<'); from >= 0 && strings.HasSuffix(arg, ">") {
		return unescape(arg[from+1 : len(arg)-1]), true // a deleted file ends with "(deleted)" instead
	}
	if c.name == "write" || c.name == "pwrite64" || !strings.HasPrefix(arg, `"`) {
		return "", false
	}
	name := unescape(strings.Trim(arg, `"`))
	if !filepath.IsAbs(name) && i > 0 {
		if folder, ok := c.path(i - 1); ok {
			name = filepath.Join(folder, name)
		}
	}
	return name, true
}

// data returns the bytes of a text argument.
func (c *call) data(i int) []byte { return []byte(unescape(strings.Trim(c.args[i], `"`))) }

// number returns a number argument.
func (c *call) number(i int) (int64, error) { return strconv.ParseInt(c.args[i], 0, 64) }

// unescape decodes \x2f\x74….
func unescape(text string) string {
	raw, err := hex.DecodeString(strings.ReplaceAll(text, `\x`, ""))
	if err != nil {
		return text
	}
	return string(raw)
}
