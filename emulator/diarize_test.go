package emulator_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// The engine's diarization step assigns generated words to the speakers for whom they were generated, with or without the number
// of speakers.
func TestInventedWordsAreDiarized(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes")
	const path = "../testdata/conversation.wav"
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	media, src := wav.Media{}, files.Source(path)
	info, err := media.Probe(t.Context(), src)
	require.NoError(t, err)
	s := start(t, emulator.Options{Clock: emulator.ClockManual})
	e := s.Engine()
	me, _, err := emulator.Accounts(t.Context(), e)
	require.NoError(t, err)
	for _, speakers := range []int{0, 1, 2, 3} {
		u, err := e.CreateUpload(t.Context(), me, engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: int64(len(b))})
		require.NoError(t, err)
		_, err = e.ReceiveUpload(t.Context(), u.ID, strings.NewReader(string(b)))
		require.NoError(t, err)
		r, _, err := e.CreateRecording(t.Context(), me, engine.NewRecording{ObjectID: u.ID, SpeakersExpected: speakers})
		require.NoError(t, err)
		_, body := call(t, "POST", s.URL()+"/_soundstage/clock/advance", fmt.Sprintf(`{"until":{"resource":%q,"status":"completed"}}`, r.ID))
		require.Contains(t, fmt.Sprint(body), "transcript.diarize")
		got, err := e.GetRecordingTranscript(t.Context(), me, r.ID)
		require.NoError(t, err)
		heard, err := (&fake.Transcriber{Media: media, Diarizer: diarize.Diarizer{}}).Transcribe(t.Context(), engine.TranscribeRequest{
			Source: src, Info: info, Language: "en", SpeakersExpected: speakers,
		})
		require.NoError(t, err)
		require.Equal(t, transcript.BuildUtterances(heard.Words, "en"), got.Transcript.Utterances, "%d speakers", speakers)
	}
}

// A call whose parties have a channel each has two speakers, even if both have the same voice.
func TestCallInStereo(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes")
	const header, rate = 44, 16000
	b, err := os.ReadFile("../testdata/conversation.wav")
	require.NoError(t, err)
	host := b[header+2*rate*4/10 : header+2*rate*49/10] // 4.5 s
	for _, decimate := range []int{1, 2} {              // 8 kHz needs ffmpeg
		var sound []byte
		for turn := range 6 {
			for i := 0; i+1 < len(host); i += 2 * decimate {
				pair := [4]byte{}
				copy(pair[2*(turn%2):], host[i:i+2])
				sound = append(sound, pair[:]...)
			}
			sound = append(sound, make([]byte, 4*rate/decimate/2)...)
		}
		file := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(36+len(sound)))
		file = append(file, "WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00"...)
		file = binary.LittleEndian.AppendUint32(file, uint32(rate/decimate))
		file = binary.LittleEndian.AppendUint32(file, uint32(4*rate/decimate))
		file = append(file, "\x04\x00\x10\x00data"...)
		file = append(binary.LittleEndian.AppendUint32(file, uint32(len(sound))), sound...)

		s := start(t, emulator.Options{})
		e := s.Engine()
		me, _, err := emulator.Accounts(t.Context(), e)
		require.NoError(t, err)
		u, err := e.CreateUpload(t.Context(), me, engine.NewUpload{Filename: "call.wav", ContentType: "audio/wav", Size: int64(len(file))})
		require.NoError(t, err)
		_, err = e.ReceiveUpload(t.Context(), u.ID, strings.NewReader(string(file)))
		require.NoError(t, err)
		r, _, err := e.CreateRecording(t.Context(), me, engine.NewRecording{ObjectID: u.ID, Language: "en"})
		require.NoError(t, err)
		_, err = e.WaitRecording(t.Context(), me, r.ID)
		require.NoError(t, err)
		got, err := e.GetRecordingTranscript(t.Context(), me, r.ID)
		require.NoError(t, err)
		require.Len(t, got.Transcript.Utterances, 6)
		for i, u := range got.Transcript.Utterances {
			require.Equal(t, fmt.Sprint("Speaker ", i%2), u.Speaker)
		}
	}
}
