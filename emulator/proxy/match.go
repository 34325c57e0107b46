package proxy

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// idPattern matches an id of the service.
var idPattern = lazyregexp.New(`\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:obj|imp)_[0-9A-Za-z-]{6,})\b`)

// key is what two requests are compared by.
type key struct {
	exact, loose string   // everything; and with placeholders for ids
	ids          []string // in order

	method, path, query string
	auth                bool
}

// keyOf returns the key of a request.
func (r *Replay) keyOf(x *record.Exchange) key {
	k := key{method: x.Method, path: x.Path, auth: x.Auth != ""}
	body := ""
	if x.Storage {
		k.path, k.auth = x.Host+x.Path, false
	} else {
		k.query, body = sorted(x.Query), r.body(x)
	}
	auth := "without"
	if k.auth {
		auth = "with"
	}
	k.exact = strings.Join([]string{k.method, k.path, k.query, auth, body}, "\n")
	k.ids = idPattern.FindAllString(k.exact, -1)
	k.loose = idPattern.ReplaceAllString(k.exact, "{id}")
	return k
}

// sorted returns a query with its parameters in order.
func sorted(raw string) string {
	q, err := url.ParseQuery(raw)
	if err != nil {
		return raw
	}
	return q.Encode()
}

// body returns a request's body in a form that doesn't depend on the order of members. Ignored members are left out.
func (r *Replay) body(x *record.Exchange) string {
	if !x.RequestBody.Whole() {
		return "cut " + x.RequestBody.Text
	}
	var v any
	d := json.NewDecoder(strings.NewReader(x.RequestBody.Text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(x.RequestBody.Data())
	}
	if object, ok := v.(map[string]any); ok {
		for _, name := range r.config.Ignore {
			delete(object, name)
		}
	}
	plain, err := json.Marshal(v)
	if err != nil {
		return x.RequestBody.Text
	}
	return string(plain)
}
