package backend

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// RecorderConfig says what a Recorder keeps, and where.
type RecorderConfig struct {
	Dir       string            // made if need be; only one Recorder may use it at a time
	Next      http.RoundTripper // has the exchanges; default NewTransport()
	Secrets   []string          // that are in no file, besides those that headers of requests have
	Append    bool              // the folder may have exchanges; what is kept comes after them
	MaxAnswer int64             // bytes of an answer that are kept; default 64 MiB, like a Client's
}

// Recorder keeps every exchange that goes through it as a file of a folder: a Client's, as its Transport, and others by Keep. Answers
// are read whole before they are passed on, and kept before, so that whoever has an answer has its file. It is safe for concurrent use,
// by any number of Clients: their exchanges are numbered in the order in which they began.
//
// Not kept: the host; headers that don't change what a request means; secrets, in place of which Secret stands; files, of which there is
// the length and the hash; exchanges that were canceled.
type Recorder struct {
	cfg    RecorderConfig
	hidden []string

	mu   sync.Mutex
	last int // number
}

// NewRecorder opens a folder. Errors: CodeInvalid without one, or when it has exchanges and may not be appended to; CodeUnavailable when
// it can't be used.
func NewRecorder(c RecorderConfig) (*Recorder, error) {
	const op = "backend.NewRecorder"
	if c.Dir == "" {
		return nil, engine.Errorf(engine.CodeInvalid, op, "A folder is needed.")
	}
	if c.Next == nil {
		c.Next = NewTransport()
	}
	if c.MaxAnswer <= 0 {
		c.MaxAnswer = defaultMaxAnswer
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, folderError(op, c.Dir, err)
	}
	left, _ := filepath.Glob(filepath.Join(c.Dir, halfWritten))
	for _, path := range left {
		_ = os.Remove(path)
	}
	names, err := exchangeFiles(c.Dir)
	if err != nil {
		return nil, folderError(op, c.Dir, err)
	}
	if len(names) > 0 && !c.Append {
		return nil, engine.Errorf(engine.CodeInvalid, op, "The folder %s has recorded exchanges.", c.Dir).
			WithHint("Remove them, or choose another folder, to begin anew; recording behind them must be asked for.")
	}
	r := &Recorder{cfg: c, hidden: c.Secrets}
	for _, name := range names {
		r.last = max(r.last, numberOf(name))
	}
	return r, nil
}

// Keep writes an exchange to the next file, with its secrets replaced in whatever is text. Errors: CodeInvalid for one that couldn't be
// read again, CodeUnavailable, CodeNoSpace.
func (r *Recorder) Keep(x Exchange) error {
	return r.keep(r.next(), x, newSecrets(leastSecretOnFile, r.hidden...))
}

// next is the number of the next exchange.
func (r *Recorder) next() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	return r.last
}

func (r *Recorder) keep(number int, x Exchange, hidden secrets) error {
	const op = "Record"
	x = x.masked(hidden)
	x.Version = exchangeVersion
	if err := x.check(); err != nil {
		return engine.Errorf(engine.CodeInvalid, op, "The exchange can't be kept.").Because(err)
	}
	if err := writeExchange(r.cfg.Dir, fileName(number, x.Request), x); err != nil {
		return folderError(op, r.cfg.Dir, err)
	}
	return nil
}

// RoundTrip has an exchange, and keeps it. Errors are those of Next, and those of Keep.
func (r *Recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	number := r.next()
	hidden := newSecrets(leastSecretOnFile, append(credentials(req.Header), r.hidden...)...)
	sent, err := r.read(req)
	if err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, err
	}
	x := Exchange{Kind: KindHTTP, Request: sent}
	resp, err := r.cfg.Next.RoundTrip(req)
	if err != nil {
		if keepErr := r.keepFailure(req, number, x, err, hidden); keepErr != nil {
			return nil, keepErr
		}
		return nil, err
	}
	body, readErr := io.ReadAll(io.LimitReader(resp.Body, r.cfg.MaxAnswer+1))
	_ = resp.Body.Close()
	x.Response = Received{Status: resp.StatusCode, Header: headerOf(resp.Header, keptOfResponse)}
	if int64(len(body)) > r.cfg.MaxAnswer {
		x.Response.Body = &Payload{Longer: r.cfg.MaxAnswer}
	} else {
		x.Response.Body = bodyOf(body)
	}
	passed := io.Reader(bytes.NewReader(body))
	if readErr != nil {
		passed = io.MultiReader(passed, broken{readErr})
		err = r.keepFailure(req, number, x, readErr, hidden)
	} else {
		err = r.keep(number, x, hidden)
	}
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(passed)
	return resp, nil
}

// read reads a request's body for itself, before it is sent: what is sent may be given up half way.
func (r *Recorder) read(req *http.Request) (Sent, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return questionOf(req, nil)
	}
	if req.GetBody == nil {
		return Sent{}, engine.Errorf(engine.CodeInternal, "Record", "The request's body can be read once only.")
	}
	body, err := req.GetBody()
	if err != nil {
		return Sent{}, err
	}
	defer func() { _ = body.Close() }()
	return questionOf(req, body)
}

// keepFailure keeps an exchange that ended with an error, unless it isn't one of the exchange; its own error is of keeping.
func (r *Recorder) keepFailure(req *http.Request, number int, x Exchange, err error, hidden secrets) error {
	f, ok := failureOf(req.Context(), err)
	if !ok {
		return nil
	}
	x.Response.Failure = f
	return r.keep(number, x, hidden)
}

// broken is what is left of an answer that broke off.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }
