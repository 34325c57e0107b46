package markers_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/formats/markers"
)

func rate(t testing.TB, name string) markers.Rate {
	t.Helper()
	r, err := markers.ParseRate(name)
	require.NoError(t, err)
	return r
}

// counter counts timecodes up, frame by frame, as a clock of SMPTE ST 12-1 does.
type counter struct {
	h, m, s, f, base int
	drop             bool
}

func (c *counter) next() {
	if c.f++; c.f < c.base {
		return
	}
	c.f = 0
	if c.s++; c.s == 60 {
		c.s = 0
		if c.m++; c.m == 60 {
			c.m = 0
			c.h = (c.h + 1) % 24
		}
		if c.drop && c.m%10 != 0 {
			c.f = c.base / 15
		}
	}
}

func (c *counter) String() string {
	mark := ":"
	if c.drop {
		mark = ";"
	}
	return fmt.Sprintf("%02d:%02d:%02d%s%02d", c.h, c.m, c.s, mark, c.f)
}

// For each rate, timecodes equal those of a counter, for 25 hours with drop frames and for one without, and are parsed back to their frames.
func TestTimecode(t *testing.T) {
	t.Parallel()
	for _, name := range markers.Rates() {
		r := rate(t, name)
		c := counter{base: int((r.Frames + r.Per - 1) / r.Per), drop: r.Drop}
		day, hours := int64(-1), int64(1)
		if r.Drop || name == "25" {
			hours = 25
		}
		for frame := range hours * 3600 * int64(c.base) {
			if frame%997 == 0 || c.s == 0 && c.f < 5 || c.s == 59 && c.f > c.base-2 {
				want, got := c.String(), r.Timecode(frame)
				if got != want {
					require.Equal(t, want, got, "%s: frame %d", name, frame)
				}
				if frame > 0 && want == (&counter{drop: r.Drop}).String() {
					day = frame
				}
				parsed, err := r.ParseTimecode(want)
				if wanted := frame - max(day, 0); err != nil || parsed != wanted {
					require.Equal(t, wanted, parsed, "%s: %s, %v", name, want, err)
				}
			}
			c.next()
		}
		require.Equal(t, hours > 24, day > 0, name)
	}
}

// Timecodes that don't exist, or that the rate doesn't have, are errors.
func TestTimecodeErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rate, timecode, says string }{
		{"25", "", "not a timecode"}, {"25", "1:00:00:00", "not a timecode"}, {"25", "01:00:00:00 ", "not a timecode"}, {"25", "-1:00:00:00", "not a timecode"},
		{"25", "24:00:00:00", "doesn't exist"}, {"25", "00:60:00:00", "doesn't exist"}, {"25", "00:00:60:00", "doesn't exist"}, {"25", "00:00:00:25", "doesn't exist"},
		{"29.97", "01:00:00;00", "for drop frames"}, {"29.97df", "00:01:00;01", "skip it"}, {"59.94df", "00:01:00;03", "skip it"}, {"23.976", "00:00:00:24", "at 23"},
	} {
		_, err := rate(t, c.rate).ParseTimecode(c.timecode)
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "%+v", c)
		require.Contains(t, fault.Message(err), c.says, "%+v", c)
	}
	for rateName, timecode := range map[string]string{"29.97df": "00:10:00;00", "59.94df": "00:01:00;04", "25": "23:59:59:24"} {
		_, err := rate(t, rateName).ParseTimecode(timecode)
		require.NoError(t, err)
	}
	frame, err := rate(t, "29.97df").ParseTimecode("01:00:00:00")
	require.NoError(t, err, "a colon is accepted for drop frames")
	require.EqualValues(t, 107892, frame)
	_, err = markers.ParseRate("26")
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
}

