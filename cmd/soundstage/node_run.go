package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/console"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/feed"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/engine/writer"
	"github.com/soundstage-dev/soundstage/internal/startgc"
	"github.com/soundstage-dev/soundstage/node"
	"github.com/soundstage-dev/soundstage/render"
)

// nodeRun is a node that is being started: what its commands share.
type nodeRun struct {
	flags   nodeFlags
	ports   emulator.Options // only its backends and limits
	config  node.Config
	addr    string // of the API; "" for none
	temp    string // folder for temporary files, which the next node removes if this one is killed
	ready   readyFile
	notices []string
	closers []func() error
}

// run opens the storage and runs the node until ctx is done.
func (r *nodeRun) run(cmd *cobra.Command, std streams) (err error) {
	defer func() { err = errors.Join(err, r.close()) }()
	startgc.Set(defaultGC)
	ctx := cmd.Context()
	if err := r.prepare(ctx, cmd); err != nil {
		return err
	}
	n, err := node.New(ctx, r.config)
	if err != nil {
		return err
	}
	r.greet(std)
	if err := r.ready.write(readiness{URL: r.url(), PublicURL: r.config.PublicURL, PID: os.Getpid(), Version: r.config.Version}); err != nil {
		return errors.Join(err, n.Close())
	}
	r.closers = append(r.closers, r.ready.remove)
	stop := context.AfterFunc(ctx, func() { fmt.Fprintln(std.err, "soundstage: draining; interrupt again to stop immediately") })
	defer stop()
	return n.Run(ctx)
}

// prepare opens everything that the node needs. What it opens is closed by close.
func (r *nodeRun) prepare(ctx context.Context, cmd *cobra.Command) error {
	if err := r.flags.apply(&r.config); err != nil {
		return err
	}
	if err := r.ready.clear(); err != nil {
		return err
	}
	if r.config.Work {
		if err := checkFFmpegVersion(ctx, r.ports.FFmpeg); err != nil {
			return err
		}
	}
	temp, remove, err := render.NewTempDir("")
	if err != nil {
		return err
	}
	r.temp = temp
	r.closers = append(r.closers, remove)
	s, err := r.flags.open(ctx, cmd, filepath.Join(temp, "media"))
	if err != nil {
		return err
	}
	r.closers = append(r.closers, s.close)
	r.config.Store, r.config.Blobs = s.store, s.blobs
	if err := r.listen(ctx); err != nil {
		return err
	}
	if err := r.trace(ctx); err != nil {
		return err
	}
	return r.openPorts()
}

// listen opens the listeners.
func (r *nodeRun) listen(ctx context.Context) (err error) {
	open := func(addr, flag string) (net.Listener, error) {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
		if err != nil {
			return nil, listenError(addr, flag, err)
		}
		r.closers = append(r.closers, func() error { _ = l.Close(); return nil }) // the node may have closed it
		return l, nil
	}
	if r.addr != "" {
		if r.config.API, err = open(r.addr, "--addr"); err != nil {
			return err
		}
	}
	if r.flags.metricsAddr != "" {
		r.config.Admin, err = open(r.flags.metricsAddr, "--metrics-addr")
	}
	return err
}

func listenError(addr, flag string, err error) error {
	e := engine.Errorf(engine.CodeUnavailable, "listen", "The node can't listen on the address %s.", addr)
	if fault.AddressInUse(err) {
		e = engine.Errorf(engine.CodeConflict, "listen", "The address %s is in use by another program.", addr)
	}
	return e.Because(err).WithHint("Choose another HOST:PORT with " + flag + ".")
}

// trace opens the exporter of traces, if they are wanted.
func (r *nodeRun) trace(ctx context.Context) error {
	if !r.flags.traces && !node.TracesWanted(os.Getenv) {
		return nil
	}
	tracer, stop, err := node.NewTraces(ctx, r.config.Version)
	if err != nil {
		return err
	}
	r.config.Traces = tracer
	r.closers = append(r.closers, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = stop(ctx) // a collector that is down must not fail the exit
		return nil
	})
	return nil
}

