package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

func asError(err error) (*engine.Error, bool) { return errors.AsType[*engine.Error](err) }

// ffmpegVersion is what ffmpeg says that it is.
func ffmpegVersion(ctx context.Context) string {
	said, _ := exec.CommandContext(ctx, "ffmpeg", "-version").Output()
	line, _, _ := bytes.Cut(said, []byte(" Copyright"))
	if line, _, _ = bytes.Cut(line, []byte("\n")); len(line) == 0 || len(line) > 200 {
		return "ffmpeg"
	}
	return strings.TrimSpace(string(line))
}

// alphabets have what captions of the languages are written with (engine.Languages): the letters that others don't have, and of the large
// scripts some that every font of them has.
var alphabets = []struct {
	language transcript.Language
	letters  string
}{
	{"en", "Quick"}, {"de", "Straße"}, {"es", "¿Señor?"}, {"fr", "Œuvre"}, {"hi", "नमस्ते"}, {"id", "Terima"}, {"it", "Perché"}, {"ja", "日本語のテスト"},
	{"ko", "안녕하세요"}, {"nl", "Ĳsje"}, {"no", "Blåbær"}, {"pl", "Żółć"}, {"pt", "Ação"}, {"ru", "Съёмка"}, {"sv", "Räksmörgås"}, {"tr", "Iğdır"}, {"uk", "Їжґє"},
	{"zh", "简体中文"},
}

// checkRenders makes a second of captioned video, which needs every filter and encoder that renders do, and the fonts of every language.
func checkRenders(ctx context.Context, cancel context.CancelFunc) []finding {
	defer cancel()
	begun := time.Now()
	dir, remove, err := render.NewTempDir("")
	if err != nil {
		return []finding{failed("renders", err, time.Since(begun))}
	}
	defer func() { _ = remove() }()
	var words []transcript.Word
	share := time.Second / time.Duration(len(alphabets))
	for i, a := range alphabets {
		words = append(words, transcript.Word{Text: a.letters, Start: time.Duration(i) * share, End: time.Duration(i+1) * share})
	}
	result, err := render.FFmpeg{TempDir: dir}.Render(ctx, backends.Speech(), render.Request{
		Window: transcript.Window{End: time.Second}, Words: words, Style: engine.StyleBoxed, ShortSide: 144,
	}, filepath.Join(dir, "doctor.mp4"), nil)
	took := time.Since(begun)
	if err != nil {
		return []finding{failed("renders", err, took)}
	}
	fonts := finding{Check: "fonts", Status: well, Found: fmt.Sprintf("Captions in all %d languages have their letters.", len(alphabets))}
	if result.Message != "" {
		sentence, hint, _ := strings.Cut(result.Message, ". ")
		fonts = finding{Check: "fonts", Status: beware, Found: sentence + ".", Hints: []string{hint}}
	}
	return []finding{{Check: "renders", Status: well, Found: "A second of captioned video was made.", TookMS: took.Milliseconds()}, fonts}
}

const (
	leastDisk = 100 << 20 // bytes, below which nothing can be done
	easyDisk  = 2 << 30   // bytes, below which long media is a risk
)

// checkDisk writes to the folder that everything is kept in, or to the one for temporary files, and waits until it is on the disk.
func checkDisk(dir string) finding {
	flag := "Choose another folder with --data."
	if dir == "" {
		dir, flag = os.TempDir(), "Choose another folder for temporary files, with the variable TMPDIR."
	}
	begun := time.Now()
	at := existing(dir)
	f, err := os.CreateTemp(at, "soundstage-doctor-*")
	if err == nil {
		_, err = f.Write(make([]byte, 1<<20))
		err = errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
	}
	took := time.Since(begun)
	if err != nil {
		return finding{Check: "disk", Status: broken, Found: fmt.Sprintf("%s can't be written to (%v).", at, err), Hints: []string{flag}, TookMS: took.Milliseconds(), code: engine.CodeUnavailable}
	}
	free, ok := freeSpace(at)
	found := finding{Check: "disk", Status: well, Found: fmt.Sprintf("%s can be written to and synced.", at), TookMS: took.Milliseconds()}
	if !ok {
		return found
	}
	found.Found = fmt.Sprintf("%s has %.1f GiB free, and can be written to and synced.", at, float64(free)/(1<<30))
	switch {
	case free < leastDisk:
		found.Status, found.code, found.Hints = broken, engine.CodeNoSpace, []string{"Free some space. " + flag}
	case free < easyDisk:
		found.Status, found.Hints = beware, []string{"An hour of video may need more: free some space. " + flag}
	}
	return found
}

// existing is the nearest folder of a path that is there.
func existing(dir string) string {
	dir, err := filepath.Abs(dir)
	for err == nil {
		if info, statErr := os.Stat(dir); statErr == nil && info.IsDir() || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}