// Frame rounds to the nearest frame, exactly, up to 10,000 hours.
func TestFrame(t *testing.T) {
	t.Parallel()
	for _, name := range markers.Rates() {
		r := rate(t, name)
		for _, d := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 999 * time.Millisecond, time.Minute + time.Millisecond, 3*time.Hour + 7*time.Millisecond, 10_000*time.Hour - time.Millisecond} {
			exact := new(big.Rat).Mul(big.NewRat(d.Milliseconds(), 1000), big.NewRat(r.Frames, r.Per))
			difference := new(big.Rat).Sub(exact, big.NewRat(r.Frame(d), 1))
			require.LessOrEqual(t, difference.Abs(difference).Cmp(big.NewRat(1, 2)), 0, "%s %s", name, d)
		}
	}
	require.EqualValues(t, 25, markers.Rate{}.Frame(time.Second), "the default is 25")
	require.EqualValues(t, 25, markers.Rate{Frames: 1, Per: 0}.Frame(time.Second), "unknown rates are 25")
	require.Zero(t, markers.Rate{}.Frame(-time.Second))
}

// timeline returns a timeline with markers of all kinds, unsorted, two of which begin together, and with text that formats must escape.
func timeline(t testing.TB, rateName, start string) markers.Timeline {
	r := rate(t, rateName)
	first, err := r.ParseTimecode(start)
	require.NoError(t, err)
	return markers.Timeline{
		Name: "A <talk> & \"more\"\x00", Media: "/talks/a talk #1.mp4", Length: 2 * time.Minute, Rate: r, Start: first,
		Markers: []markers.Marker{
			{Kind: markers.Turn, Start: 0, End: 59900 * time.Millisecond, Name: "Ann", Note: "FCM: 1 < 2 | \"quoted\"\nnext & last"},
			{Kind: markers.Turn, Start: 60 * time.Second, End: 61 * time.Second, Name: "李", Note: "001 你好", Voice: 1},
			{Kind: markers.Chapter, Start: 0, End: time.Minute, Name: "Intro", Note: "What | it is"},
			{Kind: markers.Clip, Start: 30 * time.Second, End: 45 * time.Second, Name: "שלום"},
			{Kind: markers.Clip, Start: 119 * time.Second, End: 119 * time.Second, Name: "instant"},
			{Kind: markers.Turn, Start: 119500 * time.Millisecond, End: 121 * time.Second, Name: "", Voice: 7},
		},
	}
}

// want are the markers of timeline in frames, in order.
type want struct {
	start, length      int64
	name, note         string
	otio, edl, element string
}

func wanted(r markers.Rate) []want {
	at := func(ms int64) int64 { return r.Frame(time.Duration(ms) * time.Millisecond) }
	return []want{
		{0, at(60000), "Intro", "What | it is", "RED", "Red", "chapter-marker"},
		{1, at(59900) - 1, "Ann", "FCM: 1 < 2 | \"quoted\" next & last", "BLUE", "Blue", "marker"},
		{at(30000), at(45000) - at(30000), "שלום", "", "YELLOW", "Yellow", "marker"},
		{at(60000), at(61000) - at(60000), "李", "001 你好", "GREEN", "Green", "marker"},
		{at(119000), 1, "instant", "", "YELLOW", "Yellow", "marker"},
		{at(119500), at(121000) - at(119500), "", "", "CYAN", "Cyan", "marker"},
	}
}

var frameRates = []struct{ rate, start string }{
	{"25", "01:00:00:00"}, {"23.976", "00:00:00:00"}, {"24", "10:00:00:12"}, {"29.97", "01:00:00:00"}, {"29.97df", "00:59:59;28"}, {"30", "00:00:00:00"},
	{"50", "01:00:00:49"}, {"59.94df", "00:00:59;59"}, {"60", "23:59:59:59"},
}

var (
	edlEvent   = regexp.MustCompile(`^(\d{3,})  001 {6}V {5}C {8}(\S+) (\S+) (\S+) (\S+)  $`)
	edlComment = regexp.MustCompile(`^(.*) \|C:ResolveColor(\w+) \|M:([^|]*) \|D:(\d+)$`)
)

