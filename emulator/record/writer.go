package record

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Options configure a Recorder. Zero values are the defaults.
type Options struct {
	To      string // address of the service
	Program string // version of this program

	MaxBody      int           // most bytes of a body to keep; default 1 MiB
	MaxExchanges int64         // most exchanges in the folder; default 100,000
	MaxBytes     int64         // most bytes in the folder; default 1 GiB
	MaxTime      time.Duration // how long to record; default 24 h

	Seen   func(*Exchange)    // is called with each exchange, recorded or not, in order; default nothing
	Notice func(notice error) // is called when exchanges begin to be lost or left out; default nothing
}

// Defaults of Options.
const (
	DefaultMaxBody      = 1 << 20
	DefaultMaxExchanges = 100_000
	DefaultMaxBytes     = 1 << 30
	DefaultMaxTime      = 24 * time.Hour
)

func (o Options) withDefaults() Options {
	if o.MaxBody <= 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.MaxExchanges <= 0 {
		o.MaxExchanges = DefaultMaxExchanges
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.MaxTime <= 0 {
		o.MaxTime = DefaultMaxTime
	}
	if o.Seen == nil {
		o.Seen = func(*Exchange) {}
	}
	if o.Notice == nil {
		o.Notice = func(error) {}
	}
	return o
}

// waiting is the number of exchanges that wait to be recorded. When so many wait, Add blocks.
const waiting = 256

// Summary says what a Recorder did.
type Summary struct {
	Recorded int64 `json:"recorded"`
	Left     int64 `json:"left_out"` // because a limit was reached
	Lost     int64 `json:"lost"`     // because they couldn't be written
	Cut      int64 `json:"cut"`      // recorded without a whole body; uploads don't count
}

// Recorder writes exchanges to a folder. It masks and writes in its own goroutine. It is safe for concurrent use.
type Recorder struct {
	options Options
	queue   chan Raw
	done    chan struct{}
	began   time.Time

	mu     sync.RWMutex // Add reads closed, Close writes it
	closed bool
	late   atomic.Int64 // exchanges that ended after Close

	// The goroutine alone uses these until done is closed.
	file    *os.File // nil without a folder
	unlock  func() error
	offset  int64
	number  int64
	names   map[string]bool // see masker
	summary Summary
	told    error // the last notice
	failed  error // why exchanges were lost, or the folder couldn't be closed
}

// Create begins or continues the recording in a folder, which it creates if necessary. With dir "", nothing is written, and only Options.Seen
// sees the exchanges. CodeUnavailable when the folder can't be written, CodeConflict when another process records in it or it belongs to another
// service, CodeInvalid when it has another version or is damaged.
func Create(dir string, o Options) (*Recorder, error) {
	r := &Recorder{options: o.withDefaults(), queue: make(chan Raw, waiting), done: make(chan struct{}), began: time.Now(), names: map[string]bool{}}
	if dir != "" {
		if err := r.open(dir); err != nil {
			return nil, err
		}
	}
	go r.run()
	return r, nil
}

// MaxBody returns the number of bytes of a body that are kept.
func (r *Recorder) MaxBody() int { return r.options.MaxBody }

func unwritable(dir string, err error) error {
	return engine.Errorf(engine.CodeUnavailable, op, "The folder %s can't be written.", dir).
		WithHint("Choose a folder that you may write to, on a disk with space.").Because(err)
}

func (r *Recorder) open(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return unwritable(dir, err)
	}
	m, err := readManifest(dir)
	switch {
	case engine.CodeOf(err) == engine.CodeNotFound:
		m = Manifest{Format: Format, Version: Version, Program: r.options.Program, To: r.options.To, Started: r.began.UTC().Truncate(time.Second)}
		if err := refuseForeign(dir); err != nil {
			return err
		}
		if err := writeManifest(dir, m); err != nil {
			return unwritable(dir, err)
		}
	case err != nil:
		return err
	case m.To != r.options.To:
		return engine.Errorf(engine.CodeConflict, op, "The folder %s has exchanges with %s, not with %s.", dir, m.To, r.options.To).
			WithHint("Choose another folder for this service.")
	}
	path := filepath.Join(dir, exchangesFile)
	if r.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return unwritable(dir, err)
	}
	if r.unlock, err = lock(r.file); err != nil {
		_ = r.file.Close()
		return engine.Errorf(engine.CodeConflict, op, "Another process records in the folder %s.", dir).WithHint("Choose another folder, or stop that process.").Because(err)
	}
	if err := r.resume(&Folder{Manifest: m, dir: dir}); err != nil {
		_ = r.unlock()
		return err
	}
	return nil
}

// refuseForeign returns an error for a folder that has files of something else.
func refuseForeign(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return unwritable(dir, err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".recording-") {
			return engine.Errorf(engine.CodeConflict, op, "The folder %s has other files, for example %s.", dir, e.Name()).
				WithHint("Record in an empty or a new folder.")
		}
	}
	return nil
}

