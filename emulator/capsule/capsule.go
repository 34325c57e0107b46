// Package capsule defines the file that records a world's run so that it can be replayed. A capsule contains the world's seed,
// clock, and initial snapshot, and every recorded request with the response's status, including clock moves and faults.
//
// A [Recorder] records a world, [Capsule.WriteFile] saves the result, and [Parse] reads it back. To replay a capsule, use
// `soundstage replay FILE`. Responses are reproducible only with a frozen clock (manual or steps).
package capsule

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	// Format identifies a capsule.
	Format = "soundstage-capsule"
	// Version is the version that this package writes and reads.
	Version = 1
)

// Capsule is the recording of a world's run. It is stored as one JSON object.
type Capsule struct {
	Format     string     `json:"format"`
	Version    int        `json:"version"`
	Program    string     `json:"program"` // version of the program that wrote the capsule
	World      string     `json:"world"`
	Seed       uint64     `json:"seed"`
	Clock      string     `json:"clock"` // in the format of Options.Clock
	Options    Options    `json:"options"`
	Snapshot   []byte     `json:"snapshot"` // the initial state, in the format of package snapshot
	Incomplete string     `json:"incomplete,omitempty"`
	Requests   []Exchange `json:"requests"` // in order of arrival
}

// Options are the sandbox's options that affect responses.
type Options struct {
	AllowPrivateURLs bool                `json:"allow_private_urls,omitempty"`
	WebhookTime      string              `json:"webhook_time,omitempty"`
	PublicURL        string              `json:"public_url,omitempty"`
	RateLimits       map[engine.Tier]int `json:"rate_limits,omitempty"`
	MaxDuration      time.Duration       `json:"max_duration,omitempty"` // nanoseconds
	SpeechLimit      time.Duration       `json:"speech_limit,omitempty"` // nanoseconds
	StorageSoftLimit int64               `json:"storage_soft_limit,omitempty"`
	StorageHardLimit int64               `json:"storage_hard_limit,omitempty"`
	Transcript       *Transcript         `json:"transcript,omitempty"` // default: the output of the deterministic transcriber
}

// Transcript is the scripted result of every transcription, and how long each one takes.
type Transcript struct {
	Delay  time.Duration        `json:"takes"` // nanoseconds
	Result engine.Transcription `json:"heard"`
}

// Exchange is a request and the status of its response.
type Exchange struct {
	Number int         `json:"number"` // from 1
	Method string      `json:"method"`
	Path   string      `json:"path"` // including the query
	Host   string      `json:"host"` // signed URLs begin with it
	Header http.Header `json:"headers,omitempty"`
	Body   Body        `json:"body,omitzero"`
	Status int         `json:"status"`           // 0 without a response
	SHA256 string      `json:"sha256,omitempty"` // of the response body; only under /v1 with a frozen clock
}

// Body is a request body.
type Body struct {
	Text    string `json:"text,omitempty"`
	Base64  []byte `json:"base64,omitempty"`  // instead of Text when the body isn't UTF-8
	Omitted int64  `json:"omitted,omitempty"` // the least number of bytes that were not recorded
}

func newBody(b []byte) Body {
	if utf8.Valid(b) {
		return Body{Text: string(b)}
	}
	return Body{Base64: b}
}

// Bytes returns the recorded bytes.
func (b Body) Bytes() []byte {
	if b.Base64 != nil {
		return b.Base64
	}
	return []byte(b.Text)
}

// Parse reads a capsule. CodeInvalid when raw is not a capsule, is truncated, or has another version.
func Parse(raw []byte) (Capsule, error) {
	var head struct {
		Format  string
		Version int
	}
	if err := json.Unmarshal(raw, &head); err != nil || head.Format != Format {
		return Capsule{}, invalid("The file is not a capsule, or it is truncated.").Because(err).
			WithHint("Failed tests and `soundstage serve --capsule FILE` write capsules.")
	}
	if head.Version > Version {
		return Capsule{}, invalid("The capsule has version %d, but this program reads version %d.", head.Version, Version).
			WithHint("Use the version of Soundstage that wrote it, or a later one.")
	}
	if head.Version != Version {
		return Capsule{}, invalid("%d is not a valid capsule version.", head.Version)
	}
	var c Capsule
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return Capsule{}, invalid("The capsule is invalid: %v.", err)
	}
	for i, x := range c.Requests {
		if x.Method == "" || len(x.Path) == 0 || x.Path[0] != '/' || x.Number != i+1 {
			return Capsule{}, invalid("Request %d of the capsule has no method, no valid path, or the wrong number.", i+1)
		}
	}
	return c, nil
}

func invalid(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, "capsule", "%s", fmt.Sprintf(format, args...))
}
