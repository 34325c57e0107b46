package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/drift"
	"github.com/soundstage-dev/soundstage/emulator/proxy"
	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/engine"
)

// proxyDrain is how long the proxy waits for requests in progress when it stops.
const proxyDrain = 10 * time.Second

// shownDrift is the number of differences that the proxy prints as soon as it finds them.
const shownDrift = 20

// runningProxy is a proxy with its recorder and its checker; a replay that never forwards has neither.
type runningProxy struct {
	flags    proxyFlags
	std      streams
	checker  *drift.Checker
	recorder *record.Recorder
	replay   *proxy.Replay
	handler  http.Handler
	close    func() error // of the sandbox that answers misses
	found    int
}

// runProxy serves until ctx is done, then writes the report.
func runProxy(ctx context.Context, o proxyFlags, std streams) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	p := &runningProxy{flags: o, std: std, close: func() error { return nil }}
	var recorded *recordedFolder
	if o.replay != "" {
		if recorded, err = readRecorded(o.replay, std); err != nil {
			return err
		}
		if p.flags.to == "" {
			p.flags.to = recorded.To
		}
	}
	to, err := proxy.ParseAddress(p.flags.to)
	if err != nil {
		return err
	}
	p.flags.to = to.String() // without a slash at its end, so that a recording can be continued
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.addr)
	if err != nil {
		return engine.Errorf(engine.CodeUnavailable, "proxy", "The proxy can't listen on the address %s.", o.addr).
			WithHint("Choose another address with --addr; 127.0.0.1:0 selects a free port.").Because(err)
	}
	defer func() { _ = listener.Close() }()
	if to.Host == listener.Addr().String() {
		return engine.Errorf(engine.CodeInvalid, "proxy", "--to %s is the proxy's own address.", p.flags.to).WithHint("Set another --addr.")
	}
	if isPlain(p.flags.to, to.Hostname()) && (o.replay == "" || o.miss == missForward) {
		fmt.Fprintf(std.err, "soundstage: %s is not https, so secrets are sent unencrypted\n", p.flags.to)
	}
	if err := p.open(ctx, recorded); err != nil {
		return err
	}
	err = p.serve(ctx, listener)
	return errors.Join(p.finish(), err)
}

// open makes the handler of the requests.
func (p *runningProxy) open(ctx context.Context, recorded *recordedFolder) (err error) {
	o := p.flags
	if recorded == nil || o.miss == missForward {
		if p.handler, err = p.forward(); err != nil {
			return err
		}
	}
	if recorded == nil {
		return nil
	}
	if o.miss == missSandbox {
		if p.handler, err = p.sandbox(ctx, recorded); err != nil {
			return err
		}
	}
	p.replay, err = proxy.NewReplay(recorded.all, proxy.ReplayConfig{To: o.to, PublicURL: o.publicURL, Miss: p.handler, Ignore: o.ignore})
	if err != nil {
		return err
	}
	if n := p.replay.Skipped(); n > 0 {
		fmt.Fprintf(p.std.err, "soundstage: %s can't be replayed: no response, or only a part of its body, was recorded\n", plural(n, "exchange", "exchanges"))
	}
	p.handler = p.replay
	return nil
}

// forward returns the handler that forwards to the service.
func (p *runningProxy) forward() (http.Handler, error) {
	o := p.flags
	transport, err := o.transport()
	if err != nil {
		return nil, err
	}
	if p.checker, err = drift.New(); err != nil {
		return nil, err
	}
	options := o.limits
	options.To, options.Program, options.Seen = o.to, versionString(), p.seen
	options.Notice = func(notice error) { fmt.Fprintln(p.std.err, explain(notice)) }
	if p.recorder, err = record.Create(o.record, options); err != nil {
		return nil, err
	}
	return proxy.New(proxy.Config{
		To: o.to, Recorder: p.recorder, PublicURL: o.publicURL, KeepStorageURLs: o.keepStorageURLs, Timeout: o.timeout, Transport: transport,
	})
}

// seen checks an exchange and prints the first differences. The recorder calls it in the order of the exchanges.
func (p *runningProxy) seen(x *record.Exchange) {
	for _, f := range p.checker.Add(x) {
		if p.found++; p.found <= shownDrift {
			fmt.Fprintf(p.std.err, "soundstage: drift (%s): %s: expected %s, got %s\n", f.Provenance, f.ID, f.Expected, f.Got)
		}
		if p.found == shownDrift {
			fmt.Fprintln(p.std.err, "soundstage: the report lists further differences")
		}
	}
}