// A parser of Resolve's comments reads the markers back from the EDL, with a clock that counts frames.
func TestEDL(t *testing.T) {
	t.Parallel()
	for _, c := range frameRates {
		line := timeline(t, c.rate, c.start)
		var b bytes.Buffer
		require.NoError(t, markers.WriteEDL(&b, line))
		require.NotContains(t, strings.ReplaceAll(b.String(), "\r\n", ""), "\n", "lines end with CRLF")
		lines := strings.Split(strings.TrimSuffix(b.String(), "\r\n"), "\r\n")
		require.Equal(t, `TITLE: A <talk> & "more"`, lines[0])
		require.Equal(t, map[bool]string{true: "FCM: DROP FRAME", false: "FCM: NON-DROP FRAME"}[line.Rate.Drop], lines[1])
		clock := counter{base: int((line.Rate.Frames + line.Rate.Per - 1) / line.Rate.Per), drop: line.Rate.Drop}
		var h, m, s, f int
		_, err := fmt.Sscanf(strings.ReplaceAll(c.start, ";", ":"), "%d:%d:%d:%d", &h, &m, &s, &f)
		require.NoError(t, err)
		clock.h, clock.m, clock.s, clock.f = h, m, s, f
		frame := int64(0)
		for i, w := range wanted(line.Rate) {
			require.Empty(t, lines[2+3*i])
			event := edlEvent.FindStringSubmatch(lines[3+3*i])
			require.NotNil(t, event, lines[3+3*i])
			for ; frame < w.start; frame++ {
				clock.next()
			}
			in := clock.String()
			clock.next()
			frame++
			require.Equal(t, []string{fmt.Sprintf("%03d", i+1), in, clock.String(), in, clock.String()}, event[1:], c.rate)
			comment := edlComment.FindStringSubmatch(lines[4+3*i])
			require.NotNil(t, comment, lines[4+3*i])
			require.Equal(t, []string{strings.ReplaceAll(w.note, "|", "¦"), w.edl, w.name, strconv.FormatInt(w.length, 10)},
				[]string{strings.TrimPrefix(comment[1], " "), comment[2], comment[3], comment[4]})
			require.NotRegexp(t, `^(\d{3}|FCM)`, lines[4+3*i], "a note isn't an event or a statement")
		}
		require.Len(t, lines, 2+3*6)
	}
}

// children are the elements that the DTD of FCPXML 1.9 allows in an element, as far as they are used, and attributes those of each.
var (
	children = map[string][]string{
		"": {"fcpxml"}, "fcpxml": {"resources", "event"}, "resources": {"format", "asset"}, "asset": {"media-rep"}, "event": {"project"}, "project": {"sequence"},
		"sequence": {"spine"}, "spine": {"asset-clip", "gap"}, "asset-clip": {"marker", "chapter-marker"}, "gap": {"marker", "chapter-marker"},
	}
	attributes = map[string][]string{
		"fcpxml": {"version"}, "format": {"id", "frameDuration", "width", "height"}, "media-rep": {"kind", "src"}, "event": {"name"}, "project": {"name"},
		"asset":    {"id", "name", "start", "duration", "hasVideo", "format", "hasAudio", "videoSources", "audioSources", "audioChannels"},
		"sequence": {"format", "duration", "tcStart", "tcFormat", "audioLayout", "audioRate"}, "asset-clip": {"ref", "name", "offset", "start", "duration"},
		"gap": {"name", "offset", "start", "duration"}, "marker": {"start", "duration", "value", "note"}, "chapter-marker": {"start", "duration", "value", "note"},
	}
	timeAttributes = []string{"start", "duration", "offset", "tcStart", "frameDuration"}
)

// element is an element of FCPXML with its attributes.
type element struct {
	name string
	attr map[string]string
}

