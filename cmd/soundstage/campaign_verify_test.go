package main

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// verifier compares a server with a ledger.
type verifier struct {
	*loadClient
	before time.Time // compares only what was acknowledged before; zero for everything
	wrong  []string
}

func (v *verifier) failf(format string, args ...any) {
	v.wrong = append(v.wrong, fmt.Sprintf(format, args...))
}

// get returns a resource. No response is a failure, too; a fault may last for a while.
func (v *verifier) get(path string) (int, map[string]any) {
	status, body, err := v.send("GET", path, nil)
	for deadline := time.Now().Add(time.Minute); err != nil && v.retry && time.Now().Before(deadline); {
		pauseFor(v.ctx, 100*time.Millisecond)
		status, body, err = v.send("GET", path, nil)
	}
	if err != nil {
		v.failf("%s: %v", path, err)
	}
	return status, body
}

// promises checks every given promise that has a path.
func (v *verifier) promises(list []*promise) {
	for _, p := range list {
		if p.path == "" || p.lost {
			continue
		}
		status, body := v.get(p.path)
		if wrong := p.check(status, body); wrong != "" {
			p.lost = true
			v.failf("%s", wrong)
		}
	}
}

// speakers checks that every acknowledged speaker exists once, with the last acknowledged biography or a newer one.
func (v *verifier) speakers() {
	_, body := v.get("/v1/spaces/" + campaignSpace + "/speakers")
	all, _ := body["speakers"].([]any)
	found := map[any]map[string]any{}
	var names []string
	for _, one := range all {
		s, _ := one.(map[string]any)
		found[s["id"]] = s
		names = append(names, fmt.Sprint(s["name"]))
	}
	v.unique("speakers", names)
	for _, c := range v.ledger.counters {
		want, acked := c.acked(v.before)
		s := found[c.id]
		bio, _ := s["bio"].(string)
		n, _ := strconv.Atoi(bio)
		switch {
		case !acked:
		case s == nil || s["name"] != c.name:
			v.failf("speaker %s %s is lost", c.id, c.name)
		case n < want || n > c.sent:
			v.failf("speaker %s has biography %q, want %d to %d", c.name, bio, want, c.sent)
		}
	}
}

// unique checks that no name is a duplicate.
func (v *verifier) unique(what string, names []string) {
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			v.failf("%s: %s is a duplicate", what, names[i])
		}
	}
}

// recordings checks that recordings have unique titles and numbers, and returns their IDs.
func (v *verifier) recordings() (ids []string) {
	var titles, numbers []string
	for cursor := ""; ; {
		path := "/v1/recordings?limit=100"
		if cursor != "" {
			path += "&cursor=" + cursor
		}
		_, body := v.get(path)
		page, _ := body["recordings"].([]any)
		for _, one := range page {
			r, _ := one.(map[string]any)
			ids = append(ids, fmt.Sprint(r["id"]))
			titles, numbers = append(titles, fmt.Sprint(r["title"])), append(numbers, fmt.Sprint(r["number"]))
		}
		if cursor, _ = body["next_cursor"].(string); cursor == "" {
			break
		}
	}
	v.unique("titles of recordings", titles)
	v.unique("numbers of recordings", numbers)
	return ids
}

// outputs checks that the base recording has no output twice.
func (v *verifier) outputs() {
	_, body := v.get(fmt.Sprint("/v1/recordings/", v.base.Load(), "/outputs"))
	all, _ := body["outputs"].([]any)
	var names []string
	for _, one := range all {
		o, _ := one.(map[string]any)
		names = append(names, fmt.Sprint(o["name"]))
	}
	v.unique("outputs", names)
}

// settle waits until the jobs of the given promises have ended. Every job must complete.
func (v *verifier) settle(list []*promise) {
	for _, p := range list {
		if p.status == "" || p.ended != "" {
			continue
		}
		eventually(v.t, p.path, func() (string, bool) {
			status, body := v.get(p.path)
			if wrong := p.check(status, body); wrong != "" {
				v.failf("%s", wrong)
				p.ended = "lost"
				return "", true
			}
			if p.wrap != "" {
				body, _ = body[p.wrap].(map[string]any)
			}
			switch now := fmt.Sprint(body[p.status]); now {
			case "queued", "processing", "rendering", "retrying":
				return now, false
			case "completed":
				p.ended = now
			default:
				p.ended = now
				v.failf("%s ended as %v", p.path, body)
			}
			return "", true
		})
	}
}
