package formats_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asticode/go-astisub"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// noSTL are the languages whose letters EBU STL has no code table for.
var noSTL = []transcript.Language{"hi", "ja", "ko", "zh"}

// plain spells typography as every code table can.
var plain = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "‘", "'", "’", "'", "–", "-", "—", "-", "…", "...", "\u00a0", " ").Replace

// stlCues returns the captions that STL has of a transcript.
func stlCues(tr transcript.Transcript, o formats.Options) []captions.Cue {
	tr = retext(tr, plain)
	o.Captions.Dialogues, o.Captions.Flat, o.Captions.SpeakerPrefix, o.Captions.Columns = true, true, o.VisibleNames, min(o.Captions.WithDefaults(tr.Language).Columns, 36)
	return captions.Build(tr, o.Names, o.Captions)
}

// retext changes the text of all utterances and words.
func retext(tr transcript.Transcript, change func(string) string) transcript.Transcript {
	tr.Utterances = slices.Clone(tr.Utterances)
	for i := range tr.Utterances {
		u := &tr.Utterances[i]
		u.Text, u.Words = change(u.Text), slices.Clone(u.Words)
		for j := range u.Words {
			u.Words[j].Text = change(u.Words[j].Text)
		}
	}
	return tr
}

// withoutGhe replaces the only letter of the 14 languages that ISO 8859-5 lacks: the Ukrainian ґ, by г.
func withoutGhe(tr transcript.Transcript) transcript.Transcript {
	return retext(tr, strings.NewReplacer("ґ", "г", "Ґ", "Г").Replace)
}

// frame rounds a time to 1/25 s.
func frame(d time.Duration) time.Duration { return d.Round(40 * time.Millisecond) }

// In 14 languages, everything is read again: words, times to a frame, and the language; with visible names also the speakers. The letters of the
// other four are named in an error.
func TestRoundTripSTL(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		if slices.Contains(noSTL, language) {
			err := formats.WriteSTL(&bytes.Buffer{}, tr, formats.Options{})
			require.Equal(t, fault.CodeUnprocessable, fault.CodeOf(err), language)
			require.Regexp(t, `^EBU STL has no code for .+, and \d+ more characters \(first at 00:00:01\)\.$`, fault.Message(err))
			continue
		}
		tr = withoutGhe(tr)
		for _, names := range []bool{false, true} {
			p, err := formats.Parse("", bytes.NewReader(write(t, "stl", tr, formats.Options{VisibleNames: names})))
			require.NoError(t, err)
			require.Empty(t, p.Problems)
			require.Equal(t, language, p.Language)
			require.Equal(t, plain(lettersOf(tr)), plain(lettersOf(p.Transcript)), language)
			if names {
				require.Equal(t, tr.Labels(), p.Labels())
				continue
			}
			var want, got []line
			for _, c := range stlCues(tr, formats.Options{}) {
				for part := range strings.SplitSeq(strings.TrimPrefix(c.Text(), "- "), "\n- ") {
					want = append(want, line{"", letters(part), frame(c.Start).Milliseconds(), frame(c.End).Milliseconds()})
				}
			}
			for _, l := range linesOf(p) {
				got = append(got, line{"", plain(letters(l.text)), l.start, l.end})
			}
			require.Equal(t, want, got, language)
		}
	}
}

// go-astisub's reader finds the same captions in every language of the Latin table.
func TestValidatorSTL(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		if slices.Contains(noSTL, language) || language == "ru" || language == "uk" {
			continue
		}
		tr := passage(t, language)
		s, err := astisub.ReadFromSTL(bytes.NewReader(write(t, "stl", tr, formats.Options{Title: "Título"})), astisub.STLOptions{})
		require.NoError(t, err)
		cues := stlCues(tr, formats.Options{})
		require.Len(t, s.Items, len(cues), language)
		for i, c := range cues {
			require.Equal(t, frame(c.Start), s.Items[i].StartAt)
			require.Equal(t, frame(c.End), s.Items[i].EndAt)
			require.Equal(t, strings.Join(strings.Fields(c.Text()), " "), strings.Join(strings.Fields(plain(linesOfItem(s.Items[i]))), " "), language)
		}
		require.Equal(t, "STL25.01", string(write(t, "stl", tr, formats.Options{})[3:11]))
	}
}

// linesOfItem returns the text of a caption that go-astisub read.
func linesOfItem(item *astisub.Item) string {
	var all []string
	for _, l := range item.Lines {
		all = append(all, l.String())
	}
	return strings.Join(all, " ")
}

