package conformance

import (
	"context"
	"embed"
	"encoding/binary"
	"math"
	"net"
	"net/http"
	"path"
	"sync"
	"time"
)

// media holds the files that recordings are created from. talk.m4a is a conversation of two people: 28 s, with 3 s of silence
// at the end. film.mp4 is its first 8 s with video. talk.aac and talk.mp3 are its first 3 s. They were created by
//
//	ffmpeg -i testdata/conversation.wav -af apad=pad_dur=3 -c:a aac -b:a 20k -bitexact talk.m4a
//	ffmpeg -f lavfi -i testsrc2=s=64x36:r=5 -i testdata/conversation.wav -t 8 -c:v libx264 -crf 40 -pix_fmt yuv420p -c:a aac -b:a 20k film.mp4
//
//go:embed media
var media embed.FS

func mediaFile(name string) []byte {
	b, err := media.ReadFile("media/" + name)
	if err != nil {
		panic(err) // all files are embedded
	}
	return b
}

// silentFrom and talkEnds are the start and the end of the silence of talk.m4a, in milliseconds.
const silentFrom, talkEnds = 25_200, 27_800

// talkRounded is the duration of talk.m4a, 27.9 s, rounded up to a whole second, in milliseconds.
const talkRounded = 28_000

// filmLength is the duration of film.mp4.
const filmLength = 8 * time.Second

// sampleRate is that of wav and tone, in Hz.
const sampleRate = 8000

// wav returns the tone of a length.
func wav(loudness float64, length time.Duration) []byte {
	return tone(loudness, int(length.Seconds()*sampleRate))
}

// tone returns a WAV file (8 kHz, mono, 16 bit) with n samples of a 220 Hz tone that swells four times a second; of silence if
// loudness is 0.
func tone(loudness float64, n int) []byte {
	b := append([]byte("RIFF"), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(b[4:], uint32(36+2*n))
	b = append(b, "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(2*n))
	for i := range n {
		t := float64(i) / sampleRate
		v := loudness * math.Sin(2*math.Pi*220*t) * (1 - math.Cos(2*math.Pi*4*t)) / 2
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(v*32767)))
	}
	return b
}

// mediaServer serves the media on a loopback port, from which a server on this machine can download it.
type mediaServer struct {
	url  string
	http *http.Server
	mu   sync.Mutex
	hits map[string]int
}

func serveMedia(ctx context.Context) (*mediaServer, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &mediaServer{url: "http://" + l.Addr().String(), hits: map[string]int{}}
	m.http = &http.Server{Handler: m, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = m.http.Serve(l) }()
	return m, nil
}

// ServeHTTP serves every file under any folder, such as /folder/talk.m4a, so that each check can use its own URL.
func (m *mediaServer) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	folder, name := path.Split(req.URL.Path)
	m.mu.Lock()
	m.hits[folder]++
	m.mu.Unlock()
	switch name {
	case "talk.m4a", "film.mp4", "talk.aac", "talk.mp3":
		http.ServeFileFS(w, req, media, "media/"+name)
	case "tone.wav":
		w.Header().Set("Content-Type", "audio/wav")
		_, _ = w.Write(wav(0.5, 2*time.Second))
	case "page.mp3":
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>A page</title>"))
	default:
		http.NotFound(w, req)
	}
}

// reached reports whether the server has requested anything in a folder.
func (m *mediaServer) reached(folder string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.hits["/"+folder+"/"] > 0
}
