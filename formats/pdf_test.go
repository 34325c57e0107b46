package formats_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/golden"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// fontsMissing returns the error of a machine without the fonts, or nil.
var fontsMissing = sync.OnceValue(func() error {
	t := transcript.Transcript{Utterances: []transcript.Utterance{{Text: "हिन्दी 日本語の한국어 שלום", End: 1}}}
	return formats.WritePDF(&bytes.Buffer{}, t, formats.Options{})
})

// needFonts skips a PDF test on a machine without fonts, and fails it in CI.
func needFonts(t *testing.T, f formats.Format) {
	t.Helper()
	if f.Name == "pdf" && fontsMissing() != nil {
		skipWithout(t, fault.Message(fontsMissing()))
	}
}

// A script without a font is an error with an installation hint; a given or installed font resolves it.
func TestPDFMissingFont(t *testing.T) {
	t.Parallel()
	fonts, err := formats.NewFonts(formats.FontOptions{NoSystem: true})
	require.NoError(t, err)
	var out bytes.Buffer
	err = formats.WritePDF(&out, passage(t, "hi"), formats.Options{Fonts: fonts})
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
	require.Equal(t, "No font found for Devanagari text.", fault.Message(err))
	var e *fault.Error
	require.True(t, errors.As(err, &e))
	require.Equal(t, "Install one (on Debian: apt-get install fonts-noto-core).", e.Hint)
	require.Zero(t, out.Len())

	// The chapters after the missing script are on no page.
	hindi := spoken("en", say("A", 0, "हिन्दी"), say("B", time.Minute, "Hello."))
	o := formats.Options{Fonts: fonts, SpeakerTable: true, Chapters: []formats.Chapter{{Title: "A"}, {Start: time.Minute, Title: "B"}, {Start: 2 * time.Minute, Title: "C"}}}
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(formats.WritePDF(&out, hindi, o)))

	_, err = formats.NewFonts(formats.FontOptions{Families: []formats.FontFamily{{Regular: []byte("x")}}})
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
	_, err = formats.NewFonts(formats.FontOptions{Families: []formats.FontFamily{{Regular: goregular.TTF}}, NoSystem: true})
	require.NoError(t, err)
}

// An utterance of 30,000 words fills many pages, and every letter is present.
func TestValidatorPDFLongUtterance(t *testing.T) {
	t.Parallel()
	u := transcript.Utterance{Speaker: "A", End: 3 * time.Hour, Text: strings.TrimSpace(strings.Repeat("one two, three. ", 10_000))}
	path := file(t, "pdf", spoken("en", u), formats.Options{})
	out := runTool(t, "pdftotext", "-enc", "UTF-8", path, "-")
	for _, word := range []string{"one", "two,", "three."} {
		require.Equal(t, 10_000, strings.Count(out, word))
	}
}

// The 14 languages in Latin and Cyrillic letters need no installed font.
func TestPDFWithoutSystemFonts(t *testing.T) {
	t.Parallel()
	fonts, err := formats.NewFonts(formats.FontOptions{NoSystem: true})
	require.NoError(t, err)
	for _, language := range transcript.Languages() {
		err := formats.WritePDF(&bytes.Buffer{}, passage(t, language), formats.Options{Fonts: fonts})
		switch language {
		case "hi", "ja", "ko", "zh":
			require.Error(t, err, language)
		default:
			require.NoError(t, err, language)
		}
	}
}

// poppler and MuPDF extract every word in all languages, and qpdf reports no error.
func TestValidatorPDFText(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs other programs")
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		path := file(t, "pdf", tr, formats.Options{Title: string(language)})
		require.Contains(t, runTool(t, "qpdf", "--check", path), "No syntax or stream encoding errors", language)
		for _, out := range []string{runTool(t, "pdftotext", "-enc", "UTF-8", path, "-"), runTool(t, "mutool", "draw", "-F", "text", path)} {
			got := letters(out)
			for _, u := range tr.Utterances {
				require.Contains(t, got, letters(u.Text), language)
			}
			if language.Spaced() {
				require.Contains(t, strings.Join(strings.Fields(out), " "), tr.Utterances[0].Text, language)
			}
		}
	}
}

