package backend

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// Player replays the exchanges in a folder that a Recorder wrote, without a network. Use it as a Client's Transport, or
// call Find. Each request gets its recorded responses in order, and then the last one repeatedly, as polling needs it.
// Requests are equal if everything recorded of them is: the host, secrets, and the order of different requests don't
// matter. The Player holds the folder in memory and is safe for concurrent use.
type Player struct {
	hidden      []string
	all         []*recordedExchange          // in order of their first files
	byKey       map[string]*recordedExchange // by exact value
	withSecrets []*recordedExchange          // those that contain Secret, which are compared one by one

	mu sync.Mutex // guards next of every recordedExchange
}

// recordedExchange is a request that was recorded one or more times.
type recordedExchange struct {
	file    string // name of the first one
	facts   []fact
	answers []ExchangeResponse
	next    int
}

// NewPlayer reads a folder. secrets are masked in every error. It returns CodeInvalid if the folder is missing, has no
// exchanges, or contains a damaged file, which the error names.
func NewPlayer(dir string, secrets ...string) (*Player, error) {
	const op = "backend.NewPlayer"
	names, err := exchangeFiles(dir)
	if err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, op, "The folder %s of recorded exchanges can't be read.", dir).Because(err)
	}
	if len(names) == 0 {
		return nil, engine.Errorf(engine.CodeInvalid, op, "The folder %s has no recorded exchanges.", dir).WithHint("Record exchanges into it first.")
	}
	p := &Player{hidden: secrets, byKey: map[string]*recordedExchange{}}
	hidden := newSecrets(minRecordedSecret, secrets...) // an edited file may contain one
	for _, name := range names {
		x, err := readExchange(dir, name)
		if err != nil {
			return nil, engine.Errorf(engine.CodeInvalid, op, "The recorded exchange %s is damaged.", name).
				WithHint("Restore the original file, or record again.").Because(err)
		}
		p.add(name, x.Request.masked(hidden).facts(x.Kind), x.Response)
	}
	for _, q := range p.all {
		if slices.ContainsFunc(q.facts, func(f fact) bool { return strings.Contains(f.value, Secret) }) {
			p.withSecrets = append(p.withSecrets, q)
		}
	}
	return p, nil
}

func (p *Player) add(file string, facts []fact, answer ExchangeResponse) {
	k := key(facts)
	q := p.byKey[k]
	if q == nil {
		q = &recordedExchange{file: file, facts: facts}
		p.byKey[k] = q
		p.all = append(p.all, q)
	}
	q.answers = append(q.answers, answer)
}

// Find returns the next response to a request. For a request that was not recorded, it returns CodeUnavailable, not
// Retryable: Msg says where it differs from the closest recording, and Hint how.
func (p *Player) Find(kind Kind, asked ExchangeRequest) (ExchangeResponse, error) {
	return p.find(kind, asked, newSecrets(minRecordedSecret, p.hidden...))
}

func (p *Player) find(kind Kind, asked ExchangeRequest, hidden secrets) (ExchangeResponse, error) {
	asked = asked.masked(hidden)
	facts := asked.facts(kind)
	q := p.byKey[key(facts)]
	if q == nil {
		for _, o := range p.withSecrets {
			if len(differences(facts, o.facts)) == 0 {
				q = o
				break
			}
		}
	}
	if q == nil {
		return ExchangeResponse{}, p.unknown(asked, facts)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	answer := q.answers[q.next]
	q.next = min(q.next+1, len(q.answers)-1)
	return answer, nil
}

// unknown returns the error for a request that was not recorded.
func (p *Player) unknown(asked ExchangeRequest, facts []fact) error {
	var nearest *recordedExchange
	var least []difference
	for _, q := range p.all {
		if all := differences(facts, q.facts); nearest == nil || distance(all) < distance(least) {
			nearest, least = q, all
		}
	}
	what := strings.TrimSpace(asked.Method + " " + asked.Path + asked.Program)
	sortDifferences(least)
	said := describe(nearest.file, least)
	return engine.Errorf(engine.CodeUnavailable, "Replay", "No answer to %s was recorded: it differs in %s.", oneLine(what, 80), oneLine(least[0].place, 80)).
		WithHint(said + " Record it again if the change is intended.").Because(textError(said))
}

// textError is an error with a fixed text, for the log.
type textError string

func (s textError) Error() string { return string(s) }

// RoundTrip replays a response. It returns the errors of the request's body, of Find, and the recorded error.
func (p *Player) RoundTrip(req *http.Request) (*http.Response, error) {
	body := req.Body
	if body == http.NoBody {
		body = nil
	}
	var in io.Reader
	if body != nil {
		defer func() { _ = body.Close() }()
		in = body
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	asked, err := exchangeRequestOf(req, in)
	if err != nil {
		return nil, err
	}
	got, err := p.find(KindHTTP, asked, newSecrets(minRecordedSecret, append(credentials(req.Header), p.hidden...)...))
	if err != nil {
		return nil, err
	}
	if got.Failure != nil && got.Status == 0 {
		return nil, got.Failure.error()
	}
	return got.response(req), nil
}

// response converts a recorded response to an HTTP response.
func (got ExchangeResponse) response(req *http.Request) *http.Response {
	var body io.Reader = bytes.NewReader(got.Body.Bytes())
	if got.Body != nil && got.Body.Longer > 0 {
		body = io.LimitReader(zeros{}, got.Body.Longer+1)
	}
	if got.Failure != nil {
		body = io.MultiReader(body, errorReader{got.Failure.error()})
	}
	header := http.Header{}
	for name, value := range got.Header {
		header.Set(name, value)
	}
	return &http.Response{
		Status: strconv.Itoa(got.Status) + " " + http.StatusText(got.Status), StatusCode: got.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(body), ContentLength: -1, Request: req,
	}
}

// zeros is an endless stream of zeros that replaces a body too long to keep.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }
