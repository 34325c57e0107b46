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

// controlPath is the path prefix of the control API.
const controlPath = "/_soundstage"

// readiness is the JSON of a ready file.
type readiness struct {
	URL        string            `json:"url"`                  // base URL on this machine
	PublicURL  string            `json:"public_url,omitempty"` // --public-url
	ControlURL string            `json:"control_url"`          // base URL of the control API
	Secret     string            `json:"secret"`               // the secret with the highest tier
	Secrets    map[string]string `json:"secrets"`              // by role: none, core, automation, platform, other
	PID        int               `json:"pid"`
	Version    string            `json:"version"`
}

// readyFile tells other programs that a sandbox answers requests, and at which address. The zero value writes no file.
type readyFile struct {
	path  string
	wrote []byte
}

// clear removes the file of an earlier process that was killed, so that no program mistakes it for this one's.
func (r *readyFile) clear() error {
	if r.path == "" {
		return nil
	}
	info, err := os.Stat(r.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.Mode().IsRegular():
		err = errors.New("it is not a regular file")
	case err == nil:
		err = os.Remove(r.path)
	}
	return r.wrapError(err)
}

// write creates the file atomically, with mode 0600 because it contains secrets. It returns CodeUnavailable if it can't.
func (r *readyFile) write(content any) error {
	if r.path == "" {
		return nil
	}
	body, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return err
	}
	r.wrote = append(body, '\n')
	temp, err := os.CreateTemp(filepath.Dir(r.path), ".soundstage-ready-*")
	if err != nil {
		return r.wrapError(err)
	}
	_, err = temp.Write(r.wrote)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), r.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(temp.Name()))
	}
	return r.wrapError(err)
}

// remove deletes the file, unless another process has replaced it since.
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
	return r.wrapError(err)
}

func (r *readyFile) wrapError(err error) error {
	if err == nil {
		return nil
	}
	return engine.Errorf(engine.CodeUnavailable, "ready", "The ready file %s can't be written.", r.path).
		WithHint("Set --ready-file to a file in an existing folder that you may write to.").Because(err)
}

// sandboxReadiness returns the content of a sandbox's ready file.
func sandboxReadiness(s *emulator.Server, o emulator.Options) readiness {
	secrets := secretsByRole(o.Secrets)
	return readiness{
		URL: s.URL(), PublicURL: o.PublicURL, ControlURL: s.URL() + controlPath, Secret: highestTier(secrets), Secrets: secrets,
		PID: os.Getpid(), Version: o.Version,
	}
}

// secretsByRole returns a sandbox's secrets by role: the first one for each tier, and "other" for a second user's. Without given secrets, these
// are the sandbox secrets.
func secretsByRole(given []emulator.Secret) map[string]string {
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

// highestTier returns the secret with the highest tier.
func highestTier(secrets map[string]string) string {
	for _, tier := range []engine.Tier{engine.TierPlatform, engine.TierAutomation, engine.TierCore, engine.TierNone} {
		if s := secrets[string(tier)]; s != "" {
			return s
		}
	}
	return ""
}
