package translate_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/translate"
)

func utterances(texts ...string) []transcript.Utterance {
	out := make([]transcript.Utterance, len(texts))
	for i, text := range texts {
		out[i] = transcript.Utterance{Speaker: "Speaker 0", Text: text, Start: time.Duration(i) * time.Second, End: time.Duration(i+1) * time.Second}
	}
	return out
}

// A batch has at most 40 texts and at most 8 KiB. A longer text is a batch of its own.
func TestBatches(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("word ", 1000) // 5,000 bytes
	for name, c := range map[string]struct {
		texts []string
		want  []int
	}{
		"no texts":            {nil, nil},
		"one text":            {[]string{"a"}, []int{1}},
		"40 texts":            {slices.Repeat([]string{"a"}, 40), []int{40}},
		"41 texts":            {slices.Repeat([]string{"a"}, 41), []int{40, 1}},
		"texts over 8 KiB":    {[]string{big, big, "a"}, []int{1, 2}},
		"8 KiB":               {[]string{strings.Repeat("a", 4<<10), strings.Repeat("a", 4<<10)}, []int{2}},
		"8 KiB and a byte":    {[]string{strings.Repeat("a", 4<<10), strings.Repeat("a", 4<<10+1)}, []int{1, 1}},
		"one text over 8 KiB": {[]string{"a", big + big, "a"}, []int{1, 1, 1}},
	} {
		var sizes []int
		got, err := translate.Utterances(t.Context(), utterances(c.texts...), "de", nil, func(_ context.Context, texts []string) ([]string, error) {
			sizes = append(sizes, len(texts))
			return texts, nil
		})
		require.NoError(t, err, name)
		require.Equal(t, c.want, sizes, name)
		require.Len(t, got, len(c.texts), name)
	}
}

// Terms survive translators that translate, drop, or repeat their tokens; speakers and times stay.
func TestTermsSurvive(t *testing.T) {
	t.Parallel()
	upper := func(s string) string { return strings.ToUpper(s) }
	for name, c := range map[string]struct {
		answer func(call int, texts []string) []string
		want   string
		calls  int
	}{
		"kept": {func(_ int, texts []string) []string { return each(texts, upper) }, "MEET Soundstage NOW", 1},
		"lost together, kept alone": {func(call int, texts []string) []string {
			if call == 1 {
				return each(texts, func(string) string { return "LOST" })
			}
			return each(texts, upper)
		}, "MEET Soundstage NOW", 2},
		"too few answers, kept alone": {func(call int, texts []string) []string {
			if call == 1 {
				return nil
			}
			return each(texts, upper)
		}, "MEET Soundstage NOW", 2},
		"always lost": {func(_ int, texts []string) []string {
			return each(texts, func(s string) string { return upper(strings.ReplaceAll(s, "[[T0]]", "")) })
		}, "MEET Soundstage NOW", 4},
	} {
		calls := 0
		got, err := translate.Utterances(t.Context(), utterances("Meet Soundstage now"), "de", []string{"Soundstage"}, func(_ context.Context, texts []string) ([]string, error) {
			calls++
			return c.answer(calls, texts), nil
		})
		require.NoError(t, err, name)
		require.Equal(t, c.want, got[0].Text, name)
		require.Equal(t, c.calls, calls, name)
		require.Equal(t, "Speaker 0", got[0].Speaker, name)
		require.Equal(t, time.Second, got[0].End, name)
		require.Len(t, got[0].Words, 3, name)
	}
}

// A translator that returns nothing for a piece of text fails with a retryable CodeUnavailable.
func TestMissingPiece(t *testing.T) {
	t.Parallel()
	_, err := translate.Utterances(t.Context(), utterances("Meet Soundstage now"), "de", []string{"Soundstage"}, func(_ context.Context, texts []string) ([]string, error) {
		return make([]string, len(texts)), nil
	})
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
	var failed *fault.Error
	require.ErrorAs(t, err, &failed)
	require.True(t, failed.Retryable)
}

// The error of each of the translator's calls is returned: for all texts, for one, and for a piece of one.
func TestTranslatorFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for failing := 1; failing <= 4; failing++ {
		calls := 0
		got, err := translate.Utterances(t.Context(), utterances("Meet Soundstage now"), "de", []string{"Soundstage"}, func(_ context.Context, texts []string) ([]string, error) {
			if calls++; calls == failing {
				return nil, broken
			}
			return each(texts, func(s string) string { return strings.ReplaceAll(s, "[[T0]]", "") }), nil
		})
		require.ErrorIs(t, err, broken, failing)
		require.Nil(t, got)
		require.Equal(t, failing, calls)
	}
}

// Fingerprints differ when the terms do, and when the same letters are split into other terms.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	require.Equal(t, translate.Fingerprint([]string{"a", "b"}), translate.Fingerprint([]string{"a", "b"}))
	require.NotEqual(t, translate.Fingerprint([]string{"a", "b"}), translate.Fingerprint([]string{"ab"}))
	require.Len(t, translate.Fingerprint(nil), 16)
}

func each(texts []string, f func(string) string) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = f(s)
	}
	return out
}
