package lab

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/soundstage-dev/soundstage/assistant"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// request is a request to the control API.
type request struct {
	method, path string
	world        string
	query        url.Values
	body         any   // nil for none
	accept       []int // statuses besides 2xx whose body is a result
}

// maxResponse is the longest response that is read, in bytes: 100 exchanges with their bodies.
const maxResponse = 64 << 20

// control sends a request to the control API and decodes the response. It returns the API's errors, and CodeUnavailable if no sandbox
// responds.
func (t *tools) control(ctx context.Context, call assistant.Call, r request, into any) (status int, err error) {
	var body io.Reader
	if r.body != nil {
		raw, err := json.Marshal(r.body)
		if err != nil {
			return 0, err
		}
		body = bytes.NewReader(raw)
	}
	address := t.Base + "/_soundstage/" + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, address, body)
	if err != nil {
		return 0, fault.Errorf(fault.CodeInvalid, "lab", "The request is malformed.").Because(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if t.Token != "" {
		req.Header.Set("X-Soundstage-Token", t.Token)
	}
	if world := cmp.Or(r.world, call.Header.Get("X-Soundstage-World"), t.World); world != "" {
		req.Header.Set("X-Soundstage-World", world)
	}
	res, err := t.Send(req)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil:
		return 0, fault.Errorf(fault.CodeUnavailable, "lab", "No sandbox answers at %s.", t.Base).
			WithHint("Ask the user to start one with soundstage serve, or to start soundstage mcp lab with its address in --server.").Because(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxResponse+1))
	if err == nil && len(raw) > maxResponse {
		err = fault.Errorf(fault.CodeTooLarge, "lab", "The sandbox's response is longer than %d MiB.", maxResponse>>20).WithHint("Set a lower limit.")
	}
	if err != nil {
		return 0, err
	}
	if res.StatusCode >= 300 && !slices.Contains(r.accept, res.StatusCode) {
		return res.StatusCode, refusal(t.Base, res.StatusCode, raw)
	}
	if into != nil && len(raw) > 0 {
		if err := json.Unmarshal(raw, into); err != nil {
			return res.StatusCode, fault.Errorf(fault.CodeUnavailable, "lab", "The server at %s is not a Soundstage sandbox.", t.Base).Because(err)
		}
	}
	return res.StatusCode, nil
}

// refusal returns an error response as an error.
func refusal(base string, status int, raw []byte) error {
	var said struct{ Error, Hint string }
	if json.Unmarshal(raw, &said) != nil || said.Error == "" {
		return fault.Errorf(fault.CodeUnavailable, "lab", "The server at %s is not a Soundstage sandbox (it responds %d).", base, status).
			WithHint("Ask the user for the sandbox's address.")
	}
	return fault.Errorf(fault.CodeUnprocessable, "lab", "%s", said.Error).WithHint(said.Hint)
}

// queryOf returns the parameters that are set.
func queryOf(pairs ...string) url.Values {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" && pairs[i+1] != "0" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return q
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// maxItems is how many members of a list a result has, where a tool has no limit of its own.
const maxItems = 50

// shorten returns JSON with texts of at most most bytes and lists of at most maxItems members. The last member of a shortened list says how
// many are missing.
func shorten(v any, most int) any {
	switch v := v.(type) {
	case string:
		return assistant.Shorten(v, most)
	case []any:
		for i := range v[:min(len(v), maxItems)] {
			v[i] = shorten(v[i], most)
		}
		if len(v) > maxItems {
			return append(v[:maxItems:maxItems], fmt.Sprintf("… and %d more", len(v)-maxItems))
		}
	case map[string]any:
		for name := range v {
			v[name] = shorten(v[name], most)
		}
	}
	return v
}

// object sends a request, and returns the response with texts of at most most bytes.
func (t *tools) object(ctx context.Context, call assistant.Call, r request, most int) (*object, error) {
	out := &object{Result: map[string]any{}}
	if _, err := t.control(ctx, call, r, &out.Result); err != nil {
		return nil, err
	}
	shorten(out.Result, most)
	return out, nil
}

// maxText is the longest text of a result in bytes, where a tool has no limit of its own.
const maxText = 4000
