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

// Player answers from a folder that a Recorder wrote, without a network: a Client's requests, as its Transport, and others by Find. A
// question gets the answers that were recorded for it in their order, and then the last one again, as polls need it. Questions are the
// same when all that was kept of them is; the host, secrets, and the order in which different questions come don't matter. It holds
// the folder in memory, and is safe for concurrent use.
type Player struct {
	hidden []string
	all    []*question          // in order of their first file
	byKey  map[string]*question // those without a secret in them
	open   []*question          // those with one

	mu sync.Mutex // guards next of every question
}

// question is what was asked once or several times.
type question struct {
	file    string // the first one
	facts   []fact
	answers []Received
	next    int
}

// NewPlayer reads a folder; secrets are texts that no error may tell. Errors: CodeInvalid for a folder that is missing, has no exchange, or
// has a file that can't be read, which the sentence names.
func NewPlayer(dir string, secrets ...string) (*Player, error) {
	const op = "backend.NewPlayer"
	names, err := exchangeFiles(dir)
	if err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, op, "The folder %s of recorded exchanges can't be read.", dir).Because(err)
	}
	if len(names) == 0 {
		return nil, engine.Errorf(engine.CodeInvalid, op, "The folder %s has no recorded exchanges.", dir).WithHint("Record some into it first.")
	}
	p := &Player{hidden: secrets, byKey: map[string]*question{}}
	hidden := newSecrets(leastSecretOnFile, secrets...) // which whoever edits a file may have left in it
	for _, name := range names {
		x, err := readExchange(dir, name)
		if err != nil {
			return nil, engine.Errorf(engine.CodeInvalid, op, "The recorded exchange %s is damaged.", name).
				WithHint("Restore the file as it was recorded, or record anew.").Because(err)
		}
		p.add(name, x.Request.masked(hidden).facts(x.Kind), x.Response)
	}
	for _, q := range p.all {
		if slices.ContainsFunc(q.facts, func(f fact) bool { return strings.Contains(f.value, Secret) }) {
			p.open = append(p.open, q)
		}
	}
	return p, nil
}

func (p *Player) add(file string, facts []fact, answer Received) {
	k := key(facts)
	q := p.byKey[k]
	if q == nil {
		q = &question{file: file, facts: facts}
		p.byKey[k] = q
		p.all = append(p.all, q)
	}
	q.answers = append(q.answers, answer)
}

// Find returns the next answer to a question. Errors: CodeUnavailable for one that was not recorded, for good: the Msg says where it
// differs from the nearest one, the Hint how.
func (p *Player) Find(kind Kind, asked Sent) (Received, error) {
	return p.find(kind, asked, newSecrets(leastSecretOnFile, p.hidden...))
}

func (p *Player) find(kind Kind, asked Sent, hidden secrets) (Received, error) {
	asked = asked.masked(hidden)
	facts := asked.facts(kind)
	q := p.byKey[key(facts)]
	if q == nil {
		for _, o := range p.open {
			if len(differences(facts, o.facts)) == 0 {
				q = o
				break
			}
		}
	}
	if q == nil {
		return Received{}, p.unknown(asked, facts)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	answer := q.answers[q.next]
	q.next = min(q.next+1, len(q.answers)-1)
	return answer, nil
}

// unknown is the error of a question that was not recorded.
func (p *Player) unknown(asked Sent, facts []fact) error {
	var nearest *question
	var least []difference
	for _, q := range p.all {
		if all := differences(facts, q.facts); nearest == nil || distance(all) < distance(least) {
			nearest, least = q, all
		}
	}
	what := strings.TrimSpace(asked.Method + " " + asked.Path + asked.Program)
	sortDifferences(least)
	said := sentence(nearest.file, least)
	return engine.Errorf(engine.CodeUnavailable, "Replay", "No answer to %s was recorded: it differs in %s.", safe(what, 80), safe(least[0].place, 80)).
		WithHint(said + " Record it anew if it is meant to be so.").Because(asError(said))
}

// asError is a sentence for the log.
type asError string

func (s asError) Error() string { return string(s) }

// RoundTrip answers a request. Errors: those of its body, those of Find, and the error that was recorded.
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
	asked, err := questionOf(req, in)
	if err != nil {
		return nil, err
	}
	got, err := p.find(KindHTTP, asked, newSecrets(leastSecretOnFile, append(credentials(req.Header), p.hidden...)...))
	if err != nil {
		return nil, err
	}
	if got.Failure != nil && got.Status == 0 {
		return nil, got.Failure.error()
	}
	return got.response(req), nil
}

// response is an answer as it is met again.
func (got Received) response(req *http.Request) *http.Response {
	var body io.Reader = bytes.NewReader(got.Body.Bytes())
	if got.Body != nil && got.Body.Longer > 0 {
		body = io.LimitReader(nothing{}, got.Body.Longer+1)
	}
	if got.Failure != nil {
		body = io.MultiReader(body, broken{got.Failure.error()})
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

// nothing is any number of zeros, where more came than was kept.
type nothing struct{}

func (nothing) Read(b []byte) (int, error) { clear(b); return len(b), nil }
