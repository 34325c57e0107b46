package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
)

// controlPath is where the sandbox's own API is.
const controlPath = "/_soundstage"

// readiness is the JSON of a ready file.
type readiness struct {
	URL        string            `json:"url"`                  // base of every address, for this machine
	PublicURL  string            `json:"public_url,omitempty"` // --public-url
	ControlURL string            `json:"control_url"`          // base of the control API
	Secret     string            `json:"secret"`               // the one that grants most
	Secrets    map[string]string `json:"secrets"`              // by role: none, core, automation, platform, other
	PID        int               `json:"pid"`
	Version    string            `json:"version"`
}

// readyFile says to other programs that a sandbox answers, and where. The zero value is none.
type readyFile struct {
	path  string
	wrote []byte
}

// clear removes what a process that was killed has left, so that nobody takes it for this one's.
func (r *readyFile) clear() error {
	if r.path == "" {
		return nil
	}
	info, err := os.Stat(r.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.Mode().IsRegular():
		err = errors.New("it is no regular file")
	case err == nil:
		err = os.Remove(r.path)
	}
	return r.failed(err)
}

// write makes the file appear, whole, with mode 0600 because it has secrets. CodeUnavailable.
func (r *readyFile) write(s *emulator.Server, o emulator.Options) error {
	if r.path == "" {
		return nil
	}
	secrets := roles(o.Secrets)
	body, err := json.MarshalIndent(readiness{
		URL: s.URL(), PublicURL: o.PublicURL, ControlURL: s.URL() + controlPath, Secret: strongest(secrets), Secrets: secrets,
		PID: os.Getpid(), Version: o.Version,
	}, "", "  ")
	if err != nil {
		return err
	}
	r.wrote = append(body, '\n')
	temp, err := os.CreateTemp(filepath.Dir(r.path), ".soundstage-ready-*")
	if err != nil {
		return r.failed(err)
	}
	_, err = temp.Write(r.wrote)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), r.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(temp.Name()))
	}
	return r.failed(err)
}

// remove removes the file, unless another process has written its own there since.
func (r *readyFile) remove() error {
	if r.path == "" {
		return nil
	}
	found, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Equal(found, r.wrote) {
		return nil
	}
	if err == nil {
		err = os.Remove(r.path)
	}
	return r.failed(err)
}

func (r *readyFile) failed(err error) error {
	if err == nil {
		return nil
	}
	return engine.Errorf(engine.CodeUnavailable, "ready", "The ready file %s can't be used.", r.path).
		WithHint("Give --ready-file a file in a folder that exists and that you may write to.").Because(err)
}

// roles are the secrets that open a sandbox, by what they grant; of several for the same it is the first. None given are the sandbox's.
func roles(given []emulator.Secret) map[string]string {
	if len(given) == 0 {
		given = emulator.SandboxSecrets()
	}
	secrets := map[string]string{}
	for _, s := range given {
		role := string(s.Tier)
		if s.Other {
			role = "other"
		}
		if secrets[role] == "" {
			secrets[role] = s.Value
		}
	}
	return secrets
}

// strongest is the secret that grants most.
func strongest(secrets map[string]string) string {
	for _, tier := range []engine.Tier{engine.TierPlatform, engine.TierAutomation, engine.TierCore, engine.TierNone} {
		if s := secrets[string(tier)]; s != "" {
			return s
		}
	}
	return ""
}
