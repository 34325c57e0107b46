package node

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// minSigningKey is the smallest length of a key, in characters.
const minSigningKey = 32

// ParseSigningKeys parses a file of signing keys, one on each line; it skips empty lines and lines that begin with #. The first key signs,
// and all verify. The ID of a key is derived from it, so all nodes give a key the same ID. CodeInvalid for a file without keys, or with a
// short one; the error contains no key.
func ParseSigningKeys(file []byte) ([]files.Key, error) {
	const op = "node.ParseSigningKeys"
	var keys []files.Key
	for i, line := range strings.Split(string(file), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if len(line) < minSigningKey {
			return nil, engine.Errorf(engine.CodeInvalid, op, "The signing key on line %d has fewer than %d characters.", i+1, minSigningKey).
				WithHint("Create one with: openssl rand -hex 32.")
		}
		keys = append(keys, files.Key{ID: fingerprint([]byte(line)), Secret: []byte(line)})
	}
	if len(keys) == 0 {
		return nil, engine.Errorf(engine.CodeInvalid, op, "The file contains no signing key.").WithHint("Create one with: openssl rand -hex 32.")
	}
	return keys, nil
}

// fingerprint identifies a key without revealing it.
func fingerprint(secret []byte) string {
	sum := sha256.Sum256(append([]byte("soundstage signing key\n"), secret...))
	return hex.EncodeToString(sum[:8])
}

// Names of agreements.
const (
	agreedKeys   = "signing-keys"  // IDs of the keys of the node that started last
	agreedCursor = "cursor-secret" // signs the cursors of lists
)

// agreeOnKeys returns CodeConflict unless one of the keys is one of the node that started last. So keys can be rotated node by node: nodes
// with the old key, with both, and with the new one follow each other.
func agreeOnKeys(ctx context.Context, store engine.Store, keys []files.Key) error {
	shared, ok := store.(Agreements)
	if !ok || len(keys) == 0 {
		return nil
	}
	var ids []string
	for _, k := range keys {
		ids = append(ids, k.ID)
	}
	own, old := strings.Join(ids, " "), ""
	for {
		stored, err := shared.Agree(ctx, agreedKeys, old, own)
		if err != nil || stored == own {
			return err
		}
		if !slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(strings.Fields(stored), id) }) {
			return engine.Errorf(engine.CodeConflict, "node.New", "The signing keys differ from those of the other nodes: none of %s is in %s.", own, stored).
				WithHint("Give all nodes the same --signing-key-file. To replace a key, list the old and the new one on all nodes first. " +
					"If the old keys are lost, delete the row 'signing-keys' of the table agreements while no node runs.")
		}
		old = stored
	}
}

// cursorSecret returns the secret that signs cursors, the same on all nodes. It survives a change of the signing keys if the store can keep
// it.
func cursorSecret(ctx context.Context, store engine.Store, keys []files.Key) ([]byte, error) {
	if shared, ok := store.(Agreements); ok {
		stored, err := shared.Agree(ctx, agreedCursor, "", rand.Text()+rand.Text())
		return []byte(stored), err
	}
	if len(keys) == 0 {
		return nil, nil // a worker returns no cursors
	}
	h := hmac.New(sha256.New, keys[0].Secret)
	h.Write([]byte("soundstage cursors"))
	return h.Sum(nil), nil
}
