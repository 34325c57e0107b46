package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// waitDelay is how long something that a program has left behind may hold on to its output.
const waitDelay = 2 * time.Second

// run runs the program and returns the texts that may be its answer, the likeliest first, and the end of what it complained of.
func (t *Transcriber) run(ctx context.Context, args []string, folder string, tell func(done float64)) (texts [][]byte, said string, err error) {
	limited, cancel := context.WithTimeoutCause(ctx, t.cfg.Timeout, errTooLong)
	defer cancel()
	limited, stop := context.WithCancelCause(limited)
	defer stop(nil)
	out := &bounded{full: func() { stop(errTooMuch) }}
	errs := &complaints{tell: tell}
	cmd := exec.CommandContext(limited, t.path, args...)
	cmd.Env = environment(t.cfg.Env)
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = waitDelay
	ownGroup(cmd)
	err = cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it did end well; what holds on to its output is none of ours
	}
	if err == nil && out.over {
		err = errTooMuch
	}
	if err != nil {
		return nil, "", t.failure(ctx, err, context.Cause(limited), errs.String())
	}
	return append(printed(out.kept), beside(folder)...), errs.String(), nil
}

// printed returns what of the output may be JSON: all of it, or what is behind the lines that aren't.
func printed(out []byte) [][]byte {
	out = bytes.TrimSpace(bytes.TrimPrefix(out, []byte("\xef\xbb\xbf")))
	if bytes.HasPrefix(out, []byte("{")) {
		return [][]byte{out}
	}
	if i := bytes.Index(out, []byte("\n{")); i >= 0 {
		return [][]byte{out[i+1:]}
	}
	return nil
}

// beside returns the JSON files in a folder: of whisper-cli, of WhisperX, then others by their names.
func beside(folder string) (all [][]byte) {
	names := []string{soundName + ".json", strings.TrimSuffix(soundName, filepath.Ext(soundName)) + ".json"}
	entries, _ := os.ReadDir(folder) // an error is a folder without files
	for _, e := range entries {
		if strings.EqualFold(filepath.Ext(e.Name()), ".json") && !slices.Contains(names, e.Name()) && len(names) < 10 {
			names = append(names, e.Name())
		}
	}
	for _, name := range names {
		path := filepath.Join(folder, name)
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxOutput {
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(file, maxOutput))
		if _ = file.Close(); err == nil {
			all = append(all, text)
		}
	}
	return all
}

// harmless are variables that programs need and that are no secrets; those that end with _ stand for all that begin so.
var harmless = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_", "TZ", "TMPDIR", "TMP", "TEMP", "LD_LIBRARY_PATH", "DYLD_", "SYSTEMROOT", "APPDATA",
	"LOCALAPPDATA", "USERPROFILE", "VIRTUAL_ENV", "CONDA_PREFIX", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "CUDA_", "NVIDIA_", "HIP_",
	"ROCR_", "HSA_", "ONEAPI_", "GGML_", "OMP_", "MKL_", "OPENBLAS_", "HF_HOME", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "TRANSFORMERS_CACHE", "TORCH_HOME",
}

// environment is what of ours a program gets: no keys of backends, unless it is said that it gets them.
func environment(more []string) []string {
	return slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return !slices.Contains(more, name) && !slices.ContainsFunc(harmless, func(h string) bool {
			upper := strings.ToUpper(name)
			return upper == h || strings.HasSuffix(h, "_") && strings.HasPrefix(upper, h)
		})
	})
}
