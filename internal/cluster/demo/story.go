package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/internal/cluster"
)

const (
	poll     = 50 * time.Millisecond
	window   = 40 * time.Second // length of the clip, so that its render takes long enough to be interrupted
	progress = 3 * time.Second  // of the render before its worker is killed
	deadline = 5 * time.Minute  // for each wait
)

// story is one run of the demo.
type story struct {
	start   time.Time
	program string
	dir     string // for results
	cluster *cluster.Cluster
	client  client
}

// say prints a line with the time since the start.
func (s *story) say(format string, args ...any) {
	fmt.Printf("%6.1f s  %s\n", time.Since(s.start).Seconds(), fmt.Sprintf(format, args...))
}

// tell runs all steps.
func (s *story) tell(ctx context.Context) error {
	hook, err := s.subscribe(ctx)
	if err != nil {
		return err
	}
	defer hook.close()
	if err := s.demo(ctx); err != nil {
		return err
	}
	recording, err := s.record(ctx)
	if err != nil {
		return err
	}
	clip, err := s.interrupted(ctx, recording)
	if err != nil {
		return err
	}
	if err := s.check(ctx, clip); err != nil {
		return err
	}
	return s.deliveries(ctx, hook)
}

// demo runs soundstage demo through the proxy, and prints its output indented.
func (s *story) demo(ctx context.Context) error {
	s.say("Running soundstage demo through the proxy:")
	cmd := exec.CommandContext(ctx, s.program, "demo", "--base-url", s.cluster.URL, "-o", s.dir)
	cmd.Env = append(os.Environ(), "SOUNDSTAGE_SECRET="+s.client.secret)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fmt.Println(strings.TrimRight("          │ "+lines.Text(), " "))
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("soundstage demo: %w", err)
	}
	n := s.cluster.Proxy.Requests()
	s.say("API node 1 answered %d of its requests, API node 2 %d.", n[0], n[1])
	return nil
}

// record uploads a longer video, made of the demo's, and waits for its transcript.
func (s *story) record(ctx context.Context) (id string, err error) {
	long := filepath.Join(s.dir, "long.mp4")
	loop := exec.CommandContext(ctx, "ffmpeg", "-v", "error", "-y", "-stream_loop", "2", "-i", filepath.Join(s.dir, "conversation.mp4"), "-c", "copy", long)
	if out, err := loop.CombinedOutput(); err != nil {
		return "", fmt.Errorf("ffmpeg: %w: %s", err, out)
	}
	media, err := os.ReadFile(long)
	if err != nil {
		return "", err
	}
	if id, err = s.client.record(ctx, "long.mp4", "video/mp4", media); err != nil {
		return "", err
	}
	s.say("Uploaded a video of 75 s. Recording %s has its transcript.", id)
	return id, nil
}

// interrupted renders a clip whose worker is killed, and returns the address of the clip.
func (s *story) interrupted(ctx context.Context, recording string) (address string, err error) {
	id, err := s.client.createRender(ctx, recording, window)
	if err != nil {
		return "", err
	}
	s.say("POST /v1/renders: render %s, a clip of %.0f s.", id, window.Seconds())
	victim, err := s.worker(ctx, nil)
	if err != nil {
		return "", err
	}
	s.say("%s (process %d) renders it.", victim.Name, victim.PID())
	if err := pause(ctx, progress); err != nil {
		return "", err
	}
	if status, _, err := s.client.render(ctx, id); err != nil || status != "rendering" {
		return "", errors.Join(err, fmt.Errorf("the render should be in progress (status %q)", status))
	}
	victim.Kill()
	killed := time.Now()
	s.say("kill -9 of %s in the middle of the render. The other may take the job when its lease of 30 s expires: within 40 s.", victim.Name)
	s.cluster.APIs[0].Kill()
	s.say("kill -9 of %s, too. The proxy goes on with API node 2.", s.cluster.APIs[0].Name)
	reads := s.watch(ctx, id)
	heir, err := s.worker(ctx, victim)
	if err != nil {
		return "", err
	}
	s.say("%s (process %d) took the render over, %.1f s after the kill.", heir.Name, heir.PID(), time.Since(killed).Seconds())
	r := <-reads
	if r.err != nil {
		return "", r.err
	}
	s.say("The render is completed. Meanwhile, %d of %d GET requests through the proxy failed.", r.failed, r.count)
	return r.address, nil
}

// worker waits until a worker other than the given one renders, and returns it.
func (s *story) worker(ctx context.Context, other *cluster.Node) (*cluster.Node, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, deadline, errors.New("no worker renders"))
	defer cancel()
	for {
		for _, n := range s.cluster.Workers {
			if n == other {
				continue
			}
			if jobs, err := n.Running(ctx, "render"); err == nil && jobs > 0 {
				return n, nil
			}
		}
		if err := pause(ctx, poll); err != nil {
			return nil, err
		}
	}
}

// reads are the requests that watched a render.
type reads struct {
	count, failed int
	address       string // of the clip
	err           error
}

// watch reads a render again and again until it is completed.
func (s *story) watch(ctx context.Context, id string) <-chan reads {
	done := make(chan reads, 1)
	go func() {
		ctx, cancel := context.WithTimeoutCause(ctx, deadline, errors.New("the render doesn't end"))
		defer cancel()
		r := reads{}
		for r.address == "" && r.err == nil {
			status, address, err := s.client.render(ctx, id)
			r.count++
			switch {
			case err != nil:
				r.failed++
			case status == "completed":
				r.address = address
			case status != "rendering":
				r.err = fmt.Errorf("the render is %s", status)
			}
			if r.err == nil {
				r.err = pause(ctx, poll)
			}
		}
		done <- r
	}()
	return done
}

// check downloads the clip and asks ffprobe what is in it.
func (s *story) check(ctx context.Context, address string) error {
	body, err := s.client.do(ctx, "GET", address, "", nil)
	if err != nil {
		return err
	}
	path := filepath.Join(s.dir, "taken-over.mp4")
	if err := os.WriteFile(path, body, 0o644); err != nil {
		return err
	}
	probe := exec.CommandContext(ctx, "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height:format=duration", "-of", "compact=p=0:nk=1", path)
	probe.Stderr = os.Stderr
	out, err := probe.Output()
	if err != nil {
		return fmt.Errorf("ffprobe: %w", err)
	}
	found := strings.Fields(string(out))
	s.say("Downloaded %s from the S3 server, %d bytes. ffprobe: %s s.", path, len(body), strings.Join(found, ", "))
	var seconds float64
	if _, err := fmt.Sscan(found[len(found)-1], &seconds); err != nil || seconds < window.Seconds()-2 || seconds > window.Seconds()+2 {
		return fmt.Errorf("the clip should take about %.0f s", window.Seconds())
	}
	return decode(ctx, path)
}

// decode fails if a video can't be decoded to its end.
func decode(ctx context.Context, path string) error {
	problems, err := exec.CommandContext(ctx, "ffmpeg", "-v", "error", "-xerror", "-i", path, "-f", "null", "-").CombinedOutput()
	if err != nil {
		return fmt.Errorf("the clip can't be decoded: %w: %s", err, problems)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// discard reads a body to its end, so that its connection can be used again.
func discard(r io.Reader) { _, _ = io.Copy(io.Discard, r) }
