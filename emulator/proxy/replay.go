package proxy

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// ReplayConfig configures a Replay.
type ReplayConfig struct {
	To        string       // address of the recorded service; required
	PublicURL string       // as in Config
	Miss      http.Handler // answers what wasn't recorded; default 501
	Ignore    []string     // members of JSON bodies that don't count when requests are compared
}

// Replay answers from recorded exchanges. It is an http.Handler and safe for concurrent use.
//
// A request matches an exchange with the same method, path, query, and body. The order of parameters and members doesn't count; the secret
// doesn't, except whether there is one. Requests for signed URLs match by host and path. An id that no response gave, such as that of a test for
// 404, matches another such id; the response then has the id of the request.
//
// Equal requests get the recorded responses in their order, as a client that polls expects. After the last one, GET gets the last again; any other
// method misses, because a second resource was not recorded.
type Replay struct {
	config  ReplayConfig
	to      *url.URL
	mu      sync.Mutex
	exact   map[string]*series
	loose   map[string][]*series
	given   map[string]bool   // ids that responses gave
	bound   map[string]string // id of a request: id of the recording that it stands for
	skipped int
	stats   ReplayStats
}

// ReplayStats says how requests were answered.
type ReplayStats struct {
	Exact  int      `json:"exact"`     // by an equal request
	ByID   int      `json:"other_ids"` // by a request with other ids
	Missed int      `json:"missed"`
	Misses []string `json:"misses"` // the first that missed, with the reason
}

// maxMisses is the most misses that the stats list.
const maxMisses = 100

// series are the responses to equal requests, in order.
type series struct {
	key  key
	all  []*record.Exchange
	next int
}

// NewReplay returns a Replay of exchanges. Skipped tells how many of them can't be replayed.
func NewReplay(all []*record.Exchange, c ReplayConfig) (*Replay, error) {
	to, err := ParseAddress(c.To)
	if err != nil {
		return nil, err
	}
	r := &Replay{config: c, to: to, exact: map[string]*series{}, loose: map[string][]*series{}, given: map[string]bool{}, bound: map[string]string{}}
	for _, x := range all {
		if x.Status >= 200 && x.Status < 300 && !x.Storage {
			for _, id := range idPattern.FindAllString(x.ResponseBody.Text, -1) {
				r.given[id] = true
			}
		}
	}
	for _, x := range all {
		if x.Error != "" || x.Status < 200 || !x.ResponseBody.Whole() {
			r.skipped++
			continue
		}
		k := r.keyOf(x)
		s := r.exact[k.exact]
		if s == nil {
			s = &series{key: k}
			r.exact[k.exact] = s
			r.loose[k.loose] = append(r.loose[k.loose], s)
		}
		s.all = append(s.all, x)
	}
	return r, nil
}

// Skipped returns the number of exchanges that can't be replayed, because they have no response or only a part of its body.
func (r *Replay) Skipped() int { return r.skipped }

// Stats returns how requests were answered so far.
func (r *Replay) Stats() ReplayStats {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stats
	s.Misses = append([]string{}, s.Misses...)
	return s
}

// maxReplayed is the longest request body that is compared, 4 MiB. The service takes 1 MiB.
const maxReplayed = 4 << 20

// ServeHTTP answers a request from the recording.
func (r *Replay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	x, body, err := r.asked(req)
	if err != nil {
		api.WriteError(w, err)
		return
	}
	found, ids, why := r.find(x)
	if found == nil {
		r.miss(w, req, body, why)
		return
	}
	if x.Storage {
		_, _ = io.Copy(io.Discard, req.Body) // as the storage does, so that the client isn't interrupted
	}
	r.answer(w, req, found, ids)
}

// asked returns a request as it would be recorded, and its body. The body of a signed URL is not read.
func (r *Replay) asked(req *http.Request) (*record.Exchange, []byte, error) {
	raw := record.Raw{Time: time.Now(), Method: req.Method, Query: req.URL.RawQuery, Sent: req.Header, Host: r.to.Host}
	if rest, ok := strings.CutPrefix(req.URL.EscapedPath(), storagePath); ok {
		u, err := parseStorage(rest, req.URL.RawQuery)
		if err != nil {
			return nil, nil, err
		}
		raw.Storage, raw.Host, raw.Path = true, u.Host, u.EscapedPath()
		return record.WithoutSecrets(raw, 0), nil, nil
	}
	if raw.Path = req.URL.EscapedPath(); strings.HasPrefix(req.URL.Path, "/storage/") {
		raw.Storage = true
		return record.WithoutSecrets(raw, 0), nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, maxReplayed+1))
	if err != nil {
		return nil, nil, engine.Errorf(engine.CodeInvalid, "replay", "The request body did not arrive.").Because(err)
	}
	if len(body) > maxReplayed {
		return nil, nil, engine.Errorf(engine.CodeTooLarge, "replay", "The request body is longer than %d bytes.", maxReplayed)
	}
	raw.Body = record.Captured{Data: body, Bytes: int64(len(body))}
	return record.WithoutSecrets(raw, maxReplayed), body, nil
}

