package transcript_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A language is recognised by its code and by the tags of media files and backends.
func TestLanguageOfTag(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]transcript.Language{
		"en": "en", "eng": "en", "en-US": "en", "EN_gb": "en", "deu": "de", "ger": "de", "nb": "no", "nno": "no", "nb-NO": "no",
		"zho": "zh", "cmn-Hans-CN": "zh", "chi": "zh", "jpn": "ja", "und": "", "": "", "xx": "", "english": "",
	} {
		require.Equal(t, want, transcript.LanguageOfTag(tag), tag)
	}
	require.Len(t, transcript.Languages(), 18)
	for _, l := range transcript.Languages() {
		require.True(t, l.Supported())
		require.Equal(t, l, transcript.LanguageOfTag(string(l)))
		require.Equal(t, l != "zh" && l != "ja", l.Spaced())
	}
	require.False(t, transcript.Language("EN").Supported())
	require.False(t, transcript.Language("").Supported())
}

func said(speaker, text string, start, end int) transcript.Word {
	return transcript.Word{Speaker: speaker, Text: text, Start: time.Duration(start) * ms, End: time.Duration(end) * ms, Confidence: 0.9}
}

// An utterance ends where the speaker changes, at a pause over 1.5 s, at a sentence end after 60 s, and at any word after 90 s.
func TestBuildUtterances(t *testing.T) {
	t.Parallel()
	words := []transcript.Word{
		said("Speaker 0", "Hello", 0, 400), said("Speaker 0", "there.", 500, 900),
		said("Speaker 1", "Hi!", 1000, 1300),
		said("Speaker 1", "Well,", 2800, 3000), // a pause of exactly 1.5 s doesn't end it
		said("Speaker 1", "now.", 4501, 4700),  // one more millisecond does
	}
	got := transcript.BuildUtterances(words, "en")
	require.Len(t, got, 3)
	require.Equal(t, "Hello there.", got[0].Text)
	require.Equal(t, "Hi! Well,", got[1].Text)
	require.Equal(t, 1000*ms, got[1].Start)
	require.Equal(t, 3000*ms, got[1].End)
	require.InDelta(t, 0.9, got[1].Confidence, 1e-9)
	require.Equal(t, "Speaker 1", got[2].Speaker)

	var long []transcript.Word
	for i := range 200 {
		text := "word"
		if i%10 == 9 {
			text = "end."
		}
		long = append(long, said("Speaker 0", text, i*1000, i*1000+900))
	}
	total := 0
	for i, u := range transcript.BuildUtterances(long, "en") {
		total += len(u.Words)
		require.LessOrEqual(t, u.End-u.Start, 71*time.Second)
		if i < 2 {
			require.Equal(t, "end.", u.Words[len(u.Words)-1].Text)
		}
	}
	require.Equal(t, 200, total)
	for i := range long {
		long[i].Text = "word"
	}
	for _, u := range transcript.BuildUtterances(long, "en") {
		require.LessOrEqual(t, u.End-u.Start, 90*time.Second)
	}
	require.Equal(t, []transcript.Utterance{}, transcript.BuildUtterances(nil, "en"), "without words, the list must be empty and not nil")
}

// Words are joined as their language writes them.
func TestJoinWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		words    []string
		want     string
	}{
		{"en", []string{"Hello,", "world."}, "Hello, world."},
		{"zh", []string{"我", "们", "用", "AI", "做", "节", "目。", "好！"}, "我们用AI做节目。好！"},
		{"ja", []string{"ポッドキャスト", "で", "す。"}, "ポッドキャストです。"},
		{"zh", []string{"open", "source", "很", "好"}, "open source很好"},
		{"ko", []string{"안녕", "하세요."}, "안녕 하세요."},
		{"fr", []string{"Vraiment\u00a0?", "Oui."}, "Vraiment\u00a0? Oui."},
	} {
		var words []transcript.Word
		for _, w := range c.words {
			words = append(words, transcript.Word{Text: w})
		}
		require.Equal(t, c.want, transcript.JoinWords(words, c.language))
	}
}

// AudioSeconds rounds half up, once: 11,999 samples at 8 kHz are 1.499875 s, which is 1 s, though it is 1.500 s in milliseconds.
func TestAudioSeconds(t *testing.T) {
	t.Parallel()
	for duration, want := range map[time.Duration]int64{
		0: 0, 499_999 * time.Microsecond: 0, 500 * time.Millisecond: 1, 1_499_875 * time.Microsecond: 1, 1500 * time.Millisecond: 2, 12 * time.Hour: 43_200,
	} {
		require.Equal(t, want, transcript.Transcript{Duration: duration}.AudioSeconds(), duration)
	}
}
