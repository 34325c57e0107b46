package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// readSecretFile returns the content of a secret file. CodeInvalid if it can't be read, or if other users can read it.
func readSecretFile(op, path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, op, "The secret file %s can't be read.", path).
			WithHint(fmt.Sprintf("Check the path and its permissions: %s.", fault.Reason(err))).Because(err)
	}
	if info, err := os.Stat(path); err == nil && backends.OthersCanRead(path, info) {
		return nil, engine.Errorf(engine.CodeInvalid, op, "Other users can read the secret file %s: its mode is %04o.", path, info.Mode().Perm()).
			WithHint(fmt.Sprintf("Restrict it: chmod 600 %q.", path))
	}
	return b, nil
}

// readSecrets reads a file with a tier and a secret on each line. It skips empty lines and lines that begin with #.
func readSecrets(path string) ([]emulator.Secret, error) {
	b, err := readSecretFile("serve", path)
	if err != nil {
		return nil, err
	}
	var secrets []emulator.Secret
	for i, line := range strings.Split(string(b), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		tier := engine.Tier(fields[0])
		switch {
		case len(fields) != 2 || !tier.Includes(engine.TierNone):
			return nil, engine.Errorf(engine.CodeInvalid, "serve", "Line %d of the secret file is not “TIER SECRET”.", i+1).
				WithHint("TIER is none, core, automation, or platform.")
		case len(fields[1]) < 16 || strings.HasPrefix(fields[1], "sk_sandbox_"):
			return nil, engine.Errorf(engine.CodeInvalid, "serve", "The secret on line %d of the secret file is too easy to guess.", i+1).
				WithHint("Use at least 16 random characters, for example from `openssl rand -hex 24`.")
		}
		secrets = append(secrets, emulator.Secret{Tier: tier, Value: fields[1]})
	}
	if len(secrets) == 0 {
		return nil, engine.Errorf(engine.CodeInvalid, "serve", "The secret file %s contains no secrets.", path).WithHint("Add lines “TIER SECRET”.")
	}
	return secrets, nil
}