// The blocks have the numbers, rows, codes, and widths that teletext needs.
func TestSTLBlocks(t *testing.T) {
	t.Parallel()
	tr, o := interview()
	long := say("Speaker 2", 30*time.Second, strings.Repeat("éééééééé ", 8), "ö")
	tr.Utterances = append(tr.Utterances, long)
	out := write(t, "stl", tr, o)
	head, rest := string(out[:1024]), out[1024:]
	require.Zero(t, len(rest)%128)
	require.Equal(t, "850STL25.0110009The first computers             ", head[:48])
	require.Equal(t, "260301260301", head[224:236])
	cues := stlCues(tr, o)
	require.Equal(t, fmt.Sprintf("00%05d%05d00140231000000000000001311   ", len(rest)/128, len(cues)), head[236:277])
	require.Greater(t, len(rest)/128, len(cues), "a long caption has two blocks")
	var text []byte
	number := 0
	colours := map[string]string{"Speaker 0": "", "Speaker 1": "\x03", "Speaker 2": "\x06"}
	for ; len(rest) > 0; rest = rest[128:] {
		require.Equal(t, number, int(rest[1])+int(rest[2])<<8)
		text = append(text, bytes.TrimRight(rest[16:128], "\x8f")...)
		if rest[3] != 0xff {
			require.EqualValues(t, 0, rest[3])
			continue
		}
		c := cues[number]
		require.EqualValues(t, 24-2*len(c.Lines), rest[13], "the row")
		rows := bytes.Split(text, []byte{0x8a, 0x8a})
		require.Len(t, rows, len(c.Lines))
		for i, row := range rows {
			require.True(t, bytes.HasPrefix(row, []byte("\x0d"+colours[c.Label]+"\x0b\x0b")), "%s %x", c.Label, row)
			cells := 0
			for _, code := range row {
				if code < 0xc1 || code > 0xcf { // accents take no cell
					cells++
				}
			}
			require.LessOrEqual(t, cells, 40, c.Lines[i].Text)
			require.Equal(t, captions.Width(c.Lines[i].Text) <= 34, bytes.HasSuffix(row, []byte("\x0a\x0a")))
		}
		text, number = nil, number+1
	}
	require.Equal(t, len(cues), number)
}

// Typography that a table lacks is spelled; quotation marks stay pairs; letters are refused by name.
func TestSTLText(t *testing.T) {
	t.Parallel()
	read := func(text string) string {
		p, err := formats.ParseSTL(bytes.NewReader(write(t, "stl", spoken("", say("", time.Second, text)), formats.Options{})))
		require.NoError(t, err)
		return p.Utterances[0].Text
	}
	for in, want := range map[string]string{
		"“Ça” – 5 € … it’s":   "“Ça” - 5 EUR ... it’s",
		"„Ja“, ‘so’":          "\"Ja\", ‘so’",
		"£5 $6 ¥7 ½ ♪ ñ Ł Đ":  "£5 $6 ¥7 ½ ♪ ñ Ł Đ",
		"Şimdi ığdır İç Ğ":    "Şimdi ığdır İç Ğ",
		"«Да» — 5 €, № 3":     "\"Да\" - 5 EUR, № 3",
		"Є ї і Ї $5":          "Є ї і Ї $5",
		"Καλημέρα «κόσμε»":    "Καλημέρα «κόσμε»",
		"e\u0301 a\u0308 ș №": "é ä ş No.",
	} {
		require.Equal(t, want, read(in))
	}
	err := formats.WriteSTL(&bytes.Buffer{}, spoken("uk", say("", 61*time.Second, "Ґанок", "ґава", "😀")), formats.Options{})
	require.Equal(t, "EBU STL has no code for Ґ, ґ, 😀 (first at 00:01:01).", fault.Message(err))
	err = formats.WriteSTL(&bytes.Buffer{}, spoken("", say("", 24*time.Hour, "late")), formats.Options{})
	require.Equal(t, fault.CodeUnprocessable, fault.CodeOf(err))
	err = formats.WriteSTL(&bytes.Buffer{}, spoken("", say("A", 0, "x")), formats.Options{Names: map[string]string{"A": "漢"}, VisibleNames: true})
	require.ErrorContains(t, err, "漢")
}

