package drift

import (
	"cmp"
	"hash/maphash"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/emulator/record"
)

// Finding is one difference, found in one or more exchanges.
type Finding struct {
	ID         string                      `json:"id"`    // "listRecordings.200.type./recordings/*/number", or the id of the statement
	Kind       string                      `json:"kind"`  // "contract" or "statement"
	Where      string                      `json:"where"` // "listRecordings 200 /recordings/*/number"
	Provenance conformance.Provenance      `json:"provenance"`
	Text       string                      `json:"text"` // what holds according to the contract or the statement
	Expected   string                      `json:"expected"`
	Got        string                      `json:"got"`
	Count      int                         `json:"count"`     // exchanges that show it
	Exchanges  []int64                     `json:"exchanges"` // numbers of the first
	Example    *conformance.ObservedAnswer `json:"exchange"`  // the first
}

// Kinds of a Finding.
const (
	Contract  = "contract"
	Statement = "statement"
)

const (
	maxFindings = 1000   // different findings that are kept
	maxJudged   = 50_000 // different exchanges whose comparison is remembered
	shownNumber = 3      // numbers of exchanges that a finding lists
)

// Checker checks exchanges in the order in which they ended. It is not safe for concurrent use.
type Checker struct {
	contract document
	observer *conformance.Observer
	findings map[string]*Finding
	order    []*Finding
	counts   Counts
	seed     maphash.Seed
	judged   map[uint64][]Problem // comparisons of exchanges that are equal except for their time
}

// Counts says how many exchanges were checked.
type Counts struct {
	Exchanges  int            `json:"exchanges"`
	Checked    int            `json:"checked"`
	Unchecked  map[string]int `json:"unchecked"`        // by reason
	Operations map[string]int `json:"operations"`       // checked exchanges by operation
	Omitted    int            `json:"omitted_findings"` // differences beyond the first 1,000
}

// New returns a Checker. The error says that the contract can't be parsed, which is a mistake in this program.
func New() (*Checker, error) {
	operations, err := parse(api.Spec)
	if err != nil {
		return nil, err
	}
	return &Checker{
		contract: document{operations}, observer: conformance.NewObserver(), findings: map[string]*Finding{}, seed: maphash.MakeSeed(), judged: map[uint64][]Problem{},
		counts: Counts{Unchecked: map[string]int{}, Operations: map[string]int{}},
	}, nil
}

// Add checks an exchange. It returns the findings that are new.
func (c *Checker) Add(x *record.Exchange) (found []Finding) {
	c.counts.Exchanges++
	if reason := uncheckable(x); reason != "" {
		c.counts.Unchecked[reason]++
		return nil
	}
	c.counts.Checked++
	c.counts.Operations[cmp.Or(x.Op, "unknown")]++
	for _, p := range c.compare(x) {
		found = c.note(found, x, Finding{
			ID: strings.TrimSuffix(strings.Join([]string{cmp.Or(x.Op, x.Method), statusText(x.Status), strings.ReplaceAll(p.Rule, " ", "-"), p.Where}, "."), "."), Kind: Contract, Text: demands[p.Rule],
			Where: strings.TrimSpace(cmp.Or(x.Op, x.Method+" "+x.Path) + " " + statusText(x.Status) + " " + p.Where), Provenance: conformance.Provenance(p.Provenance), Expected: p.Expected, Got: p.Got,
		})
	}
	for _, id := range c.observer.Add(x) {
		d := c.observer.Decision(id)
		found = c.note(found, x, Finding{
			ID: id, Kind: Statement, Where: strings.TrimSpace(cmp.Or(x.Op, x.Method+" "+x.Path) + " " + statusText(x.Status)), Provenance: d.Provenance, Text: d.Text, Expected: d.Expected, Got: d.Got,
		})
	}
	if partial := partialReason(x); partial != "" {
		c.counts.Unchecked[partial]++
	}
	return found
}

