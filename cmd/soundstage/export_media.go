package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/formats/markers"
)

// timelineFlags are the flags for timelines of video editors.
type timelineFlags struct {
	fps, start string
	clips      bool
}

// timelines are the names of the formats that the flags are for.
var timelines = []string{"otio", "fcpxml", "edl"}

func isTimeline(f formats.Format) bool { return slices.Contains(timelines, f.Name) }

// add adds the flags to a command.
func (d *timelineFlags) add(f *pflag.FlagSet) {
	f.StringVar(&d.fps, "fps", "", "frames per second of timelines, a `rate`: "+strings.Join(markers.Rates(), ", ")+"; df is drop frame; default 25")
	f.StringVar(&d.start, "start-timecode", "", "`timecode` of the first frame of timelines; default 00:00:00:00")
	f.BoolVar(&d.clips, "suggest-clips", false, "mark clip suggestions in timelines")
}

// check returns CodeInvalid for flags whose format is not written, and for formats whose contents are missing. to are the formats to write.
func (d *timelineFlags) check(op string, to []formats.Format, chapters string) error {
	given := ""
	switch {
	case d.fps != "":
		given = "--fps"
	case d.start != "":
		given = "--start-timecode"
	case d.clips:
		given = "--suggest-clips"
	}
	if given != "" && !slices.ContainsFunc(to, isTimeline) {
		return engine.Errorf(engine.CodeInvalid, op, "%s is for %s, which are not written.", given, strings.Join(timelines, ", ")).WithHint("Add one of them to --to.")
	}
	if chapters == "" && slices.ContainsFunc(to, func(f formats.Format) bool { return f.Name == chaptersFormat }) {
		return engine.Errorf(engine.CodeInvalid, op, "The format chapters needs --chapters.").WithHint("Set --chapters to a file of chapters.")
	}
	return nil
}

// set sets what the flags say about timelines. CodeInvalid for an unknown rate or timecode.
func (d *timelineFlags) set(o *formats.Options, t transcript.Transcript) (err error) {
	if o.Rate, err = markers.ParseRate(cmp.Or(d.fps, "25")); err != nil {
		return err
	}
	if d.start != "" {
		if o.StartFrame, err = o.Rate.ParseTimecode(d.start); err != nil {
			return err
		}
	}
	if d.clips {
		for _, s := range clips.Suggest(withWords(t)) {
			if s.Kind == clips.KindClip {
				o.Clips = append(o.Clips, formats.Clip{Window: s.Window, Title: s.Title, Why: s.Excerpt})
			}
		}
	}
	return nil
}

// withWords returns the transcript with words for every utterance: those of a caption file get times by their length.
func withWords(t transcript.Transcript) transcript.Transcript {
	all := captions.Prepare(t, nil, true)
	t.Utterances = nil
	for _, u := range all.Utterances {
		words := captions.Script{Language: all.Language, Utterances: []captions.Utterance{u}}.Words()
		t.Utterances = append(t.Utterances, transcript.Utterance{Speaker: u.Label, Text: u.Text, Start: u.Start, End: u.End, Words: words})
	}
	return t
}

// absoluteMedia returns the absolute path of a media file that exists, because editors open timelines elsewhere, and other addresses as they are.
func absoluteMedia(media string) string {
	if _, err := os.Stat(media); media == "" || err != nil {
		return media
	}
	path, err := filepath.Abs(media)
	if err != nil {
		return media
	}
	return path
}
