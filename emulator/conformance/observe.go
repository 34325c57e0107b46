package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/emulator/record"
)

// Knowledge is what observed exchanges say about a statement.
type Knowledge string

const (
	Confirmed    Knowledge = "confirmed"    // exchanges agree with the statement, and none contradicts it
	Contradicted Knowledge = "contradicted" // at least one exchange contradicts it
	NotSeen      Knowledge = "not seen"     // no exchange says anything about it
)

// Decision is what the observed exchanges say about a statement.
type Decision struct {
	Statement
	Knowledge      Knowledge       `json:"knowledge"`
	Observable     bool            `json:"observable"`     // whether exchanges of a client can decide it at all
	Confirmations  int             `json:"confirmations"`  // exchanges that agree
	Contradictions int             `json:"contradictions"` // exchanges that disagree
	Exchanges      []int64         `json:"exchanges"`      // numbers of the first that agree, or of the first that disagree
	Expected       string          `json:"expected,omitempty"`
	Got            string          `json:"got,omitempty"`
	Example        *ObservedAnswer `json:"exchange,omitempty"` // the first that disagrees
}

// ObservedAnswer shows an observed exchange. Long bodies are cut.
type ObservedAnswer struct {
	Number      int64  `json:"number"`
	Method      string `json:"method"`
	Path        string `json:"path"` // with the query
	Request     string `json:"request_body,omitempty"`
	Status      int    `json:"status"`
	ContentType string `json:"content_type,omitempty"`
	Response    string `json:"response_body,omitempty"`
}

// shownExchanges is the number of exchanges that a decision names.
const shownExchanges = 3

// Observer decides statements from exchanges that others caused, in the order in which they ended. It sends nothing. Exchanges of the proxy
// itself, such as an answer that the service can't be reached, say nothing about the service.
type Observer struct {
	decisions map[string]*Decision
	history   history
}

// NewObserver returns an Observer that has seen nothing.
func NewObserver() *Observer {
	o := &Observer{decisions: map[string]*Decision{}, history: newHistory()}
	for _, st := range parsed() {
		o.decisions[st.ID] = &Decision{Statement: st, Knowledge: NotSeen, Exchanges: []int64{}}
	}
	for _, r := range observations() {
		o.decisions[r.id].Observable = true
	}
	return o
}

// Add judges an exchange. It returns the ids of the statements that the exchange contradicts.
func (o *Observer) Add(x *record.Exchange) (contradicted []string) {
	if x.Error != "" || x.Status == 0 {
		return nil
	}
	seen := newObserved(x, &o.history)
	rules := rulesByOp()[""]
	if x.Op != "" {
		rules = slices.Concat(rules, rulesByOp()[x.Op])
	}
	for _, r := range rules {
		switch v := r.judge(seen); v.knowledge {
		case Confirmed:
			o.decisions[r.id].confirm(x)
		case Contradicted:
			o.decisions[r.id].contradict(seen, v)
			contradicted = append(contradicted, r.id)
		}
	}
	o.history.learn(seen)
	return contradicted
}

func (d *Decision) confirm(x *record.Exchange) {
	d.Confirmations++
	if d.Knowledge == Contradicted {
		return
	}
	d.Knowledge = Confirmed
	if len(d.Exchanges) < shownExchanges {
		d.Exchanges = append(d.Exchanges, x.Number)
	}
}

func (d *Decision) contradict(x *observed, v observation) {
	if d.Contradictions++; d.Contradictions == 1 {
		d.Knowledge, d.Expected, d.Got, d.Exchanges, d.Example = Contradicted, v.expected, v.got, nil, shownAnswer(x.Exchange)
	}
	if len(d.Exchanges) < shownExchanges {
		d.Exchanges = append(d.Exchanges, x.Number)
	}
}

// Decisions returns what is known of each statement, in the order of Statements.
func (o *Observer) Decisions() []Decision {
	all := make([]Decision, 0, len(o.decisions))
	for _, st := range parsed() {
		all = append(all, *o.decisions[st.ID])
	}
	return all
}

// Decision returns what is known of a statement.
func (o *Observer) Decision(id string) Decision { return *o.decisions[id] }

// ShowExchange returns an exchange as reports show it.
func ShowExchange(x *record.Exchange) *ObservedAnswer { return shownAnswer(x) }

func shownAnswer(x *record.Exchange) *ObservedAnswer {
	path := x.Path
	if x.Query != "" {
		path += "?" + x.Query
	}
	return &ObservedAnswer{
		Number: x.Number, Method: x.Method, Path: path, Request: shownBody(x.RequestBody), Status: x.Status,
		ContentType: x.ResponseHeaders.Get("Content-Type"), Response: shownBody(x.ResponseBody),
	}
}

func shownBody(b record.Body) string {
	if b.Base64 != nil {
		return fmt.Sprintf("(%d bytes)", b.Bytes)
	}
	if len(b.Text) > maxShownBody {
		return strings.ToValidUTF8(b.Text[:maxShownBody], "") + "…"
	}
	return b.Text
}

// observed is an exchange with its parts decoded, and what was seen before it.
type observed struct {
	*record.Exchange
	query   url.Values
	sent    map[string]any // members of the request's JSON; nil unless it is an object
	value   any            // the response's JSON; nil if it isn't any
	history *history
}