// demands says what each rule of the contract demands.
var demands = map[string]string{
	RuleOperation:   "The service has only the operations of the contract.",
	RuleStatus:      "An operation has only the statuses of the contract.",
	RuleContentType: "A response has the content type of the contract.",
	RuleHeader:      "A response has the headers of the contract.",
	RuleJSON:        "A JSON body is valid JSON.",
	RuleMissing:     "A body has the required members.",
	RuleUnknown:     "A body has only the members of the contract.",
	RuleType:        "A value has the type of the contract.",
	RuleEnum:        "A value is one of those in the contract.",
	RuleValue:       "A value has the form and the range of the contract.",
	RuleAccepted:    "A request that the contract does not allow is rejected.",
}

// uncheckable returns why an exchange says nothing about the service, "" if it does.
func uncheckable(x *record.Exchange) string {
	switch {
	case x.Error != "":
		return "the service sent no complete response"
	case x.Status == 0 || x.Status == http.StatusSwitchingProtocols:
		return "there is no response"
	case x.Storage && x.Op == "":
		return "storage is not described for this method"
	case !x.Storage && !strings.HasPrefix(x.Path, "/v1/"):
		return "the path is not under /v1"
	}
	return ""
}

// partialReason returns which part of a checked exchange couldn't be, "" if all was.
func partialReason(x *record.Exchange) string {
	if !x.ResponseBody.Whole() && strings.Contains(x.ResponseHeaders.Get("Content-Type"), "json") {
		return "the body was not checked: " + x.ResponseBody.Partial
	}
	return ""
}

// compare compares an exchange with the contract. Clients poll, so most exchanges repeat an earlier one.
func (c *Checker) compare(x *record.Exchange) []Problem {
	key := c.key(x)
	if known, ok := c.judged[key]; ok {
		return known
	}
	q, _ := url.ParseQuery(x.Query)
	e := Exchange{Op: x.Op, Method: x.Method, Query: q, SentType: x.RequestHeaders.Get("Content-Type"), Status: x.Status, Header: x.ResponseHeaders}
	if x.RequestBody.Whole() && !x.Storage {
		e.Sent = x.RequestBody.Data()
	}
	if x.ResponseBody.Whole() {
		e.Body = x.ResponseBody.Data()
	}
	problems := c.contract.compare(e)
	if len(c.judged) < maxJudged {
		c.judged[key] = problems
	}
	return problems
}

// key returns a hash of what Compare looks at.
func (c *Checker) key(x *record.Exchange) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	for _, s := range []string{x.Op, x.Method, x.Query, statusText(x.Status), x.RequestBody.Text, x.ResponseBody.Text, x.ResponseBody.Partial} {
		_, _ = h.WriteString(s)
		_ = h.WriteByte(0)
	}
	_, _ = h.WriteString(x.ResponseHeaders.Get("Content-Type"))
	sum := h.Sum64()
	for name := range x.ResponseHeaders { // in any order
		sum += maphash.String(c.seed, name)
	}
	return sum
}

// note adds a finding, or counts it if it is known.
func (c *Checker) note(found []Finding, x *record.Exchange, f Finding) []Finding {
	known := c.findings[f.ID]
	if known == nil {
		if len(c.findings) >= maxFindings {
			c.counts.Omitted++
			return found
		}
		f.Example = conformance.ShowExchange(x)
		known = &f
		c.findings[f.ID], c.order = known, append(c.order, known)
		found = append(found, f)
	}
	if known.Count++; len(known.Exchanges) < shownNumber {
		known.Exchanges = append(known.Exchanges, x.Number)
	}
	return found
}

// Report returns what was found so far. to is the address of the service.
func (c *Checker) Report(to string) Report {
	r := Report{To: to, Counts: c.counts, Findings: []Finding{}}
	for _, f := range c.order {
		r.Findings = append(r.Findings, *f)
	}
	rank := func(f Finding) int { return slices.Index(conformance.Provenances(), f.Provenance) }
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(rank(a), rank(b)) })
	for _, d := range c.observer.Decisions() {
		switch d.Knowledge {
		case conformance.Confirmed:
			r.Statements.Confirmed++
		case conformance.Contradicted:
			r.Statements.Contradicted++
		default:
			r.Statements.NotSeen++
		}
	}
	return r
}
