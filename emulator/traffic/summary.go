package traffic

import "time"

// Summary is an exchange without headers and bodies.
type Summary struct {
	Number        int64     `json:"number"`
	Time          time.Time `json:"time"`
	World         string    `json:"world"`
	Method        string    `json:"method"`
	Path          string    `json:"path"`
	Query         string    `json:"query,omitempty"`
	Op            string    `json:"op,omitempty"`
	Resource      string    `json:"resource,omitempty"`
	Status        int       `json:"status"`
	DurationMS    float64   `json:"duration_ms"`
	RequestBytes  int64     `json:"request_bytes"`
	ResponseBytes int64     `json:"response_bytes"`
	Aborted       bool      `json:"aborted,omitempty"`
	Tier          string    `json:"tier,omitempty"`
	Key           string    `json:"key,omitempty"`
	Secret        string    `json:"secret,omitempty"`
	Fault         string    `json:"fault,omitempty"`
	Reason        string    `json:"reason,omitempty"`
	ResendOf      int64     `json:"resend_of,omitempty"`
}

// Summary returns the entry's Summary. It may be called by Config.Ended.
func (e *Entry) Summary(world string) Summary {
	return Summary{
		Number: e.Number, Time: e.Time, World: world, Method: e.Method, Path: e.Path, Query: e.Query, Op: e.Op, Resource: e.Resource,
		Status: e.Status, DurationMS: millis(e.Duration), RequestBytes: e.RequestBody.Bytes, ResponseBytes: e.ResponseBody.Bytes,
		Aborted: e.Aborted, Tier: e.Tier, Key: e.Key, Secret: e.shownSecret(), Fault: e.Fault, Reason: e.Reason, ResendOf: e.ResendOf,
	}
}
