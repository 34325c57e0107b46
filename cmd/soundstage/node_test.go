package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// nodeFiles are the files of a node's command line, by placeholder: DB and OBJ are addresses, KEY is a file with a signing key.
func nodeFiles(t *testing.T) *strings.Replacer {
	t.Helper()
	dir := t.TempDir()
	key := filepath.Join(dir, "signing.key")
	require.NoError(t, os.WriteFile(key, []byte(strings.Repeat("k", 32)+"\n"), 0o600))
	loose := filepath.Join(dir, "loose")
	require.NoError(t, os.WriteFile(loose, []byte("postgres://u:hunter2@h/d\n"), 0o644))
	short := filepath.Join(dir, "short.key")
	require.NoError(t, os.WriteFile(short, []byte("hunter2\n"), 0o600))
	return strings.NewReplacer("DB", "sqlite:"+filepath.Join(dir, "rows.db"), "OBJ", "file:"+filepath.Join(dir, "blobs"), "KEY", key, "LOOSE", loose, "SHORT", short)
}

// Wrong command lines of nodes exit with 2 and one sentence with what to do, and show no password.
func TestWrongNodes(t *testing.T) {
	t.Parallel()
	for line, says := range map[string][]string{
		"serve --objects OBJ":                        {"--objects needs --database.", "omit --objects to run a sandbox"},
		"serve --no-work":                            {"--no-work needs --database."},
		"serve --signing-key-file KEY":               {"--signing-key-file needs --database."},
		"serve --drain-delay 1s":                     {"--drain-delay needs --database."},
		"serve --database DB --objects OBJ":          {"--signing-key-file is required", "openssl rand"},
		"serve --database DB --signing-key-file KEY": {"--objects is required"},
		"serve --database DB --database-file KEY --objects OBJ --signing-key-file KEY":            {"exclude each other"},
		"serve --database DB --objects OBJ --signing-key-file SHORT":                              {"The signing key on line 1", "openssl rand"},
		"serve --database DB --objects OBJ --signing-key-file /nothing":                           {"can't be read"},
		"serve --database DB --objects OBJ --signing-key-file KEY --no-work --only render":        {"--no-work excludes"},
		"serve --database DB --objects OBJ --signing-key-file KEY --only renders":                 {`Unknown class of jobs "renders"`, "transcribe"},
		"serve --database DB --objects OBJ --signing-key-file KEY --public-url ftp://x":           {"not a valid public URL"},
		"serve --database postgres://u:hunter2@h/d --objects OBJ --signing-key-file KEY":          {"--database contains a password", "SOUNDSTAGE_DATABASE"},
		"serve --database postgres://u@h/d?password=hunter2 --objects OBJ --signing-key-file KEY": {"--database contains a password"},
		"serve --database postgres://u:hunter2%zz@h/d --objects OBJ --signing-key-file KEY":       {"--database contains a password"},
		"serve --database host=h,password=hunter2 --objects OBJ --signing-key-file KEY":           {"--database contains a password"},
		"serve --database DB --objects s3://a:hunter2@b --signing-key-file KEY":                   {"--objects contains a password", "AWS_ACCESS_KEY_ID"},
		"serve --database-file LOOSE --objects OBJ --signing-key-file KEY":                        {"Other users can read", "chmod 600"},
		"serve --database mysql://h/d --objects OBJ --signing-key-file KEY":                       {"address of the database is not known", "postgres://"},
		"serve --database DB --objects ftp://h --signing-key-file KEY":                            {"address of the object storage is not known", "s3://"},
		"work --objects OBJ": {"--database is required"},
		"work --database DB": {"--objects is required"},
		"work --database DB --objects OBJ --only render,x":   {`Unknown class of jobs "x"`, "deliver, generate, import, maintain, render, transcribe"},
		"work --database DB --objects OBJ --slots -1":        {"--slots must not be negative"},
		"work --database DB --objects OBJ --drain-timeout 0": {"--drain-timeout must be greater"},
		"migrate":                        {"--database is required"},
		"migrate --database mysql://h/d": {"not known"},
		"migrate --database postgres://u:hunter2@h/d": {"contains a password"},
	} {
		code, out, errOut := cli(t, strings.Fields(nodeFiles(t).Replace(line))...)
		require.Equal(t, 2, code, "%s: %s", line, errOut)
		require.Empty(t, out, line)
		for _, part := range says {
			require.Contains(t, errOut, part, line)
		}
		require.NotContains(t, errOut, "hunter2", line)
	}
}

// Every flag of the sandbox is refused with --database, with the reason.
func TestNodeRefusesSandboxFlags(t *testing.T) {
	t.Parallel()
	values := map[string]string{"max-connections": "1", "max-requests-per-key": "1", "max-requests-per-address": "1", "seed": "1"}
	for _, only := range sandboxOnly {
		value := values[only.flag]
		if value == "" {
			value = "true"
		}
		line := "serve --database DB --objects OBJ --signing-key-file KEY --" + only.flag + "=" + value
		code, _, errOut := cli(t, strings.Fields(nodeFiles(t).Replace(line))...)
		require.Equal(t, 2, code, "%s: %s", line, errOut)
		require.Contains(t, errOut, "--"+only.flag+" can't be used with --database: "+only.reason+".")
		require.Contains(t, errOut, "omit --database to run a sandbox")
	}
}

// A password in the variable or in a private file is accepted.
func TestDatabasePassword(t *testing.T) {
	t.Setenv("SOUNDSTAGE_DATABASE", "mysql://u:hunter2@h/d")
	code, _, errOut := cli(t, "migrate")
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "not known")
	require.Contains(t, errOut, "SOUNDSTAGE_DATABASE")
	require.NotContains(t, errOut, "hunter2")
}

// Migrate says what it did.
func TestMigrate(t *testing.T) {
	t.Parallel()
	files := nodeFiles(t)
	for _, args := range []string{"migrate --database DB", "migrate --database DB --check"} {
		code, out, errOut := cli(t, strings.Fields(files.Replace(args))...)
		require.Zero(t, code, errOut)
		require.Contains(t, out, "nothing to do")
	}
}