func newObserved(x *record.Exchange, h *history) *observed {
	o := &observed{Exchange: x, history: h}
	o.query, _ = url.ParseQuery(x.Query)
	if x.RequestBody.Whole() && x.RequestBody.Text != "" {
		o.sent, _ = decode([]byte(x.RequestBody.Text)).(map[string]any)
	}
	if x.ResponseBody.Whole() && x.ResponseBody.Text != "" {
		o.value = decode([]byte(x.ResponseBody.Text))
	}
	return o
}

// observation is what one exchange says about a statement. The zero value says nothing.
type observation struct {
	knowledge     Knowledge
	expected, got string
}

var (
	agrees = observation{knowledge: Confirmed}
	silent = observation{}
)

// disagrees says that an exchange contradicts the statement.
func disagrees(expected string, got any) observation {
	return observation{Contradicted, expected, show(got)}
}

// decide agrees if ok, and disagrees otherwise.
func decide(ok bool, expected string, got any) observation {
	if ok {
		return agrees
	}
	return disagrees(expected, got)
}

// rule judges exchanges of some operations for a statement. Without operations it judges every exchange.
type rule struct {
	id    string
	ops   []string
	judge func(*observed) observation
}

// on returns a rule for one operation.
func on(id, op string, judge func(*observed) observation) rule { return rule{id, []string{op}, judge} }

// rulesByOp has the rules of each operation, and of every exchange under "".
var rulesByOp = sync.OnceValue(func() map[string][]rule {
	by := map[string][]rule{}
	for _, r := range observations() {
		for _, op := range append(r.ops, r.every()...) {
			by[op] = append(by[op], r)
		}
	}
	return by
})

// every returns "" if the rule judges every exchange.
func (r rule) every() []string {
	if len(r.ops) == 0 {
		return []string{""}
	}
	return nil
}

// observations returns every rule.
func observations() []rule {
	return slices.Concat(observedAlways, observedRecordings, observedUploads, observedTranscripts, observedContent, observedPeople, observedWebhooks)
}

// ok reports whether the response is a 2xx.
func (o *observed) ok() bool { return o.Status >= 200 && o.Status < 300 }

// refused reports whether the service rejected the request itself, not its caller, its rate, or its method.
func (o *observed) refused() bool {
	switch o.Status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return o.Status >= 400 && o.Status < 500
}

// judged reports whether the service looked at the request itself: it accepted or refused it.
func (o *observed) judged() bool { return o.ok() || o.refused() }

// api reports whether the exchange is one of /v1, with a body.
func (o *observed) api() bool {
	return !o.Storage && strings.HasPrefix(o.Path, "/v1/") && o.Method != http.MethodHead && o.ResponseBody.Whole()
}

func (o *observed) at(path string) (any, bool) { return member(o.value, path) }

// text returns the string at a path of the response, "" if there is none.
func (o *observed) text(path string) string {
	v, _ := o.at(path)
	s, _ := v.(string)
	return s
}

func (o *observed) list(path string) []any {
	v, _ := o.at(path)
	l, _ := v.([]any)
	return l
}

// asked returns a string member of the request.
func (o *observed) asked(name string) string {
	s, _ := o.sent[name].(string)
	return s
}

// askedNumber returns a number member of the request.
func (o *observed) askedNumber(name string) (float64, bool) {
	n, ok := o.sent[name].(json.Number)
	f, err := n.Float64()
	return f, ok && err == nil
}

// answersStatus agrees if a successful response has a status.
func answersStatus(status int) func(*observed) observation {
	return func(o *observed) observation {
		if !o.ok() {
			return silent
		}
		return decide(o.Status == status, fmt.Sprintf("status %d", status), fmt.Sprintf("status %d", o.Status))
	}
}

// answersMembers agrees if a successful response has members of a shape.
func answersMembers(s shape, paths ...string) func(*observed) observation {
	return func(o *observed) observation {
		if !o.ok() || o.value == nil || o.Method == http.MethodHead {
			return silent
		}
		for _, path := range paths {
			if v, found := o.at(path); !found || !s.fits(v) {
				return disagrees(path+": "+s.name, v)
			}
		}
		return agrees
	}
}

// both agrees if all judges do; it is silent if one is.
func both(judges ...func(*observed) observation) func(*observed) observation {
	return func(o *observed) observation {
		for _, judge := range judges {
			if v := judge(o); v.knowledge != Confirmed {
				return v
			}
		}
		return agrees
	}
}

// answersWhen agrees if a request that meets a condition gets a status.
func answersWhen(condition func(*observed) bool, status int) func(*observed) observation {
	return func(o *observed) observation {
		if !o.judged() || !condition(o) {
			return silent
		}
		return decide(o.Status == status, fmt.Sprintf("status %d", status), fmt.Sprintf("status %d", o.Status))
	}
}

// unknownResource agrees if a resource that nobody has seen gets 404.
func unknownResource(o *observed) observation {
	if !o.refused() || o.Resource == "" || o.history.knows(o.Resource) {
		return silent
	}
	return decide(o.Status == http.StatusNotFound, "status 404", fmt.Sprintf("status %d", o.Status))
}

// notFound agrees if a response is 404. Another status may have another reason.
func notFound(o *observed) observation {
	if o.Status == http.StatusNotFound {
		return agrees
	}
	return silent
}