// stlFile returns a file of blocks: the bytes 3 to 16 in front of each text.
func stlFile(head string, blocks ...string) string {
	file := head + strings.Repeat(" ", 1024-len(head))
	for _, b := range blocks {
		file += "\x00\x00\x00" + b + strings.Repeat("\x8f", 125-len(b))
	}
	return file
}

// at returns the bytes of a block from 3 on: the extension, the times of one second in frames, and the flag of comments.
func at(extension, second, frame, comment byte) string {
	return string([]byte{extension, 0, 10, 0, second, frame, 10, 0, second + 1, 0, 20, 2, comment})
}

// stlFiles lists what readers get of files, by claim. They also seed the fuzz tests.
var stlFiles = []struct {
	claim, in string
	want      []line
	problems  []string
}{{
	claim: "Extension blocks are joined; user data and comments are skipped; times count from the start of the programme; italics and colours are skipped.",
	in: stlFile("850STL25.010000F"+strings.Repeat(" ", 240)+"10000000",
		at(0, 1, 5, 0)+"\x0d\x03\x0b\x0bC'\xc2e", at(0xff, 1, 5, 0)+"tait \x80l\xc3a\x81\x8a\x8abas.\x0a\x0a", at(0xfe, 1, 0, 0)+"user", at(0xff, 2, 0, 1)+"comment", at(0xff, 3, 24, 0)+"Oui."),
	want: []line{{"", "C'était lâ bas.", 1200, 2000}, {"", "Oui.", 3960, 4000}},
}, {
	claim: "Cyrillic has its table, and 30 frames per second theirs; names are speakers if the first caption has one.",
	in:    stlFile("850STL30.0120156", at(0xff, 1, 15, 0)+"\xb0\xdd\xdd\xd0: \xb4\xd0.", at(0xff, 2, 0, 0)+"\xbd\xd5\xe2.", at(0xff, 3, 0, 0)+"- A.\x8a- B."),
	want:  []line{{"Анна", "Да.", 36_001_500, 36_002_000}, {"Анна", "Нет.", 36_002_000, 36_003_000}, {"Анна", "A.", 36_003_000, 36_004_000}, {"Анна", "B.", 36_003_000, 36_004_000}},
}, {
	claim: "Bad times, unknown rates and tables, and a cut block are reported.",
	in:    stlFile("850STL99.010990F", at(0xff, 60, 0, 0)+"a", at(0xff, 1, 25, 0)+"b", at(0xff, 1, 0, 0)+"c\xc0\xa6")[:1024+3*128] + "xyz",
	want:  []line{{"", "c\ufffd\ufffd", 36_001_000, 36_002_000}},
	problems: []string{
		"line 1: the block has invalid times; it was skipped.", "line 2: the block has invalid times; it was skipped.",
		"line 4: the last block has 3 of 128 bytes; it was skipped.", `unknown code table "99"; it was read as Latin.`, `unknown frame rate "STL99.01"; it was read as 25 frames per second.`,
	},
}}

// Parse reads what decoders show.
func TestParseSTL(t *testing.T) {
	t.Parallel()
	for _, c := range stlFiles {
		p, err := formats.Parse("a.stl", strings.NewReader(c.in))
		require.NoError(t, err, c.claim)
		require.Equal(t, c.want, linesOf(p), c.claim)
		var problems []string
		for _, q := range p.Problems {
			problems = append(problems, q.String())
		}
		slices.Sort(problems)
		require.Equal(t, c.problems, problems, c.claim)
	}
	_, err := formats.ParseSTL(strings.NewReader("{1}{2}text"))
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
	_, err = formats.Parse("a.stl", strings.NewReader("00:00:01:00 , 00:00:02:00 , Spruce"))
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
}

// Our STL has no errors by the rules of captions, with the limit of its rows.
func TestCheckSTL(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		if slices.Contains(noSTL, language) {
			continue
		}
		for _, tr := range []transcript.Transcript{passage(t, language), talk(t, language, 0.1)} {
			tr = withoutGhe(tr)
			r, err := formats.Check("a.stl", bytes.NewReader(write(t, "stl", tr, formats.Options{})), formats.CheckOptions{Language: language, Limits: captions.Options{Columns: 36}})
			require.NoError(t, err)
			require.Equal(t, "stl", r.Format)
			for _, f := range r.Findings {
				require.True(t, f.Warning, "%s: %d/%d %s %s", language, f.Line, f.Cue, f.Rule, f.Message)
			}
		}
	}
}
