package markers

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
)

// Kind is what a marker marks. It decides the colour.
type Kind int

// The kinds of markers, in the order in which they are listed when they begin together.
const (
	Chapter Kind = iota
	Clip         // a part to cut out
	Turn         // what a speaker says
)

// Marker is a named part of the media.
type Marker struct {
	Kind       Kind
	Start, End time.Duration // from the start of the media; an End that isn't after Start means one frame
	Name       string
	Note       string
	Voice      int // for turns: the number of the speaker, which chooses one of five colours
}

// Timeline is one media file with markers.
type Timeline struct {
	Name    string        // default "Timeline"
	Media   string        // path or address of the media; "" for a gap in its place
	Sound   bool          // the media has no picture
	Length  time.Duration // of the media; longer if a marker ends later
	Rate    Rate
	Start   int64 // frame number of the first frame: what its timecode says
	Markers []Marker
}

// mark is a marker in frames from the start of the media.
type mark struct {
	Marker
	start, length int64 // the length is at least 1
	color         color
}

// color has the names of a colour in OTIO and in Resolve.
type color struct{ otio, resolve string }

var (
	red    = color{"RED", "ResolveColorRed"}
	yellow = color{"YELLOW", "ResolveColorYellow"}
	voices = []color{
		{"BLUE", "ResolveColorBlue"}, {"GREEN", "ResolveColorGreen"}, {"CYAN", "ResolveColorCyan"}, {"PINK", "ResolveColorPink"}, {"PURPLE", "ResolveColorPurple"},
	}
)

// prepare returns the timeline with clean texts, its markers in order, and its length in frames. Editors show one marker per frame, so of
// markers that begin together each later one moves on by a frame.
func (t Timeline) prepare() (clean Timeline, marks []mark, length int64) {
	t.Rate, t.Start = t.Rate.normal(), max(t.Start, 0)
	t.Name = cmp.Or(captions.CleanText(t.Name), "Timeline")
	if captions.CleanText(t.Media) == "" {
		t.Media = "" // else the spaces and line breaks of a file's name stay
	}
	for _, m := range t.Markers {
		m.Name, m.Note = captions.CleanText(m.Name), captions.CleanText(m.Note)
		start := t.Rate.Frame(within(m.Start))
		marks = append(marks, mark{m, start, max(t.Rate.Frame(within(m.End))-start, 1), colorOf(m)})
	}
	slices.SortStableFunc(marks, func(a, b mark) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.Kind, b.Kind)) })
	length = max(t.Rate.Frame(within(t.Length)), 1)
	next := int64(0)
	for i, m := range marks {
		late := max(next-m.start, 0)
		marks[i].start += late
		marks[i].length = max(m.length-late, 1)
		next = marks[i].start + 1
		length = max(length, marks[i].start+marks[i].length)
	}
	return t, marks, length
}

func within(d time.Duration) time.Duration { return min(max(d, 0), captions.MaxTime) }

func colorOf(m Marker) color {
	switch m.Kind {
	case Chapter:
		return red
	case Clip:
		return yellow
	}
	return voices[max(m.Voice, 0)%len(voices)]
}

// mediaName returns the file name of the media.
func (t Timeline) mediaName() string {
	name := strings.ReplaceAll(t.Media, `\`, "/")
	if u, err := url.Parse(name); err == nil && u.Scheme != "" && u.Host != "" {
		name = u.Path
	}
	if name = captions.CleanText(path.Base(name)); name == "." || name == "/" || name == "" {
		return t.Name
	}
	return name
}

// address returns the media as a URL: paths become file URLs, or relative ones.
func (t Timeline) address() string {
	p := strings.ReplaceAll(t.Media, `\`, "/")
	drive := len(p) > 2 && p[1] == ':' && p[2] == '/'
	switch u, err := url.Parse(captions.CleanText(t.Media)); {
	case err == nil && !drive && u.Scheme != "":
		return u.String()
	case drive:
		return (&url.URL{Scheme: "file", Path: "/" + p}).String()
	case strings.HasPrefix(t.Media, "/"):
		return (&url.URL{Scheme: "file", Path: t.Media}).String()
	}
	return (&url.URL{Path: p}).String()
}
