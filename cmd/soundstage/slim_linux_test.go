package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// maxSlim is the size limit of the slim image in bytes: 60 MB, rounded.
const maxSlim = 60.5e6

// The slim image works: a folder with only the files that the Dockerfile copies is the root folder of the program, which runs as the
// image's user with the image's variables. It transcribes WAV files, and says what it can't do.
func TestSlimImage(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it builds the program")
	stage := dockerStage(t, "scratch AS slim")
	root := t.TempDir()
	require.NoError(t, os.Chmod(root, 0o755)) // for the image's user
	bin := filepath.Join(root, "usr/local/bin/soundstage")
	command, _, ok := strings.Cut(argumentsOf(dockerStage(t, "build AS static"), "RUN")[0], " -o /soundstage ./cmd/soundstage && ")
	require.True(t, ok, "it builds the program")
	require.NoError(t, output(exec.Command("sh", "-c", command+" -o "+bin+" .")))
	copied := strings.Join(argumentsOf(stage, "COPY"), "\n")
	require.Contains(t, copied, "/soundstage /usr/local/bin/soundstage")
	const certificates = "etc/ssl/certs/ca-certificates.crt"
	require.Contains(t, copied, "/"+certificates)
	raw, err := os.ReadFile("/" + certificates)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.Dir(certificates)), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, certificates), raw, 0o644))
	require.Contains(t, copied, "/slim /") // folders for temporary files and data
	require.NoError(t, os.Mkdir(filepath.Join(root, "tmp"), 0o755))
	require.NoError(t, os.Chmod(filepath.Join(root, "tmp"), 0o777))
	info, err := os.Stat(bin)
	require.NoError(t, err)
	require.Less(t, float64(info.Size()+int64(len(raw))), maxSlim)

	cmd := exec.Command("/usr/local/bin/soundstage", "serve", "--addr", "127.0.0.1:0", "--log", "off")
	cmd.Dir = "/"
	cmd.Env = strings.Fields(strings.Join(argumentsOf(stage, "ENV"), " "))
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: 10001, Gid: 10001}
	} else {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 10001, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 10001, HostID: os.Getgid(), Size: 1}}
	}
	p := startProcess(t, cmd)
	p.waitStatus(p.record("conversation.wav"), "completed")
	require.Contains(t, p.stderr.String(), "ffmpeg is missing: only WAV files can be transcribed")
	p.waitStatus(p.record("conversation.mp3"), "error")
}