// readFCPXML checks elements and attributes, and returns them in order.
func readFCPXML(t *testing.T, document []byte) (all []element) {
	t.Helper()
	path := []string{""}
	for d := xml.NewDecoder(bytes.NewReader(document)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			require.Contains(t, children[path[len(path)-1]], e.Name.Local)
			path = append(path, e.Name.Local)
			found := element{e.Name.Local, map[string]string{}}
			for _, a := range e.Attr {
				require.Contains(t, attributes[e.Name.Local], a.Name.Local)
				found.attr[a.Name.Local] = a.Value
			}
			all = append(all, found)
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
}

// rational returns a time such as "1001/24000s" or "5s".
func rational(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(strings.TrimSuffix(s, "s"))
	require.True(t, ok && strings.HasSuffix(s, "s"), s)
	return r
}

// The document has the structure of the DTD, every time is a multiple of the frame duration, and the markers are those of the timeline.
func TestFCPXML(t *testing.T) {
	t.Parallel()
	for _, c := range frameRates {
		line := timeline(t, c.rate, c.start)
		var b bytes.Buffer
		require.NoError(t, markers.WriteFCPXML(&b, line))
		require.True(t, strings.HasPrefix(b.String(), `<?xml version="1.0" encoding="UTF-8"?>`+"\n<!DOCTYPE fcpxml>\n"))
		all := readFCPXML(t, b.Bytes())
		frame := big.NewRat(line.Rate.Per, line.Rate.Frames)
		frames := func(n int64) *big.Rat { return new(big.Rat).Mul(frame, big.NewRat(n, 1)) }
		found := map[string]element{}
		var marks []element
		for _, e := range all {
			for _, name := range timeAttributes {
				if v, ok := e.attr[name]; ok {
					require.True(t, new(big.Rat).Quo(rational(t, v), frame).IsInt(), "%s of %s isn't a number of frames: %s", name, e.name, v)
				}
			}
			found[e.name] = e
			if strings.HasSuffix(e.name, "marker") {
				marks = append(marks, e)
			}
		}
		require.Zero(t, frame.Cmp(rational(t, found["format"].attr["frameDuration"])), c.rate)
		require.Zero(t, frames(line.Start).Cmp(rational(t, found["sequence"].attr["tcStart"])))
		require.Zero(t, frames(line.Start).Cmp(rational(t, found["asset-clip"].attr["offset"])))
		require.Equal(t, map[bool]string{true: "DF", false: "NDF"}[line.Rate.Drop], found["sequence"].attr["tcFormat"])
		require.Equal(t, "file:///talks/a%20talk%20%231.mp4", found["media-rep"].attr["src"])
		require.Equal(t, "a talk #1.mp4", found["asset"].attr["name"])
		require.Equal(t, "1", found["asset"].attr["hasVideo"])
		require.Equal(t, `A <talk> & "more"`, found["project"].attr["name"])
		end := frames(line.Rate.Frame(121 * time.Second))
		for _, e := range []string{"asset", "asset-clip", "sequence"} {
			require.Zero(t, end.Cmp(rational(t, found[e].attr["duration"])), "%s: a marker that ends later makes the media longer", e)
		}
		for i, w := range wanted(line.Rate) {
			m := marks[i]
			require.Equal(t, []string{w.element, w.name, w.note}, []string{m.name, m.attr["value"], m.attr["note"]})
			require.Zero(t, frames(w.start).Cmp(rational(t, m.attr["start"])))
			require.Zero(t, frames(w.length).Cmp(rational(t, m.attr["duration"])))
		}
		require.Len(t, marks, 6)
	}
}

// members are the members of each schema of OpenTimelineIO that its library reads.
var members = map[string][]string{
	"Timeline.1":          {"metadata", "name", "global_start_time", "tracks"},
	"Stack.1":             {"metadata", "name", "source_range", "effects", "markers", "enabled", "children"},
	"Track.1":             {"metadata", "name", "source_range", "effects", "markers", "enabled", "children", "kind"},
	"Clip.2":              {"metadata", "name", "source_range", "effects", "markers", "enabled", "media_references", "active_media_reference_key"},
	"Gap.1":               {"metadata", "name", "source_range", "effects", "markers", "enabled"},
	"ExternalReference.1": {"metadata", "name", "available_range", "available_image_bounds", "target_url"},
	"Marker.2":            {"metadata", "name", "color", "marked_range", "comment"},
	"TimeRange.1":         {"duration", "start_time"},
	"RationalTime.1":      {"rate", "value"},
}

// checkSchemas checks that every object has a known schema with exactly its members.
func checkSchemas(t *testing.T, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			checkSchemas(t, item)
		}
	case map[string]any:
		schema, ok := v["OTIO_SCHEMA"].(string)
		if ok {
			names := []string{"OTIO_SCHEMA"}
			require.Contains(t, members, schema)
			names = append(names, members[schema]...)
			for name := range v {
				require.Contains(t, names, name, schema)
			}
			require.Len(t, v, len(names), schema)
		}
		for _, item := range v {
			checkSchemas(t, item)
		}
	}
}

