package backend

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// RecorderConfig configures a Recorder.
type RecorderConfig struct {
	Dir       string            // created if missing; only one Recorder may use it at a time
	Next      http.RoundTripper // sends the requests; default NewTransport()
	Secrets   []string          // masked in every file, in addition to those in request headers
	Append    bool              // allow a folder with exchanges, and append to them
	MaxAnswer int64             // size limit of a recorded response in bytes; default 64 MiB, like a Client's
}

// Recorder writes every exchange to a file in a folder. Use it as a Client's Transport, or call Keep. It reads and writes
// each response before it passes it on, so every response that a caller has is on disk. It is safe for concurrent use by
// any number of Clients, and numbers exchanges in the order in which they began.
//
// It doesn't record the host, headers that don't change a request's meaning, or canceled exchanges. It replaces secrets
// with Secret, and files with their length and hash.
type Recorder struct {
	cfg    RecorderConfig
	hidden []string

	mu   sync.Mutex
	last int // number of the latest exchange
}

// NewRecorder opens a folder. It returns CodeInvalid if Dir is empty, or if the folder has exchanges and Append is not
// set, and CodeUnavailable if the folder can't be used.
func NewRecorder(c RecorderConfig) (*Recorder, error) {
	const op = "backend.NewRecorder"
	if c.Dir == "" {
		return nil, engine.Errorf(engine.CodeInvalid, op, "Dir must not be empty.")
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
	removeTemporary(c.Dir)
	names, err := exchangeFiles(c.Dir)
	if err != nil {
		return nil, folderError(op, c.Dir, err)
	}
	if len(names) > 0 && !c.Append {
		return nil, engine.Errorf(engine.CodeInvalid, op, "The folder %s already has recorded exchanges.", c.Dir).
			WithHint("Remove them, or choose another folder.")
	}
	r := &Recorder{cfg: c, hidden: c.Secrets}
	for _, name := range names {
		r.last = max(r.last, numberOf(name))
	}
	return r, nil
}

// Keep writes an exchange to the next file, with secrets in its text replaced. It returns CodeInvalid for an exchange
// that could not be read again, CodeUnavailable, or CodeNoSpace.
func (r *Recorder) Keep(x Exchange) error {
	return r.keep(r.next(), x, newSecrets(minRecordedSecret, r.hidden...))
}

// next returns the number of the next exchange.
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
		return engine.Errorf(engine.CodeInvalid, op, "The exchange can't be recorded.").Because(err)
	}
	if err := writeExchange(r.cfg.Dir, fileName(number, x.Request), x); err != nil {
		return folderError(op, r.cfg.Dir, err)
	}
	return nil
}

// RoundTrip sends a request with Next and records the exchange. It returns the errors of Next and Keep.
func (r *Recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	number := r.next()
	hidden := newSecrets(minRecordedSecret, append(credentials(req.Header), r.hidden...)...)
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
	x.Response = ExchangeResponse{Status: resp.StatusCode, Header: headerOf(resp.Header, keptOfResponse)}
	if int64(len(body)) > r.cfg.MaxAnswer {
		x.Response.Body = &Payload{Longer: r.cfg.MaxAnswer}
	} else {
		x.Response.Body = bodyOf(body)
	}
	passed := io.Reader(bytes.NewReader(body))
	if readErr != nil {
		passed = io.MultiReader(passed, errorReader{readErr})
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

// read reads a copy of the request's body before sending, because the transport may not read all of it.
func (r *Recorder) read(req *http.Request) (ExchangeRequest, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return exchangeRequestOf(req, nil)
	}
	if req.GetBody == nil {
		return ExchangeRequest{}, engine.Errorf(engine.CodeInternal, "Record", "The request's body can be read only once: set GetBody.")
	}
	body, err := req.GetBody()
	if err != nil {
		return ExchangeRequest{}, err
	}
	defer func() { _ = body.Close() }()
	return exchangeRequestOf(req, body)
}

// keepFailure records an exchange that failed, unless failureOf excludes it. It returns an error of Keep.
func (r *Recorder) keepFailure(req *http.Request, number int, x Exchange, err error, hidden secrets) error {
	f, ok := failureOf(req.Context(), err)
	if !ok {
		return nil
	}
	x.Response.Failure = f
	return r.keep(number, x, hidden)
}

// errorReader is a reader that returns only an error.
type errorReader struct{ err error }

func (b errorReader) Read([]byte) (int, error) { return 0, b.err }
