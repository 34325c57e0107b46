// Package capsule is the file that a failed test leaves behind, and how it is run again: the seed and the clock of a world, and every
// request that it was sent, those that moved its clock and added its faults among them, with the statuses that came.
//
// What comes is the same each time under a clock that stands still, manual or steps; under any other it may differ.
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
	// Format is how every capsule says what it is.
	Format = "soundstage-capsule"
	// Version is the version that this program writes and reads.
	Version = 1
)

// Capsule is a recorded world. It is one JSON object.
type Capsule struct {
	Format     string     `json:"format"`
	Version    int        `json:"version"`
	Program    string     `json:"program"` // version of the program that wrote it
	World      string     `json:"world"`
	Seed       uint64     `json:"seed"`
	Clock      string     `json:"clock"` // as Options.Clock has it
	Options    Options    `json:"options"`
	Snapshot   []byte     `json:"snapshot"` // what the world began with, as package snapshot has it
	Incomplete string     `json:"incomplete,omitempty"`
	Requests   []Exchange `json:"requests"` // in the order in which they came
}

// Options are those of the sandbox that answers depend on.
type Options struct {
	AllowPrivateURLs bool                `json:"allow_private_urls,omitempty"`
	WebhookTime      string              `json:"webhook_time,omitempty"`
	PublicURL        string              `json:"public_url,omitempty"`
	RateLimits       map[engine.Tier]int `json:"rate_limits,omitempty"`
	SpeechLimit      time.Duration       `json:"speech_limit,omitempty"` // nanoseconds
	StorageSoftLimit int64               `json:"storage_soft_limit,omitempty"`
	StorageHardLimit int64               `json:"storage_hard_limit,omitempty"`
	Transcript       *Transcript         `json:"transcript,omitempty"` // default what the deterministic transcriber hears
}

// Transcript is what every transcription heard, and how long that took.
type Transcript struct {
	Takes time.Duration        `json:"takes"` // nanoseconds
	Heard engine.Transcription `json:"heard"`
}

// Exchange is a request and the status that came.
type Exchange struct {
	Number int         `json:"number"` // 1 is the first
	Method string      `json:"method"`
	Path   string      `json:"path"` // with the query
	Host   string      `json:"host"` // signed addresses begin with it
	Header http.Header `json:"headers,omitempty"`
	Body   Body        `json:"body,omitzero"`
	Status int         `json:"status"`           // 0 when none came
	SHA256 string      `json:"sha256,omitempty"` // of the answer's body, of /v1 under a clock that stands still
}

// Body is the body of a request.
type Body struct {
	Text    string `json:"text,omitempty"`
	Base64  []byte `json:"base64,omitempty"`  // instead of Text, for what is not UTF-8
	Omitted int64  `json:"omitted,omitempty"` // at least so many bytes were not recorded
}

func bodyOf(b []byte) Body {
	if utf8.Valid(b) {
		return Body{Text: string(b)}
	}
	return Body{Base64: b}
}

// Bytes is what was sent.
func (b Body) Bytes() []byte {
	if b.Base64 != nil {
		return b.Base64
	}
	return []byte(b.Text)
}

// Parse reads a capsule. CodeInvalid when it is none, is cut off or is of a newer version.
func Parse(raw []byte) (Capsule, error) {
	var head struct {
		Format  string
		Version int
	}
	if err := json.Unmarshal(raw, &head); err != nil || head.Format != Format {
		return Capsule{}, invalid("It is no capsule, or one that is cut off.").Because(err).
			WithHint("A capsule is the JSON file that a failed test or `soundstage serve --capsule FILE` writes.")
	}
	if head.Version > Version {
		return Capsule{}, invalid("The capsule is of version %d, and this program reads version %d.", head.Version, Version).
			WithHint("Use the version of Soundstage that wrote it, or a newer one.")
	}
	if head.Version != Version {
		return Capsule{}, invalid("There is no version %d of capsules.", head.Version)
	}
	var c Capsule
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return Capsule{}, invalid("The capsule is not what one should be: %v.", err)
	}
	for i, x := range c.Requests {
		if x.Method == "" || len(x.Path) == 0 || x.Path[0] != '/' || x.Number != i+1 {
			return Capsule{}, invalid("Request %d of the capsule has no method or no path, or another number.", i+1)
		}
	}
	return c, nil
}

func invalid(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, "capsule", "%s", fmt.Sprintf(format, args...))
}
