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
	empty := filepath.Join(dir, "empty")
	require.NoError(t, os.WriteFile(empty, []byte("\n"), 0o600))
	return strings.NewReplacer("EMPTY", empty, "DB", "sqlite:"+filepath.Join(dir, "rows.db"), "OBJ", "file:"+filepath.Join(dir, "blobs"), "KEY", key, "LOOSE", loose, "SHORT", short)
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
		"serve --database DB --database-file KEY --objects OBJ --signing-key-file KEY":                                 {"exclude each other"},
		"serve --database DB --objects OBJ --signing-key-file SHORT":                                                   {"The signing key on line 1", "openssl rand"},
		"serve --database DB --objects OBJ --signing-key-file /nothing":                                                {"can't be read"},
		"serve --database DB --objects OBJ --signing-key-file KEY --no-work --only render":                             {"--no-work excludes"},
		"serve --database DB --objects OBJ --signing-key-file KEY --only renders":                                      {`Unknown class of jobs "renders"`, "transcribe"},
		"serve --database DB --objects OBJ --signing-key-file KEY --public-url ftp://x":                                {"not a valid public URL"},
		"serve --database postgres://u:hunter2@h/d --objects OBJ --signing-key-file KEY":                               {"--database contains a password", "SOUNDSTAGE_DATABASE"},
		"serve --database postgres://u@h/d?password=hunter2 --objects OBJ --signing-key-file KEY":                      {"--database contains a password"},
		"serve --database postgres://u:hunter2%zz@h/d --objects OBJ --signing-key-file KEY":                            {"--database contains a password"},
		"serve --database host=h,password=hunter2 --objects OBJ --signing-key-file KEY":                                {"--database contains a password"},
		"serve --database DB --objects s3://a:hunter2@b --signing-key-file KEY":                                        {"--objects contains a password", "AWS_ACCESS_KEY_ID"},
		"serve --database-file LOOSE --objects OBJ --signing-key-file KEY":                                             {"Other users can read", "chmod 600"},
		"serve --database mysql://h/d --objects OBJ --signing-key-file KEY":                                            {"address of the database is not known", "postgres://"},
		"serve --database DB --objects ftp://h --signing-key-file KEY":                                                 {"address of the object storage is not known", "s3://"},
		"serve --control-token-file KEY":                                                                               {"--control-token-file needs --database."},
		"serve --database DB --objects OBJ --signing-key-file KEY --control-token hunter2hunter2hunter2hunter2hunter2": {"--control-token can't be used with --database", "--control-token-file"},
		"serve --database DB --objects OBJ --signing-key-file KEY --control-token-file SHORT":                          {"A control token must have at least 32 characters (got 7).", "openssl rand"},
		"serve --database DB --objects OBJ --signing-key-file KEY --control-token-file EMPTY":                          {"--control-token-file,", "is empty"},
		"serve --database DB --objects OBJ --signing-key-file KEY --control-token-file LOOSE":                          {"Other users can read", "chmod 600"},
		"serve --database DB --objects OBJ --signing-key-file KEY --control-token-file /nothing":                       {"can't be read"},
		"work --objects OBJ": {"--database is required"},
		"work --database DB": {"--objects is required"},
		"work --database DB --objects OBJ --only render,x":        {`Unknown class of jobs "x"`, "deliver, generate, import, maintain, render, transcribe"},
		"work --database DB --objects OBJ --slots -1":             {"--slots must not be negative"},
		"work --database DB --objects OBJ --drain-timeout 0":      {"--drain-timeout must be greater"},
		"sweep --objects OBJ":                                     {"--database is required"},
		"sweep --database DB":                                     {"--objects is required"},
		"sweep --database DB --objects OBJ --older-than 1h":       {"--older-than must be at least 24h0m0s (got 1h0m0s)."},
		"sweep --database postgres://u:hunter2@h/d --objects OBJ": {"contains a password"},
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

// The token of the operators' console may come from the variable, but not from the variable and a file.
func TestNodeTokenOfVariable(t *testing.T) {
	line := strings.Fields(nodeFiles(t).Replace("serve --addr 127.0.0.1:0 --no-work --database DB --objects OBJ --signing-key-file KEY"))
	t.Setenv("SOUNDSTAGE_CONTROL_TOKEN", "hunter2")
	code, _, errOut := cli(t, line...)
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "A control token must have at least 32 characters (got 7).")
	code, _, errOut = cli(t, append(line, "--control-token-file", "x")...)
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "exclude each other")
	require.NotContains(t, errOut, "hunter2")
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

// The first key of a database creates its account, and further keys belong to it. Other accounts have their own keys.
func TestKeysOfDatabase(t *testing.T) {
	t.Parallel()
	files := nodeFiles(t)
	run := func(line string) (code int, out, errOut string) {
		return cli(t, strings.Fields(files.Replace(line))...)
	}
	code, _, errOut := run("keys list --database DB")
	require.Equal(t, 3, code)
	require.Contains(t, errOut, "There is no account")
	code, secret, errOut := run("keys create --database DB --tier core --name ci")
	require.Zero(t, code, errOut)
	require.Regexp(t, `^sk_\S+\n$`, secret)
	code, _, errOut = run("keys create --database DB --name other --account 11111111-1111-4111-8111-111111111111")
	require.Zero(t, code, errOut)
	_, list, _ := run("keys list --database DB")
	require.Contains(t, list, "ci")
	require.NotContains(t, list, "other")
	require.NotContains(t, list, strings.TrimSpace(secret))
	id := strings.Fields(strings.Split(list, "\n")[1])[0]
	code, _, errOut = run("keys delete --database DB " + id)
	require.Zero(t, code, errOut)
	_, list, _ = run("keys list --database DB")
	require.NotContains(t, list, "ci")
	for line, says := range map[string]string{
		"keys list":                                         "--data or --database is required",
		"keys list --database DB --data /tmp":               "exclude each other",
		"keys list --data /tmp --account x":                 "--account needs --database",
		"keys create --database DB --account X":             "not the id of an account",
		"keys create --database postgres://u:hunter2@h/d":   "contains a password",
		"keys create --database DB --tier gold --name none": "gold",
	} {
		code, _, errOut := run(line)
		require.Equal(t, 2, code, line)
		require.Contains(t, errOut, says)
	}
}

// Doctor checks the database and the storage that the flags choose, shows no password, and leaves nothing behind.
func TestDoctorOfNodes(t *testing.T) {
	t.Parallel()
	files := nodeFiles(t)
	code, d, checks := runDoctor(t, strings.Fields(files.Replace("--no-probe --database DB --objects OBJ"))...)
	require.Zero(t, code, "%+v", d)
	require.Equal(t, statusOK, checks["database"].Status)
	require.Equal(t, "Stored, read in part, and deleted an object.", checks["storage"].Found)
	left, err := filepath.Glob(files.Replace("OBJ")[len("file:"):] + "/doctor/*")
	require.NoError(t, err)
	require.Empty(t, left)
	code, out, errOut := cli(t, "doctor", "--no-probe", "--database", "postgres://u:hunter2@h/d", "--objects", "ftp://u:hunter2@h")
	require.Equal(t, 2, code)
	require.Contains(t, out, "--database contains a password")
	require.Contains(t, out, "--objects contains a password")
	require.NotContains(t, out+errOut, "hunter2")
}
