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

// ffmpegVersion returns the version that ffmpeg prints, for example "ffmpeg version 7.1".
func ffmpegVersion(ctx context.Context) string {
	said, _ := exec.CommandContext(ctx, "ffmpeg", "-version").Output()
	line, _, _ := bytes.Cut(said, []byte(" Copyright"))
	if line, _, _ = bytes.Cut(line, []byte("\n")); len(line) == 0 || len(line) > 200 {
		return "ffmpeg"
	}
	return strings.TrimSpace(string(line))
}

// alphabets are sample letters for every language of captions (transcript.Languages): letters that are special to a language, and, for
// large scripts, some that every font for them has.
var alphabets = []struct {
	language transcript.Language
	letters  string
}{
	{"en", "Quick"}, {"de", "Straße"}, {"es", "¿Señor?"}, {"fr", "Œuvre"}, {"hi", "नमस्ते"}, {"id", "Terima"}, {"it", "Perché"}, {"ja", "日本語のテスト"},
	{"ko", "안녕하세요"}, {"nl", "Ĳsje"}, {"no", "Blåbær"}, {"pl", "Żółć"}, {"pt", "Ação"}, {"ru", "Съёмка"}, {"sv", "Räksmörgås"}, {"tr", "Iğdır"}, {"uk", "Їжґє"},
	{"zh", "简体中文"},
}

// checkRenders renders 1 s of captioned video. This needs every filter and encoder that renders use, and fonts for every language.
func checkRenders(ctx context.Context, cancel context.CancelFunc) []finding {
	defer cancel()
	begun := time.Now()
	dir, remove, err := render.NewTempDir("")
	if err != nil {
		return []finding{failedCheck("renders", err, time.Since(begun))}
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
		return []finding{failedCheck("renders", err, took)}
	}
	fonts := finding{Check: "fonts", Status: statusOK, Found: fmt.Sprintf("Fonts for captions in all %d languages are installed.", len(alphabets))}
	if result.Message != "" {
		sentence, hint, _ := strings.Cut(result.Message, ". ")
		fonts = finding{Check: "fonts", Status: statusWarning, Found: strings.TrimSuffix(sentence, ".") + ".", Hints: []string{hint}}
		if hint == "" {
			fonts.Hints = []string{"Install fonts for these languages."}
		}
	}
	return []finding{{Check: "renders", Status: statusOK, Found: "Rendered 1 s of captioned video.", TookMS: took.Milliseconds()}, fonts}
}

const (
	minFreeSpace = 100 << 20 // bytes; the check fails below this
	lowFreeSpace = 2 << 30   // bytes; below this, long media may fill the disk
)

// checkDisk writes and syncs a file in the data folder, or in the folder for temporary files, and checks the free space.
func checkDisk(dir string) finding {
	flag := "Choose another folder with --data."
	if dir == "" {
		dir, flag = os.TempDir(), "Choose another folder for temporary files with the environment variable TMPDIR."
	}
	begun := time.Now()
	at := existingParent(dir)
	f, err := os.CreateTemp(at, "soundstage-doctor-*")
	if err == nil {
		_, err = f.Write(make([]byte, 1<<20))
		err = errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
	}
	took := time.Since(begun)
	if err != nil {
		return finding{Check: "disk", Status: statusFailed, Found: fmt.Sprintf("Can't write to %s (%v).", at, err), Hints: []string{flag}, TookMS: took.Milliseconds(), code: engine.CodeUnavailable}
	}
	free, ok := freeSpace(at)
	found := finding{Check: "disk", Status: statusOK, Found: fmt.Sprintf("Wrote and synced a file in %s.", at), TookMS: took.Milliseconds()}
	if !ok {
		return found
	}
	found.Found = fmt.Sprintf("Wrote and synced a file in %s; %.1f GiB are free.", at, float64(free)/(1<<30))
	switch {
	case free < minFreeSpace:
		found.Status, found.code, found.Hints = statusFailed, engine.CodeNoSpace, []string{"Free some disk space. " + flag}
	case free < lowFreeSpace:
		found.Status, found.Hints = statusWarning, []string{"An hour of video may need more. Free some disk space. " + flag}
	}
	return found
}

// existingParent returns the deepest folder of a path that exists.
func existingParent(dir string) string {
	dir, err := filepath.Abs(dir)
	for err == nil {
		if info, statErr := os.Stat(dir); statErr == nil && info.IsDir() || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}
