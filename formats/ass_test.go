package formats_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Speakers have styles of their own with colours that repeat after the fourth; names that would break a field or collide are changed.
func TestASSStyles(t *testing.T) {
	t.Parallel()
	var all []transcript.Utterance
	names := map[string]string{"Speaker 0": "A, B: {c}\\", "Speaker 1": "*Default", "Speaker 2": "Default", "Speaker 3": "Ada", "Speaker 4": "Eve"}
	for i := range 5 {
		all = append(all, say(transcript.SpeakerLabel(i), time.Duration(i)*3*time.Second, "Good", "morning."))
	}
	out := string(write(t, "ass", spoken("en", all...), formats.Options{Names: names}))
	styles := regexp.MustCompile(`(?m)^Style: ([^,]+),Arial,72,(&H\w+),.*,1\r$`).FindAllStringSubmatch(out, -1)
	var got [][2]string
	for _, s := range styles {
		got = append(got, [2]string{s[1], s[2]})
	}
	require.Equal(t, [][2]string{
		{"Default", "&H00FFFFFF"}, {"A‚ B： ｛c｝＼", "&H00FFFFFF"}, {"*Default 2", "&H0000FFFF"}, {"Default 2", "&H00FFFF00"}, {"Ada", "&H0000FF00"}, {"Eve", "&H00FFFFFF"},
	}, got)
	require.Contains(t, out, ",Default 2,Default,0,0,0,,Good morning.")
}

// Both speakers of a dialogue have their styles, and times are rounded to 1/100 s.
func TestASSDialogue(t *testing.T) {
	t.Parallel()
	tr := spoken("en", say("Speaker 0", 1006*time.Millisecond, "No."), say("Speaker 1", 1400*time.Millisecond, "Yes."))
	out := string(write(t, "ass", tr, formats.Options{}))
	require.Contains(t, out, `Dialogue: 0,00:00:01.01,00:00:01.`)
	require.Contains(t, out, `,Speaker 0,Speaker 0,0,0,0,,- No.\N{\rSpeaker 1}- Yes.`)
}

// Text with right-to-left letters makes libass find the direction of each line.
func TestASSRightToLeft(t *testing.T) {
	t.Parallel()
	out := string(write(t, "ass", spoken("", say("Speaker 0", 0, "שלום", "עולם")), formats.Options{}))
	require.Regexp(t, `(?m)^Style: Default,.*,-1\r$`, out)
}

// ffmpeg reads every cue of our ASS in 18 languages with its time and text, and prints no warning.
func TestValidatorASS(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs other programs")
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		got := ffmpegCues(t, file(t, "ass", tr, formats.Options{}))
		cues := captions.Build(tr, nil, captions.Options{Dialogues: true})
		require.Len(t, got, len(cues), language)
		for i, c := range cues {
			want := ffmpegCue{c.Start.Round(10 * time.Millisecond), c.End.Round(10 * time.Millisecond), c.Text()}
			require.Equal(t, want, got[i], language)
		}
	}
	bad, o := hostile()
	got := ffmpegCues(t, file(t, "ass", bad, o))
	o.Captions.Dialogues = true
	require.Len(t, got, len(captions.Build(bad, o.Names, o.Captions)))
}

// ffmpeg draws each speaker's captions in the speaker's colour.
func TestASSBurnsIn(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	tr, o := interview()
	path := filepath.ToSlash(file(t, "ass", tr, o))
	for at, want := range map[string][3]bool{"2": {true, true, true}, "11": {true, true, false}} { // white, then yellow
		out := runTool(t, "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=black:s=640x360:r=1:d=24", "-vf", "ass="+path,
			"-ss", at, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-")
		var brightest [3]byte
		for i := range len(out) {
			brightest[i%3] = max(brightest[i%3], out[i])
		}
		for i := range want {
			require.Equal(t, want[i], brightest[i] > 200, "%s s: %v", at, brightest)
		}
	}
}

// ffmpegCue is a cue that ffmpeg read.
type ffmpegCue struct {
	start, end time.Duration
	text       string
}

var (
	srtBlock = regexp.MustCompile(`(?s)\d+\n(\S+) --> (\S+)\n?(.*)`)
	srtTags  = regexp.MustCompile(`<[^>]*>|\{[^}]*\}`)
)

// ffmpegCues returns the cues that ffmpeg reads from a file, without styles. It must print no warning.
func ffmpegCues(t *testing.T, path string, options ...string) (cues []ffmpegCue) {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		skipWithout(t, "ffmpeg")
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "ffmpeg", append(append([]string{"-nostdin", "-v", "warning"}, options...), "-i", path, "-f", "srt", "-")...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), stderr.String())
	require.Empty(t, stderr.String())
	at := func(s string) time.Duration {
		d, err := time.ParseDuration(strings.NewReplacer(",", "s").Replace(strings.Replace(strings.Replace(s, ":", "h", 1), ":", "m", 1)) + "ms")
		require.NoError(t, err)
		return d
	}
	for block := range strings.SplitSeq(strings.TrimSuffix(strings.ReplaceAll(stdout.String(), "\r\n", "\n"), "\n\n"), "\n\n") {
		m := srtBlock.FindStringSubmatch(block)
		require.NotNil(t, m, block)
		cues = append(cues, ffmpegCue{at(m[1]), at(m[2]), srtTags.ReplaceAllString(m[3], "")})
	}
	return cues
}