type otioTime struct{ Rate, Value float64 }

type otioRange struct {
	Start  otioTime `json:"start_time"`
	Length otioTime `json:"duration"`
}

type otioItem struct {
	Name, Kind string
	Range      *otioRange `json:"source_range"`
	Children   []otioItem
	Markers    []struct {
		Name, Color, Comment string
		Range                otioRange `json:"marked_range"`
	}
	Media map[string]struct {
		URL string `json:"target_url"`
	} `json:"media_references"`
}

// The file has the schemas of OpenTimelineIO, and the markers of the timeline in frames.
func TestOTIO(t *testing.T) {
	t.Parallel()
	for _, c := range frameRates {
		line := timeline(t, c.rate, c.start)
		var b bytes.Buffer
		require.NoError(t, markers.WriteOTIO(&b, line))
		var raw any
		require.NoError(t, json.Unmarshal(b.Bytes(), &raw))
		checkSchemas(t, raw)
		var got struct {
			Name   string
			Start  otioTime `json:"global_start_time"`
			Tracks otioItem
		}
		require.NoError(t, json.Unmarshal(b.Bytes(), &got))
		fps := float64(line.Rate.Frames) / float64(line.Rate.Per)
		require.Equal(t, otioTime{fps, float64(line.Start)}, got.Start)
		require.Equal(t, `A <talk> & "more"`, got.Name)
		for i, kind := range []string{"Video", "Audio"} {
			track := got.Tracks.Children[i]
			require.Equal(t, kind, track.Kind)
			require.Equal(t, "file:///talks/a%20talk%20%231.mp4", track.Children[0].Media["DEFAULT_MEDIA"].URL)
			require.Equal(t, otioRange{otioTime{fps, 0}, otioTime{fps, float64(line.Rate.Frame(121 * time.Second))}}, *track.Children[0].Range)
		}
		for i, w := range wanted(line.Rate) {
			m := got.Tracks.Markers[i]
			require.Equal(t, []string{w.name, w.otio, w.note}, []string{m.Name, m.Color, m.Comment})
			require.Equal(t, otioRange{otioTime{fps, float64(w.start)}, otioTime{fps, float64(w.length)}}, m.Range)
		}
		require.Len(t, got.Tracks.Markers, 6)
	}
}

// Media is a file URL, a web address, or a relative one; without media there is a gap, and sound has no picture.
func TestMedia(t *testing.T) {
	t.Parallel()
	for media, want := range map[string][2]string{
		"talk.mp4":                        {"talk.mp4", "talk.mp4"},
		"my talks/ä b.mp4":                {"my%20talks/%C3%A4%20b.mp4", "ä b.mp4"},
		"10:30.mp4":                       {"./10:30.mp4", "10:30.mp4"},
		"/talks/new\nline  two.wav":       {"file:///talks/new%0Aline%20%20two.wav", "new line two.wav"},
		"new\nline.wav":                   {"new%0Aline.wav", "new line.wav"},
		`C:\talks\a b.mp4`:                {"file:///C:/talks/a%20b.mp4", "a b.mp4"},
		"https://a.example/t.mp4?q=1&r=2": {"https://a.example/t.mp4?q=1&r=2", "t.mp4"},
		"/":                               {"file:///", "Timeline"},
	} {
		var b, o bytes.Buffer
		line := markers.Timeline{Media: media}
		require.NoError(t, markers.WriteFCPXML(&b, line))
		all := readFCPXML(t, b.Bytes())
		i := slices.IndexFunc(all, func(e element) bool { return e.name == "media-rep" })
		require.Equal(t, want[0], all[i].attr["src"], media)
		require.Equal(t, want[1], all[i-1].attr["name"], media)
		require.NoError(t, markers.WriteOTIO(&o, line))
		require.Contains(t, o.String(), `"target_url": "`+want[0]+`"`)
	}
	var b, o bytes.Buffer
	require.NoError(t, markers.WriteFCPXML(&b, markers.Timeline{Media: "a.wav", Sound: true}))
	require.NotContains(t, b.String(), "hasVideo")
	require.NoError(t, markers.WriteOTIO(&o, markers.Timeline{Media: "a.wav", Sound: true}))
	require.NotContains(t, o.String(), `"Video"`)
	b.Reset()
	o.Reset()
	require.NoError(t, markers.WriteFCPXML(&b, markers.Timeline{}))
	require.Contains(t, b.String(), "<gap ")
	require.NotContains(t, b.String(), "<asset")
	require.NoError(t, markers.WriteOTIO(&o, markers.Timeline{}))
	require.Contains(t, o.String(), `"Gap.1"`)
	require.NotContains(t, o.String(), `"Clip.2"`)
}