// openPorts sets the ports and limits of the engine. Downloads and webhooks never reach the node's own listeners.
func (r *nodeRun) openPorts() (err error) {
	o, ffmpeg := r.ports, r.ports.FFmpeg
	ffmpeg.TempDir, ffmpeg.Known = r.temp, new(render.KnownMedia)
	reach := fetch.Config{AllowPrivate: o.AllowPrivateURLs, Own: r.own()}
	downloads, sender := fetch.New(reach), fetch.NewSender(reach)
	r.closers = append(r.closers, func() error { sender.Close(); return nil })
	limited := media.Limit(wav.Media{Fallback: ffmpeg}, o.MaxDuration)
	e := engine.Config{
		Media: limited, Transcriber: &fake.Transcriber{Media: limited, Diarizer: diarize.Diarizer{}}, Diarizer: diarize.Diarizer{}, DiarizeAll: o.DiarizeAll,
		Renderer: render.Renderer{FFmpeg: ffmpeg}, Fetcher: downloads, Feeds: feed.New(downloads), Sender: sender,
		LLM: writer.LLM{}, Translator: fake.Translator{},
		MaxDuration: o.MaxDuration, Deadline: o.Deadline, Retry: queue.RetryPolicy{Outage: o.Outage},
		StorageSoftLimit: o.StorageSoftLimit, StorageHardLimit: o.StorageHardLimit, SpeechLimit: o.SpeechLimit,
	}
	if e.Renders, err = o.Renders.Engine(); err != nil {
		return err
	}
	if o.NewTranscriber != nil {
		if e.Transcriber, err = o.NewTranscriber(limited); err != nil {
			return err
		}
	}
	if o.LLM != nil {
		e.LLM, e.Translator = o.LLM, o.Translator
	}
	if o.YTDLP != "" {
		if e.Resolver, err = fetch.NewYTDLP(fetch.YTDLPConfig{Path: o.YTDLP, Config: reach}); err != nil {
			return err
		}
	}
	r.config.Engine = e
	return nil
}

// own returns the addresses that the node listens on.
func (r *nodeRun) own() (own []netip.AddrPort) {
	for _, l := range []net.Listener{r.config.API, r.config.Admin} {
		if l == nil {
			continue
		}
		if a, err := netip.ParseAddrPort(l.Addr().String()); err == nil {
			own = append(own, a)
		}
	}
	return own
}

// url returns the base URL of the API on this machine, or "".
func (r *nodeRun) url() string {
	if r.config.API == nil {
		return ""
	}
	return localURL(r.config.API.Addr())
}

func localURL(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", tcp.Port)
	}
	return "http://" + addr.String()
}

// greet prints what the node does.
func (r *nodeRun) greet(std streams) {
	where := ""
	if r.config.API != nil {
		where = " on " + r.url()
	}
	fmt.Fprintf(std.out, "Soundstage node %s%s (%s)\n", r.config.Version, where, describeWork(r.config))
	if r.config.Admin != nil {
		fmt.Fprintf(std.out, "Metrics on %s/metrics\n", localURL(r.config.Admin.Addr()))
	}
	if r.config.ControlToken != "" {
		fmt.Fprintf(std.out, "Console for operators on %s%s\n", r.url(), console.Path)
	}
	if r.config.Work && r.ports.NewTranscriber == nil {
		r.notices = append(r.notices, "transcripts are invented; choose a real service with --transcriber")
	}
	for _, notice := range r.notices {
		fmt.Fprintln(std.err, "soundstage:", notice)
	}
}

func (r *nodeRun) close() error {
	var errs []error
	for i := len(r.closers) - 1; i >= 0; i-- {
		errs = append(errs, r.closers[i]())
	}
	return errors.Join(errs...)
}
