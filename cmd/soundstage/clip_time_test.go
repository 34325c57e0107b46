package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A time is written as in a player or a caption file, in seconds, or with units. What is printed can be given back.
func TestClipTimes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"1:10": 70 * time.Second, "1:10.5": 70500 * time.Millisecond, "70s": 70 * time.Second, "1h2m": 62 * time.Minute, "70": 70 * time.Second,
		"70.25": 70250 * time.Millisecond, "0": 0, "0:00": 0, "90:00": 90 * time.Minute, "1:02:03.004": time.Hour + 2*time.Minute + 3004*time.Millisecond,
		"00:01:10,500": 70500 * time.Millisecond, "01:05": 65 * time.Second, "1m12.5s": 72500 * time.Millisecond, "1:5": 65 * time.Second,
		"1000h": 1000 * time.Hour, "250ms": 250 * time.Millisecond,
	} {
		var got clipTime
		require.NoError(t, got.Set(text), text)
		require.Equal(t, want, time.Duration(got), text)
		for _, printed := range []string{got.String(), clock(want)} {
			var again clipTime
			require.NoError(t, again.Set(printed), printed)
			require.Equal(t, got, again, printed)
		}
	}
	for text, says := range map[string]string{
		"": "is written", "soon": "is written", "1:": "is written", ":10": "is written", "1:2:3:4": "is written", "1:10s": "is written", "1m:10": "is written",
		"1.5:10": "is written", "1,5,2": "is written", "1:-5": "is written", "-1:05": "is written", "+1:05": "is written", "1e3": "is written", "٧": "is written",
		"99999999999999999999": "is written", "99999999999999999999:00": "is written", "NaN": "is written",
		"1:60": "seconds after a colon", "1:60:00": "minutes after a colon", "-5s": "negative", "1000h1ms": "less than", "60001:00": "less than", "1001:00:00": "less than",
	} {
		var got clipTime
		require.ErrorContains(t, got.Set(text), says, text)
		require.Zero(t, got, text)
	}
}

// Every flag for a part of a recording takes such times, and an end before the start is an error with both.
func TestClipTimeFlags(t *testing.T) {
	t.Parallel()
	for line, says := range map[string]string{
		"render x -o y.mp4 --from 1:10 --to 1:05":                  "--to must be after --from (got 0:01:05.000 and 0:01:10.000).",
		"render x -o y.mp4 --from 1:70":                            `invalid argument "1:70" for "--from" flag: the seconds after a colon must be less than 60`,
		"render x -o y.mp4 --to never":                             "a time is written 1:10, 1:02:03.5, 70s, or 1h2m",
		"clip x --from 1:10 --to 1:05":                             "--to must be after --from (got 0:01:05.000 and 0:01:10.000).",
		"library clip 1 --data x -o y.mp4 --from 1:10 --to 1:05":   "--to must be after --from (got 0:01:05.000 and 0:01:10.000).",
		"library clip 1 --data x -o y.mp4 --start 1:10 --end 1:05": "--to must be after --from (got 0:01:05.000 and 0:01:10.000).",
	} {
		code, _, errOut := cli(t, strings.Fields(line)...)
		require.Equal(t, 2, code, errOut)
		require.Contains(t, errOut, says, line)
	}
}
