//go:build peers

package formats_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// sentencesOf returns the sentences of the caption breaker's corpus as a conversation at 62 ms per character.
func sentencesOf(t *testing.T, language transcript.Language) transcript.Transcript {
	t.Helper()
	corpus, err := os.ReadFile(filepath.Join("..", "engine", "captions", "testdata", "together", string(language)+".txt"))
	require.NoError(t, err)
	slots := map[string][]string{}
	var utterances []transcript.Utterance
	at, n := time.Second, 0
	for line := range strings.Lines(strings.Repeat(string(corpus), 8)) {
		if name, values, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.Contains(name, " ") {
			slots[name] = strings.Split(values, " | ")
			continue
		}
		text := regexp.MustCompile(`\{\w+\}`).ReplaceAllStringFunc(strings.NewReplacer("[", "", "]", "").Replace(line), func(s string) string {
			n += 7
			return slots[s[1:len(s)-1]][n%len(slots[s[1:len(s)-1]])]
		})
		u := transcript.Utterance{Speaker: transcript.SpeakerLabel(len(utterances) % 3), Start: at, Confidence: 1}
		for w := range strings.FieldsSeq(text) {
			length := time.Duration(len([]rune(w))+1) * 62 * time.Millisecond
			u.Words = append(u.Words, transcript.Word{Text: w, Start: at, End: at + length - 20*time.Millisecond, Confidence: 1})
			u.End, at = at+length-20*time.Millisecond, at+length
		}
		utterances = append(utterances, u)
		at += 400 * time.Millisecond
	}
	return spoken(language, utterances...)
}

// torn matches the end of a line or cue that belongs to the next word, by a list that the breaker doesn't use: currencies, titles, initials,
// articles, and prepositions of English.
var torn = regexp.MustCompile(`(?i)(^|\s)([$£€]|no\.|dr\.|mr\.?|mrs\.?|prof\.|st\.|senator|[a-z]\.|the|a|an|of|in|on|at|to|for|with|by|from)$`)

// quality counts what is wrong with captions: errors and warnings by soundstage check, and lines and cues that end with a torn word.
func quality(t *testing.T, name string, file []byte, language transcript.Language) (row string, bad int) {
	t.Helper()
	r, err := formats.Check(name, bytes.NewReader(file), formats.CheckOptions{Language: language})
	require.NoError(t, err)
	count := map[formats.Rule]int{}
	for _, f := range r.Findings {
		count[f.Rule]++
	}
	split := 0
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSpace(line)
		if !strings.Contains(line, "-->") && strings.ContainsFunc(line, unicode.IsLetter) && torn.MatchString(line) {
			split++
		}
	}
	per := func(n int) string { return fmt.Sprintf("%.1f", 100*float64(n)/float64(r.Cues)) }
	row = fmt.Sprintf("%d | %s | %s | %s | %s | %s | %s", r.Cues, per(r.Errors()), per(count[formats.RuleName]), per(count[formats.RuleOrphan]),
		per(count[formats.RuleShort]+count[formats.RuleGap]), per(count[formats.RuleSpeed]), per(split))
	return row, r.Errors() + count[formats.RuleName] + count[formats.RuleOrphan] + split
}

// Our captions have fewer faults than what other tools make of the same words. The test is built only with -tags peers.
func TestPeersCaptions(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	tr := sentencesOf(t, "en")
	require.NoError(t, os.WriteFile(at("en.json"), write(t, "json", tr, formats.Options{}), 0o644))
	runTool(t, python, "testdata/peers/srt_peer.py", at("en.json"), at("peer.srt"))
	whole := formats.Options{Captions: captions.Options{Columns: 10_000, Lines: 1, MaxDuration: time.Hour}} // a cue for each utterance, as speech recognizers return them
	require.NoError(t, os.WriteFile(at("whole.srt"), write(t, "srt", tr, whole), 0o644))
	runTool(t, "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", at("whole.srt"), at("whole.vtt"))
	table := "per 100 cues\n| what | cues | errors | split names | orphans | short, or too little gap | too fast | torn lines |\n|---|---|---|---|---|---|---|---|\n"
	defer func() { t.Log("\n" + table) }()
	judge := func(what, name string, file []byte) int {
		row, bad := quality(t, name, file, "en")
		table += "| " + what + " | " + row + " |\n"
		return bad
	}
	read := func(name string) []byte {
		file, err := os.ReadFile(at(name))
		require.NoError(t, err)
		return file
	}
	ours := max(judge("soundstage export: vtt", "ours.vtt", write(t, "vtt", tr, formats.Options{})),
		judge("soundstage export: srt", "ours.srt", write(t, "srt", tr, formats.Options{})))
	for _, peer := range [][2]string{{"python3-srt, lines filled as openai-whisper does", "peer.srt"}, {"ffmpeg, a cue per utterance", "whole.vtt"}} {
		require.Less(t, 50*ours, judge(peer[0], peer[1], read(peer[1])), peer[0])
	}
	var fixed bytes.Buffer
	require.NoError(t, formats.Fix(&fixed, "peer.srt", bytes.NewReader(read("peer.srt")), formats.CheckOptions{Language: "en"}))
	judge("python3-srt after soundstage check --fix", "fixed.srt", fixed.Bytes())
}
