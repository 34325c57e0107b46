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

// waitDelay is how long child processes may keep the output open after the program has exited.
const waitDelay = 2 * time.Second

// run runs the program. It returns the texts that may be its JSON, the likeliest first, and the end of its standard error.
func (t *Transcriber) run(ctx context.Context, args []string, folder string, tell func(done float64)) (texts [][]byte, said string, err error) {
	limited, cancel := context.WithTimeoutCause(ctx, t.cfg.Timeout, errTooLong)
	defer cancel()
	limited, stop := context.WithCancelCause(limited)
	defer stop(nil)
	out := &limitedBuffer{full: func() { stop(errTooMuch) }}
	errs := &stderrBuffer{report: tell}
	cmd := exec.CommandContext(limited, t.path, args...)
	cmd.Env = environment(t.cfg.Env)
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = waitDelay
	setProcessGroup(cmd)
	if err = cmd.Start(); err != nil && limited.Err() == nil {
		return nil, "", startFailure(err)
	} else if err == nil {
		err = cmd.Wait()
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // the program succeeded; only a child process keeps its output open
	}
	if err == nil && out.over {
		err = errTooMuch
	}
	if err != nil {
		return nil, "", t.failure(ctx, err, context.Cause(limited), errs.String())
	}
	return append(printedJSON(out.kept), folderJSON(folder)...), errs.String(), nil
}

// printedJSON returns the part of the output that may be JSON: all of it, or the part after log lines.
func printedJSON(out []byte) [][]byte {
	out = bytes.TrimSpace(bytes.TrimPrefix(out, []byte("\xef\xbb\xbf")))
	if bytes.HasPrefix(out, []byte("{")) {
		return [][]byte{out}
	}
	if i := bytes.Index(out, []byte("\n{")); i >= 0 {
		return [][]byte{out[i+1:]}
	}
	return nil
}

// folderJSON returns the contents of the JSON files in a folder: those of whisper-cli and WhisperX first, then others by name.
func folderJSON(folder string) (all [][]byte) {
	names := []string{soundName + ".json", strings.TrimSuffix(soundName, filepath.Ext(soundName)) + ".json"}
	entries, _ := os.ReadDir(folder) // on an error, there are no files
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

// safeVariables are environment variables that programs need and that contain no secrets. A name that ends with _ is a prefix.
var safeVariables = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_", "TZ", "TMPDIR", "TMP", "TEMP", "LD_LIBRARY_PATH", "DYLD_", "SYSTEMROOT", "APPDATA",
	"LOCALAPPDATA", "USERPROFILE", "VIRTUAL_ENV", "CONDA_PREFIX", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "CUDA_", "NVIDIA_", "HIP_",
	"ROCR_", "HSA_", "ONEAPI_", "GGML_", "OMP_", "MKL_", "OPENBLAS_", "HF_HOME", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "TRANSFORMERS_CACHE", "TORCH_HOME",
}

// environment returns the program's environment: the safe variables and those in more. Keys of backends are left out.
func environment(more []string) []string {
	return slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return !slices.Contains(more, name) && !slices.ContainsFunc(safeVariables, func(h string) bool {
			upper := strings.ToUpper(name)
			return upper == h || strings.HasSuffix(h, "_") && strings.HasPrefix(upper, h)
		})
	})
}
