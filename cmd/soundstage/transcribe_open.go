package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/console"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/formats"
)

// playerFile returns the file of --open. It is the output file if that is a page and --format doesn't say otherwise, or else next to the output
// file, to the media file, or, for a URL, in the current folder.
func (o transcribeFlags) playerFile(what string) (file string, isOutput bool) {
	ext := strings.ToLower(filepath.Ext(o.output))
	switch {
	case o.format == "" && (ext == ".html" || ext == ".htm"):
		return o.output, true
	case o.output != "":
		what = o.output
	case strings.Contains(what, "://"):
		what = nameOfURL(what)
	}
	return strings.TrimSuffix(what, filepath.Ext(what)) + ".player.html", false
}

// nameOfURL returns the name of the file that a URL is about.
func nameOfURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "transcript"
	}
	name := filepath.Base(path.Base(u.Path))
	if strings.Trim(name, `./\`) == "" {
		return "transcript"
	}
	return name
}

// checkPlayer reports, before the work, why a page can't be written. A name that the user didn't choose never replaces a file, except for an
// earlier page of this command.
func (o transcribeFlags) checkPlayer(what string) error {
	const op = "transcribe"
	file, isOutput := o.playerFile(what)
	if sameFile(file, what) {
		return engine.Errorf(engine.CodeInvalid, op, "The page would overwrite its input %s.", what).WithHint("Choose another file with -o.")
	}
	old, err := os.Open(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return checkFolder(file)
	case err != nil:
		return cantWrite(file, err)
	}
	defer func() { _ = old.Close() }()
	head := make([]byte, 4<<10)
	n, err := old.Read(head)
	if !isOutput && (err != nil || !bytes.Contains(head[:n], []byte(console.PlayerMark))) {
		return engine.Errorf(engine.CodeConflict, op, "The file %s exists, and is not a page of --open.", file).
			WithHint("Remove it, or choose another file with -o, for example -o page.html.")
	}
	return checkFolder(file)
}

// checkFolder reports whether a file can be written to its folder.
func checkFolder(file string) error {
	probe, err := os.CreateTemp(filepath.Dir(file), ".soundstage-*")
	if err != nil {
		return cantWrite(file, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// playerPeaks is the number of peaks of a page's waveform.
const playerPeaks = 2000

// peaksOf returns the waveform of a file, or nil: a page without it is better than none. What a URL had isn't there any more.
func peaksOf(ctx context.Context, m *probedMedia, what string) []float64 {
	if strings.Contains(what, "://") || m.info().Audio == nil {
		return nil
	}
	pcm, err := m.Decode(ctx, files.Source(what))
	if err != nil {
		return nil
	}
	defer func() { _ = pcm.Close() }()
	peaks, err := media.Peaks(pcm, playerPeaks)
	if err != nil {
		return nil
	}
	return peaks
}

// mediaURL returns the URL of the media for a page: of a file, its path relative to the page, or its file URL on another volume.
func mediaURL(page, what string) (string, error) {
	if strings.Contains(what, "://") {
		return what, nil
	}
	from, err := filepath.Abs(filepath.Dir(page))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(what)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return fileURL(to), nil
	}
	return (&url.URL{Path: filepath.ToSlash(rel)}).String(), nil
}

// fileURL returns the URL of a file with an absolute path.
func fileURL(abs string) string {
	p := filepath.ToSlash(abs)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // C:/…
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// writePlayer writes the page of --open.
func (o transcribeFlags) writePlayer(ctx context.Context, page, what string, t engine.Transcript, m *probedMedia) error {
	names, _ := o.names.of("transcribe", t.Labels(), nil) // writeAndOpen has reported what is wrong
	var text, html bytes.Buffer
	if err := formats.WriteJSON(&text, t.Transcript, formats.Options{Names: names}); err != nil {
		return err
	}
	address, err := mediaURL(page, what)
	if err != nil {
		return err
	}
	title := titleOf(what)
	if strings.Contains(what, "://") {
		title = titleOf(nameOfURL(what)) // without its query
	}
	p := console.Player{
		Title: title, Media: address, Video: m.info().Video != nil, Peaks: peaksOf(ctx, m, what), Transcript: text.Bytes(),
	}
	if err := console.WritePlayer(&html, p); err != nil {
		return err
	}
	return writeFile(page, html.Bytes())
}

// writeAndOpen writes what is wanted beside the page, and the page, and opens it.
func (o transcribeFlags) writeAndOpen(ctx context.Context, std streams, format formats.Format, t engine.Transcript, what string, m *probedMedia) error {
	page, isOutput := o.playerFile(what)
	if !isOutput && (o.output != "" || o.format != "") {
		if err := o.write(std, format, t, what); err != nil {
			return err
		}
	} else if _, err := o.names.of("transcribe", t.Labels(), nil); err != nil {
		fmt.Fprintln(std.err, explain(err))
	}
	if err := o.writePlayer(ctx, page, what, t, m); err != nil {
		return err
	}
	return showPlayer(page, std, o.format != "" && o.output == "")
}

// probedMedia is an engine.Media that remembers what was probed last, because what a URL had is deleted after its transcription.
type probedMedia struct {
	engine.Media
	mu   sync.Mutex
	last engine.MediaInfo
}

func (m *probedMedia) Probe(ctx context.Context, src engine.Source) (engine.MediaInfo, error) {
	info, err := m.Media.Probe(ctx, src)
	if err == nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.last = info
	}
	return info, err
}

// DecodeStereo implements engine.StereoMedia. It keeps the channels apart if the Media does.
func (m *probedMedia) DecodeStereo(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	if s, ok := m.Media.(engine.StereoMedia); ok {
		return s.DecodeStereo(ctx, src)
	}
	return nil, engine.Errorf(engine.CodeUnavailable, "Decode", "The channels can't be kept apart.")
}

func (m *probedMedia) info() engine.MediaInfo {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

// browserTime is how long the program waits to see whether the browser opens.
const browserTime = 5 * time.Second

// showPlayer opens the page, and prints its path. The page is there without a browser, too.
func showPlayer(page string, std streams, printed bool) error {
	abs, err := filepath.Abs(page)
	if err != nil {
		return err
	}
	if printed { // standard output has the transcript
		fmt.Fprintln(std.err, "soundstage: wrote", page)
	} else {
		fmt.Fprintln(std.out, page)
	}
	select {
	case err := <-openBrowser(fileURL(abs)):
		if err != nil {
			fmt.Fprintln(std.err, explain(err))
		}
	case <-time.After(browserTime): // a browser that this command started keeps running
	}
	return nil
}