// More than 999 events get four digits.
func TestEDLManyEvents(t *testing.T) {
	t.Parallel()
	line := markers.Timeline{Length: time.Hour}
	for i := range 1200 {
		line.Markers = append(line.Markers, markers.Marker{Kind: markers.Turn, Start: time.Duration(i) * time.Second, Name: strconv.Itoa(i)})
	}
	var b bytes.Buffer
	require.NoError(t, markers.WriteEDL(&b, line))
	require.Contains(t, b.String(), "\r\n999  001 ")
	require.Contains(t, b.String(), "\r\n1200  001 ")
}

// Any texts and times give valid files with all markers, each on a frame of its own.
func FuzzMarkers(f *testing.F) {
	f.Add("a", "b|c", "talk.mp4", int64(0), int64(1), int64(0), "25")
	f.Add("]]>", "\x00\xff\u2028", `C:\x`, int64(-1)<<63, int64(1)<<62, int64(1)<<62, "29.97df")
	f.Add("001", "TITLE: x", "%zz://", int64(time.Hour), int64(0), int64(-5), "26")
	f.Fuzz(func(t *testing.T, name, note, media string, start, end, first int64, rateName string) {
		r, _ := markers.ParseRate(rateName)
		line := markers.Timeline{Name: name, Media: media, Rate: r, Start: first % (1 << 40), Length: time.Duration(end), Markers: []markers.Marker{
			{Kind: markers.Turn, Start: time.Duration(start), End: time.Duration(end), Name: name, Note: note, Voice: int(first)},
			{Kind: markers.Chapter, Start: time.Duration(start), Name: note}, {Kind: markers.Clip, Start: time.Duration(end), End: time.Duration(start), Note: name},
		}}
		var edl, fcpxml, otio bytes.Buffer
		require.NoError(t, markers.WriteEDL(&edl, line))
		require.NoError(t, markers.WriteFCPXML(&fcpxml, line))
		require.NoError(t, markers.WriteOTIO(&otio, line))
		lines := strings.Split(edl.String(), "\r\n")
		require.Len(t, lines, 2+3*3+1)
		for i := range 3 {
			require.Regexp(t, edlEvent, lines[3+3*i])
			require.Regexp(t, edlComment, lines[4+3*i])
		}
		starts := map[string]bool{}
		for _, e := range readFCPXML(t, fcpxml.Bytes()) {
			if strings.HasSuffix(e.name, "marker") {
				starts[e.attr["start"]] = true
			}
		}
		require.Len(t, starts, 3)
		var raw any
		require.NoError(t, json.Unmarshal(otio.Bytes(), &raw))
		checkSchemas(t, raw)
		require.True(t, utf8.Valid(edl.Bytes()) && utf8.Valid(fcpxml.Bytes()) && utf8.Valid(otio.Bytes()))
	})
}

func ExampleWriteEDL() {
	rate, _ := markers.ParseRate("29.97df")
	first, _ := rate.ParseTimecode("01:00:00;00")
	var b strings.Builder
	_ = markers.WriteEDL(&b, markers.Timeline{Name: "Talk", Rate: rate, Start: first, Markers: []markers.Marker{
		{Kind: markers.Chapter, Start: time.Hour, End: time.Hour + time.Minute, Name: "Questions"},
	}})
	fmt.Println(strings.NewReplacer("  \r\n", "\n", "\r\n", "\n").Replace(b.String()))
	// Output:
	// TITLE: Talk
	// FCM: DROP FRAME
	//
	// 001  001      V     C        02:00:00;00 02:00:00;01 02:00:00;00 02:00:00;01
	//  |C:ResolveColorRed |M:Questions |D:1798
}