// proxyReadiness is the JSON of the proxy's ready file.
type proxyReadiness struct {
	URL     string `json:"url"`
	To      string `json:"to"`
	Record  string `json:"record,omitempty"`
	Replay  string `json:"replay,omitempty"`
	PID     int    `json:"pid"`
	Version string `json:"version"`
}

// serve answers requests until ctx is done.
func (p *runningProxy) serve(ctx context.Context, listener net.Listener) error {
	ready := readyFile{path: p.flags.ready}
	if err := ready.clear(); err != nil {
		return err
	}
	address := "http://" + listener.Addr().String()
	p.greet(address)
	server := &http.Server{Handler: p.handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, ErrorLog: discardLog}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	if err := ready.write(proxyReadiness{address, p.flags.to, p.flags.record, p.flags.replay, os.Getpid(), versionString()}); err != nil {
		return errors.Join(err, server.Close())
	}
	select {
	case err := <-served:
		return errors.Join(err, ready.remove())
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.Background(), proxyDrain)
	defer cancel()
	if server.Shutdown(drain) != nil {
		_ = server.Close() // a stream may never end
	}
	return ready.remove()
}

func (p *runningProxy) greet(address string) {
	o := p.flags
	switch {
	case o.replay == "":
		fmt.Fprintf(p.std.out, "Proxy: %s → %s\n", address, o.to)
	default:
		fmt.Fprintf(p.std.out, "Replay: %s answers as %s, from %s; on a miss: %s\n", address, o.to, o.replay, o.miss)
	}
	if o.record != "" {
		fmt.Fprintf(p.std.out, "Recording in %s, without secrets.\n", o.record)
	}
	fmt.Fprintln(p.std.out, "Press Ctrl-C to stop.")
}

// finish ends the recording, prints the summary, and writes the reports.
func (p *runningProxy) finish() error {
	err := p.close()
	if p.recorder != nil {
		summary, lost := p.recorder.Close() // the checker has then seen every exchange
		err = errors.Join(lost, err, p.report(summary))
	}
	if p.replay != nil {
		err = errors.Join(err, p.replayed())
	}
	return err
}

func (p *runningProxy) report(summary record.Summary) error {
	r := p.checker.Report(p.flags.to)
	if err := r.Write(p.std.out, "text"); err != nil {
		return err
	}
	if p.flags.record != "" {
		fmt.Fprintf(p.std.out, "\nrecorded %s in %s: %d with a cut body, %d left out by a limit, %d lost\n",
			plural(int(summary.Recorded), "exchange", "exchanges"), p.flags.record, summary.Cut, summary.Left, summary.Lost)
	}
	for _, path := range p.flags.reports {
		if err := writeDrift(r, path, reportFormats[filepath.Ext(path)]); err != nil {
			return err
		}
	}
	return driftError(r, p.flags.strict)
}

// writeDrift writes a drift report to a file.
func writeDrift(r drift.Report, path, format string) error {
	var b bytes.Buffer
	if err := r.Write(&b, format); err != nil {
		return err
	}
	return writeFile(path, b.Bytes())
}

// driftError returns CodeUnprocessable if the service differs.
func driftError(r drift.Report, strict bool) error {
	if n := len(r.Drifts(strict)); n > 0 {
		return engine.Errorf(engine.CodeUnprocessable, "drift", "The service differs: %s.", plural(n, "difference", "differences"))
	}
	return nil
}

// replayed prints how requests were answered. With --miss fail, a miss is an error.
func (p *runningProxy) replayed() error {
	s := p.replay.Stats()
	fmt.Fprintf(p.std.out, "\nanswered from the recording: %d by an equal request, %d by one with other ids; missed: %d\n", s.Exact, s.ByID, s.Missed)
	for _, miss := range s.Misses {
		fmt.Fprintf(p.std.out, "  miss  %s\n", miss)
	}
	if s.Missed > 0 && p.flags.miss == missFail {
		return engine.Errorf(engine.CodeUnprocessable, "replay", "%s not recorded.", plural(s.Missed, "request was", "requests were"))
	}
	return nil
}
