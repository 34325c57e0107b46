package emulator

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/capsule"
	"github.com/soundstage-dev/soundstage/emulator/control"
)

// Replayed is the result of replaying one request of a capsule.
type Replayed struct {
	Number int    `json:"number"`
	Method string `json:"method"`
	Path   string `json:"path"`
	Was    int    `json:"was"`            // recorded status; 0 without a response
	Is     int    `json:"is"`             // status of the replay
	Body   string `json:"body,omitempty"` // "differs" when the response's body does; "omitted" when the request's body was not recorded
	Same   bool   `json:"same"`
}

// Replay starts a sandbox in the capsule's initial state, sends the capsule's requests in order, and calls each with every result.
// It stops after the first until requests; 0 means all. Requests have the recorded host, so that signed URLs stay the same. It
// returns the errors of New and LoadSnapshot, and ctx's.
func Replay(ctx context.Context, c capsule.Capsule, until int, each func(Replayed)) (err error) {
	o := Options{
		Seed: c.Seed, Clock: ClockMode(c.Clock), FFmpegOptional: true, Version: c.Program, anyHost: true,
		AllowPrivateURLs: c.Options.AllowPrivateURLs, WebhookTime: WebhookTime(c.Options.WebhookTime), PublicURL: c.Options.PublicURL,
		RateLimits: c.Options.RateLimits, MaxDuration: c.Options.MaxDuration, SpeechLimit: c.Options.SpeechLimit,
		StorageSoftLimit: c.Options.StorageSoftLimit, StorageHardLimit: c.Options.StorageHardLimit,
	}
	if t := c.Options.Transcript; t != nil {
		o.Transcriber = Scripted{Delay: t.Delay, Result: t.Result}
	}
	s, err := New(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if c.World != control.DefaultWorld {
		if _, err := s.CreateWorld(ctx, control.NewWorld{Name: c.World}); err != nil {
			return err
		}
	}
	if err := s.LoadSnapshot(ctx, c.World, bytes.NewReader(c.Snapshot)); err != nil {
		return err
	}
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	for _, x := range c.Requests {
		if until > 0 && x.Number > until {
			return nil
		}
		now, err := replayRequest(ctx, transport, s.URL(), x)
		if err != nil {
			return err
		}
		each(now)
	}
	return nil
}

// replayRequest sends a recorded request. The error is ctx's.
func replayRequest(ctx context.Context, t http.RoundTripper, base string, x capsule.Exchange) (Replayed, error) {
	out := Replayed{Number: x.Number, Method: x.Method, Path: x.Path, Was: x.Status}
	if x.Body.Omitted > 0 {
		out.Body = "omitted"
		return out, nil
	}
	req, err := http.NewRequestWithContext(ctx, x.Method, base+x.Path, bytes.NewReader(x.Body.Bytes()))
	if err != nil {
		out.Same = x.Status == http.StatusBadRequest // the request can't be sent
		return out, nil
	}
	req.Header = http.Header{"User-Agent": nil}
	for name, values := range x.Header {
		req.Header[name] = values
	}
	if !strings.HasPrefix(req.URL.Path, "/_soundstage/") { // the control API requires a local host name
		req.Host = x.Host
	}
	res, err := t.RoundTrip(req)
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	if err == nil {
		defer func() { _ = res.Body.Close() }()
		hash := sha256.New()
		_, err = io.Copy(hash, res.Body)
		out.Is = res.StatusCode
		if x.SHA256 != "" && hex.EncodeToString(hash.Sum(nil)) != x.SHA256 && err == nil {
			out.Body = "differs"
		}
	}
	if err != nil && x.Status == 0 {
		out.Is = 0 // aborted, as recorded
	}
	out.Same = out.Is == out.Was && out.Body == ""
	return out, nil
}