// A document has title, language, creator, dates, bookmarks and structure, and embeds all of its fonts.
func TestValidatorPDFProperties(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs other programs")
	o := formats.Options{Title: "Žluťoučký 会議", Creator: "Ada", Created: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Summary: "Short."}
	path := file(t, "pdf", talk(t, "en", 0.5), o)
	info := runTool(t, "pdfinfo", "-isodates", path)
	for _, want := range []string{"Title:           Žluťoučký 会議", "Author:          Ada", "Tagged:          yes", "2026-03-01T12:00:00Z", "letter"} {
		require.Contains(t, info, want)
	}
	structure := runTool(t, "pdfinfo", "-struct-text", path)
	for _, want := range []string{"Document", "H1 (block)", "H2 (block)", "P (block)", "Span (inline)", `"Speaker 1 "`} {
		require.Contains(t, structure, want)
	}
	require.NotContains(t, structure, " / ") // page numbers aren't part of the text
	outline := runTool(t, "mutool", "show", path, "outline")
	for _, want := range []string{"\"Summary\"", "\"Transcript\"", "\t\"00:25:00\""} { // times are below the section
		require.Contains(t, outline, want)
	}
	root := runTool(t, "mutool", "show", path, "trailer/Root")
	require.Contains(t, root, "DisplayDocTitle true")
	require.Contains(t, root, "(en-US)")
	for _, line := range strings.Split(strings.TrimSpace(runTool(t, "pdffonts", path)), "\n")[2:] {
		require.Contains(t, line, "yes yes yes") // embedded, subset, with Unicode
	}
	hostileText, hostileOptions := hostile()
	for _, tr := range []transcript.Transcript{{}, hostileText, spoken("en", say("A", 0, strings.Repeat("long", 75)))} {
		require.Contains(t, runTool(t, "qpdf", "--check", file(t, "pdf", tr, hostileOptions)), "No syntax or stream encoding errors")
	}
}

// Text of mixed scripts is complete: decomposed letters, ligatures, emoji, rare characters.
func TestValidatorPDFMixed(t *testing.T) {
	t.Parallel()
	words := strings.Fields("Latin café naïve ffl fi हिन्दी 日本語、 中文 한국어 ไทย emoji 👩‍👩‍👧 😀 ♫ 𠮷野家 AI는 Ελληνικά")
	out := runTool(t, "pdftotext", "-enc", "UTF-8", file(t, "pdf", spoken("en", say("A", 0, words...)), formats.Options{}), "-")
	for _, w := range words {
		require.Contains(t, letters(out), w)
	}
}

// Numbers and Latin words in Hebrew and Arabic are copied as they were said, in text, names, and titles.
func TestValidatorPDFRightToLeft(t *testing.T) {
	t.Parallel()
	tr := spoken("he", say("דנה 25", 0, strings.Fields("בשנים 2023-2024 וב2025 שילמתי כ-1,234 ש״ח וה-iPhone, ל-03-5551234, ב-25.12.2024 (ב-Google), ב-50%.")...),
		say("عمر", time.Minute, strings.Fields("في عامي 2026 و2027 من 15 إلى ب500 دولار.")...))
	path := file(t, "pdf", tr, formats.Options{Title: "ראיון 2028"})
	for _, out := range []string{runTool(t, "pdftotext", "-enc", "UTF-8", path, "-"), runTool(t, "mutool", "draw", "-F", "text", path)} {
		for _, want := range []string{"25", "2023-2024", "2025", "1,234", "iPhone", "03-5551234", "25.12.2024", "Google", "50%", "2026", "2027", "15", "500", "2028"} {
			require.Contains(t, out, want)
		}
	}
}

// Addresses are links, in paragraphs that run from right to left, too.
func TestPDFLinks(t *testing.T) {
	t.Parallel()
	for text, links := range map[string]int{"See https://example.com/a and http://example.org.": 2, "ראו https://example.com/a כאן": 1, "راجع https://example.com/a أو https://example.com/a.": 2} {
		tr := spoken("en", say("A", 0, strings.Fields(text)...))
		content, err := os.ReadFile(file(t, "pdf", tr, formats.Options{}))
		require.NoError(t, err)
		require.Equal(t, links, strings.Count(plainPDF(t, content), "/Subtype /Link"), text)
	}
}

// pageOf renders the start of a document's first page.
func pageOf(t *testing.T, tr transcript.Transcript) []byte {
	t.Helper()
	path := file(t, "pdf", tr, formats.Options{Title: tr.Language.Name(), Created: time.Unix(1.7e9, 0)})
	page := filepath.Join(t.TempDir(), "page")
	runTool(t, "pdftoppm", "-r", "110", "-gray", "-png", "-singlefile", "-x", "90", "-y", "90", "-W", "730", "-H", "330", path, page)
	png, err := os.ReadFile(page + ".png")
	require.NoError(t, err)
	return png
}

// Pages look as reviewed. The tolerance allows for different versions of fonts and renderers, but not for one different
// syllable.
func TestValidatorPDFPages(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs other programs")
	const tolerance = 0.03
	for _, language := range []transcript.Language{"hi", "ja", "zh", "ko", "uk", "en"} {
		got := pageOf(t, passage(t, language))
		want := filepath.Join("testdata", "pages", string(language)+".png")
		if golden.Update() {
			require.NoError(t, os.MkdirAll(filepath.Dir(want), 0o755))
			require.NoError(t, os.WriteFile(want, got, 0o644))
		}
		require.Less(t, difference(t, want, got), tolerance, "%s: the page looks different", language)
	}
	broken := passage(t, "hi")
	for i, u := range broken.Utterances {
		broken.Utterances[i].Text = strings.Replace(u.Text, "क्ष", "क्\u200cष", 1) // the conjunct, taken apart
	}
	require.Greater(t, difference(t, "testdata/pages/hi.png", pageOf(t, broken)), tolerance)
}