// resume finds the end of the last whole exchange and cuts what an interruption left after it.
func (r *Recorder) resume(f *Folder) error {
	if _, err := f.Each(func(x *Exchange) error {
		r.number = x.Number
		return nil
	}); err != nil {
		return errors.Join(err, r.file.Close())
	}
	end, err := lastLineEnd(r.file)
	if err == nil {
		err = r.file.Truncate(end)
	}
	if err == nil {
		r.offset, err = r.file.Seek(end, io.SeekStart)
	}
	if err != nil {
		return errors.Join(unwritable(f.dir, err), r.file.Close())
	}
	return nil
}

// lastLineEnd returns the position after the last line end of a file.
func lastLineEnd(f *os.File) (int64, error) {
	at, err := f.Seek(0, io.SeekEnd)
	buf := make([]byte, 1<<16)
	for err == nil && at > 0 {
		n := min(at, int64(len(buf)))
		if _, err = f.ReadAt(buf[:n], at-n); err != nil {
			return 0, err
		}
		if i := strings.LastIndexByte(string(buf[:n]), '\n'); i >= 0 {
			return at - n + int64(i) + 1, nil
		}
		at -= n
	}
	return 0, err
}

// Add records an exchange. It blocks while too many wait to be written. After Close, the exchange is lost, and counted.
func (r *Recorder) Add(x Raw) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.closed {
		r.late.Add(1)
		return
	}
	r.queue <- x
}

// Close writes what waits and closes the folder. The error says that exchanges were lost, not that a limit was reached.
func (r *Recorder) Close() (Summary, error) {
	r.mu.Lock()
	if !r.closed {
		r.closed = true
		close(r.queue)
	}
	r.mu.Unlock()
	<-r.done
	s := r.summary
	s.Lost += r.late.Load()
	return s, r.failed
}

func (r *Recorder) run() {
	defer close(r.done)
	for raw := range r.queue {
		x := mask(raw, r.options.MaxBody, r.names)
		x.Number = r.number + 1
		r.keep(x)
		r.options.Seen(x)
	}
	if r.file != nil {
		if err := errors.Join(r.file.Sync(), r.unlock(), r.file.Close()); err != nil && r.failed == nil {
			r.failed = unwritable(r.file.Name(), err)
		}
	}
}

// operation returns the operation and the resource of an exchange. Other hosts have other paths for storage.
func operation(raw Raw) (id, resource string) {
	if id, resource = api.OperationOf(raw.Method, raw.Path); id != "" || !raw.Storage {
		return id, resource
	}
	switch raw.Method {
	case "PUT":
		return "putObject", ""
	case "GET", "HEAD":
		return "getObject", ""
	}
	return "", ""
}

// keep writes an exchange unless a limit is reached.
func (r *Recorder) keep(x *Exchange) {
	r.number = x.Number
	if r.file == nil {
		return
	}
	if limit := r.limit(); limit != nil {
		r.summary.Left++
		r.tell(limit)
		return
	}
	line, err := json.Marshal(x)
	if err == nil {
		err = r.write(append(line, '\n'))
	}
	if err != nil {
		r.summary.Lost++
		r.failed = lost(r.file.Name(), err)
		r.tell(r.failed)
		return
	}
	r.summary.Recorded++
	r.told = nil
	if !x.ResponseBody.Whole() || !x.RequestBody.Whole() && !x.Storage {
		r.summary.Cut++
	}
}

func lost(name string, err error) error {
	code := engine.CodeUnavailable
	if fault.NoSpace(err) {
		code = engine.CodeNoSpace
	}
	return engine.Errorf(code, op, "Exchanges are lost: the file %s can't be written.", name).
		WithHint("Requests are still forwarded. Free some disk space; recording then continues.").Because(err)
}

// limit returns the notice about a limit that is reached, or nil.
func (r *Recorder) limit() error {
	o := r.options
	full := func(what string) error {
		return engine.Errorf(engine.CodeTooLarge, op, "The recording has reached its limit of %s. Later exchanges are checked, but not recorded.", what)
	}
	switch {
	case r.number > o.MaxExchanges:
		return full(count(o.MaxExchanges, "exchanges")).(*engine.Error).WithHint("Set a higher --max-exchanges, or record in another folder.")
	case r.offset >= o.MaxBytes:
		return full(count(o.MaxBytes, "bytes")).(*engine.Error).WithHint("Set a higher --max-bytes, or record in another folder.")
	case time.Since(r.began) >= o.MaxTime:
		return full(o.MaxTime.String()).(*engine.Error).WithHint("Set a higher --max-time, or start again.")
	}
	return nil
}

// tell reports a reason once.
func (r *Recorder) tell(why error) {
	if r.told == nil || engine.CodeOf(r.told) != engine.CodeOf(why) {
		r.options.Notice(why)
	}
	r.told = why
}

// write appends a line. What was written of it before an error is cut, so that the file is never damaged.
func (r *Recorder) write(line []byte) error {
	n, err := r.file.Write(line)
	if err == nil {
		r.offset += int64(n)
		return nil
	}
	cutErr := r.file.Truncate(r.offset)
	_, seekErr := r.file.Seek(r.offset, io.SeekStart)
	return errors.Join(err, cutErr, seekErr)
}

func count(n int64, what string) string { return strconv.FormatInt(n, 10) + " " + what }
