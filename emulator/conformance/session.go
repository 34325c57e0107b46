package conformance

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"sync"
	"time"
)

// session is one run against one server.
type session struct {
	config    Config
	ctx       context.Context
	client    *http.Client
	secrets   map[role]string
	nonce     string // part of the name of everything that the run creates
	unknownID string // an id that doesn't exist
	media     *mediaServer
	hooks     *receiver

	longestPause time.Duration // limit for the pause between two requests of one check
	eventWait    time.Duration // limit for the wait for an event

	mu         sync.Mutex
	shared     map[string]*sharedResource
	answers    []answer // from /v1, for everyAnswerChecks
	notOffered []string // endpoints that the server doesn't offer
	toDelete   []string // paths to delete at the end
}

func newSession(ctx context.Context, c Config) *session {
	nonce := strings.ToLower(rand.Text()[:10])
	return &session{
		config: c, ctx: ctx, client: newClient(c.Workers), nonce: nonce, unknownID: newUUID(), shared: map[string]*sharedResource{}, longestPause: time.Hour, eventWait: c.Timeout,
		secrets: map[role]string{
			platform: c.Secret, core: c.SecretCore, automation: c.SecretAutomation, noPlan: c.SecretNone, other: c.SecretOther,
			unknownSecret: "sk_conformance_" + nonce,
		},
	}
}

// named returns the run's name for something that it creates.
func (s *session) named(what string) string { return "conformance-" + s.nonce + "-" + what }

// path returns the path of a URL of the server, for messages.
func (s *session) path(url string) string {
	url, _, _ = strings.Cut(strings.TrimPrefix(url, s.config.BaseURL), "?")
	return url
}

func (s *session) note(a answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, a)
}

// seen returns the answers from /v1 so far.
func (s *session) seen() []answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]answer(nil), s.answers...)
}

func newUUID() string {
	const digits = "0123456789abcdef"
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never fails
	raw[6], raw[8] = raw[6]&0x0f|0x40, raw[8]&0x3f|0x80
	var b strings.Builder
	for i, c := range raw {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			b.WriteByte('-')
		}
		b.WriteByte(digits[c>>4])
		b.WriteByte(digits[c&15])
	}
	return b.String()
}
