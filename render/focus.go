package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	ffmpeg "github.com/u2takey/ffmpeg-go"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render/focus"
)

// watchSide is the longer side of the grey frames in which faces are found, in pixels.
const watchSide = 320

// watchThreads are those that decode the grey frames. A second one takes a fifth more processor time.
const watchThreads = 1

// follows reports whether the crop of a plan follows faces.
func (p Plan) follows() bool {
	return !p.Audiogram && p.request.Focus.Faces() && p.whole != p.size()
}

// watch finds where the crop must be, in one pass of ffmpeg over small frames at the rate of the result, so that its shot changes are exact
// to the frame.
func (f FFmpeg) watch(ctx context.Context, op string, file localFile, p Plan, progress func(float64)) (path focus.Path, err error) {
	program, err := f.ffmpeg(op)
	if err != nil {
		return path, err
	}
	small := fitInside(p.facts.displayed(), size{watchSide, watchSide})
	args, err := p.watchArgs(file.path, small, watchThreads)
	if err != nil {
		return path, internal(op, err)
	}
	process, err := f.launch(ctx, command{program: program, args: args, timeout: f.encodeTimeout(p.Duration), threads: watchThreads})
	if err != nil {
		return path, startError(ctx, op, err)
	}
	defer process.close()
	share := p.kept()
	options := focus.Options{
		Width: small.w, Height: small.h, Rate: p.Rate.perSecond(), Vertical: p.size().ratio() > p.facts.displayed().ratio(), Share: share, Turns: turnsOf(p.request),
	}
	options.Half, options.Pairs = p.halves()[0].ratio(), p.request.Focus == engine.FocusBoth
	w, err := focus.New(options)
	if err != nil {
		return path, internal(op, err)
	}
	pix, frames := make([]byte, small.w*small.h), p.frames()
	for n := 0; n < frames; n++ {
		if _, err := io.ReadFull(process, pix); err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return path, internal(op, err)
			}
			break
		}
		w.Frame(pix)
		progress(float64(n) / float64(frames))
	}
	if err := failure(op, process, process.wait(), file, true); err != nil {
		return path, err
	}
	return w.Path(), nil
}

// follow makes the crop follow a path.
func (p *Plan) follow(path focus.Path) {
	p.path = &path
	if p.stacked() {
		p.layers, p.Notes = nil, nil
		p.write() // captions move between the halves
	}
}

// aroundStill is how much before and after a still is searched for faces.
const aroundStill = 1000 * time.Millisecond

// watchStill finds where the crop of the poster's frame must be. It may differ from that of the whole video, which shows more of who speaks.
func (f FFmpeg) watchStill(ctx context.Context, op string, file localFile, p *Plan) error {
	n := int(p.Poster.Seconds() * p.Rate.perSecond())
	first := max(0, min(n-p.Rate.Frames(aroundStill), p.Rate.Frames(p.Duration-2*aroundStill)))
	from := time.Duration(float64(first) / p.Rate.perSecond() * float64(time.Second))
	near := *p
	near.Duration = min(p.Duration-from, 2*aroundStill)
	near.request.Window.Start += from
	near.request.Window.End = near.request.Window.Start + near.Duration
	near.cut = cutOf(p.facts.Format, near.request.Window.Start, near.Duration)
	path, err := f.watch(ctx, op, file, near, func(float64) {})
	if err != nil {
		return err
	}
	p.follow(path.Frozen(n - first))
	return nil
}

// watchArgs makes ffmpeg write small grey frames to standard output. The filter that smooths blocks is left out: it takes a third of the time
// and changes no face.
func (p Plan) watchArgs(path string, small size, threads int) ([]string, error) {
	return compile(func() *ffmpeg.Stream {
		in := ffmpeg.Input(fileURL(path), p.cut.input(ffmpeg.KwArgs{
			"threads": threads, "nostdin": "", "hide_banner": "", "filter_complex_threads": 1, "skip_loop_filter": "all", "an": "", "sn": "", "dn": "",
		}))
		return p.cut.picture(in.Get(strconv.Itoa(p.facts.Picture.Stream))).
			Filter("fps", ffmpeg.Args{p.Rate.String()}, ffmpeg.KwArgs{"start_time": 0}).
			Filter("scale", ffmpeg.Args{fmt.Sprintf("%d:%d", small.w, small.h)}, ffmpeg.KwArgs{"flags": "fast_bilinear"}).
			Filter("format", ffmpeg.Args{"gray"}).
			Output("pipe:1", ffmpeg.KwArgs{"format": "rawvideo", "t": seconds6(p.Duration)})
	})
}

// turnsOf returns who speaks when, from the start of the window.
func turnsOf(r Request) (turns []focus.Turn) {
	words := slices.Clone(r.Words)
	slices.SortStableFunc(words, func(a, b transcript.Word) int { return cmp.Compare(a.Start, b.Start) })
	for _, w := range words {
		start, end := w.Start-r.Window.Start, w.End-r.Window.Start
		if w.Speaker == "" || end <= 0 || w.Start >= r.Window.End {
			continue
		}
		if last := len(turns) - 1; last >= 0 && turns[last].Speaker == w.Speaker && start-turns[last].End < time.Second {
			turns[last].End = max(turns[last].End, end)
			continue
		}
		turns = append(turns, focus.Turn{Speaker: w.Speaker, Start: start, End: end})
	}
	return turns
}

// notePath adds notes about what the crop loses.
func (p *Plan) notePath() {
	const much = 0.1
	switch {
	case !p.path.Faces:
		p.Notes = append(p.Notes, "No face was found, so the crop shows what moves and stands out.")
	case p.request.Focus == engine.FocusBoth && len(p.path.Pairs) == 0:
		p.Notes = append(p.Notes, "Two people who are far apart were never found, so the crop is that of the focus auto.")
	case p.path.Lost > much:
		note := fmt.Sprintf("For %d %% of the time, a face is outside the crop.", int(math.Round(100*p.path.Lost)))
		if p.path.Apart {
			note += " The focus both shows two people in halves of the frame."
		}
		p.Notes = append(p.Notes, note)
	}
}

// middle returns the expression of the crop's middle at frame n. Nested conditions find the move in few steps.
func middle(moves []focus.Move, last bool) string {
	if len(moves) > 2 || len(moves) == 2 && last {
		half := len(moves) / 2
		return fmt.Sprintf("if(lt(n,%d),%s,%s)", moves[half].From, middle(moves[:half+1], false), middle(moves[half:], last))
	}
	m := moves[0]
	if m.At == m.To || len(moves) == 1 {
		return number4(m.At)
	}
	if m.Eased { // as focus.Path.At
		return fmt.Sprintf("%.4f%+.4f*st(0,(n%+d)/%d)*ld(0)*(3-2*ld(0))", m.At, m.To-m.At, -m.From, moves[1].From-m.From)
	}
	return fmt.Sprintf("%.4f%+.7f*(n%+d)", m.At, (m.To-m.At)/float64(moves[1].From-m.From), -m.From)
}