// find returns the exchange that answers a request, and the ids to replace in its response. why says why there is none.
func (r *Replay) find(x *record.Exchange) (found *record.Exchange, ids map[string]string, why string) {
	k := r.keyOf(x)
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.exact[k.exact]; s != nil {
		if found = s.take(); found == nil {
			return nil, nil, fmt.Sprintf("all %d recorded answers to it were given", len(s.all))
		}
		r.stats.Exact++
		return found, nil, ""
	}
	for _, s := range r.loose[k.loose] {
		ids, ok := r.pair(k.ids, s.key.ids)
		if !ok {
			continue
		}
		if found = s.take(); found == nil {
			continue
		}
		for own, recorded := range ids {
			r.bound[own] = recorded
		}
		r.stats.ByID++
		return found, ids, ""
	}
	return nil, nil, r.explain(x, k)
}

// pair pairs the ids of a request with those of a recorded one. Only ids that no response gave stand for each other.
func (r *Replay) pair(own, recorded []string) (map[string]string, bool) {
	pairs := map[string]string{}
	if len(own) != len(recorded) {
		return nil, false
	}
	for i, id := range own {
		switch {
		case id == recorded[i]:
			continue
		case r.given[id], r.given[recorded[i]]:
			return nil, false
		case r.bound[id] != "" && r.bound[id] != recorded[i], pairs[id] != "" && pairs[id] != recorded[i]:
			return nil, false
		}
		pairs[id] = recorded[i]
	}
	return pairs, true
}

// take returns the next response, or nil when all were given.
func (s *series) take() *record.Exchange {
	if s.next < len(s.all) {
		s.next++
	} else if m := s.all[0].Method; m != http.MethodGet && m != http.MethodHead && !s.all[0].Storage {
		return nil
	}
	return s.all[s.next-1]
}

// explain says how a request differs from the recorded ones. The caller holds r.mu.
func (r *Replay) explain(x *record.Exchange, k key) string {
	reason := "no request for this path was recorded"
	for _, s := range r.exact {
		o := s.key
		switch {
		case o.method != k.method || o.path != k.path:
		case o.auth != k.auth:
			reason = "it was recorded " + map[bool]string{true: "with", false: "without"}[o.auth] + " a secret"
		case o.query != k.query:
			reason = fmt.Sprintf("it was recorded with the query %q, not %q", o.query, k.query)
		default:
			return "it was recorded with another body"
		}
	}
	if strings.HasPrefix(reason, "no request") && x.Op != "" && len(k.ids) > 0 {
		reason += "; an id that a response gave stands only for itself"
	}
	return reason
}

// miss answers what wasn't recorded.
func (r *Replay) miss(w http.ResponseWriter, req *http.Request, body []byte, why string) {
	line := fmt.Sprintf("%s %s: %s", req.Method, req.URL.EscapedPath(), why)
	r.mu.Lock()
	if r.stats.Missed++; len(r.stats.Misses) < maxMisses {
		r.stats.Misses = append(r.stats.Misses, line)
	}
	r.mu.Unlock()
	w.Header().Set("X-Soundstage-Replay", "miss")
	if r.config.Miss != nil {
		if body != nil {
			req.Body = io.NopCloser(bytes.NewReader(body))
		}
		r.config.Miss.ServeHTTP(w, req)
		return
	}
	writeError(w, http.StatusNotImplemented, "replay.miss", fmt.Sprintf("The recording has no answer to %s %s.", req.Method, req.URL.EscapedPath()),
		why+". Record it, or answer it with --miss forward or --miss sandbox.")
}

// unrepeated are the headers that are not repeated.
var unrepeated = map[string]bool{"Content-Length": true, "Transfer-Encoding": true, "Content-Encoding": true, "Date": true, "Connection": true, "Keep-Alive": true}

// answer repeats a recorded response.
func (r *Replay) answer(w http.ResponseWriter, req *http.Request, x *record.Exchange, ids map[string]string) {
	h := w.Header()
	for name, values := range x.ResponseHeaders {
		for _, v := range values {
			if !unrepeated[name] && v != record.Mask {
				h.Add(name, v)
			}
		}
	}
	h.Set("X-Soundstage-Replay", strconv.FormatInt(x.Number, 10))
	body := x.ResponseBody.Data()
	if x.ResponseBody.Base64 == nil {
		for own, recorded := range ids {
			body = bytes.ReplaceAll(body, []byte(recorded), []byte(own))
		}
	}
	if signs[x.Op] {
		public := api.BaseURL(r.config.PublicURL, req)
		body = replaceSigned(body, func(raw string) string { return r.through(public, raw) })
	}
	if req.Method == http.MethodHead { // whose recorded response had the length of a body that it didn't have
		if lengths := x.ResponseHeaders["Content-Length"]; len(lengths) == 1 {
			h.Set("Content-Length", lengths[0])
		}
		w.WriteHeader(x.Status)
		return
	}
	if x.Storage && x.Status == http.StatusOK && req.Method != http.MethodPut {
		files.ServeContent(w, req, time.Time{}, int64(len(body)), bytes.NewReader(body)) // it answers Range
		return
	}
	if len(body) > 0 || x.Status != http.StatusNoContent && x.Status != http.StatusNotModified {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(x.Status)
	_, _ = w.Write(body)
}

// through returns the URL at the replay of a recorded signed URL.
func (r *Replay) through(public, raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return raw
	}
	p := Proxy{to: r.to}
	if own, ok := p.own(u, public); ok {
		return own
	}
	return storageURL(public, u)
}
