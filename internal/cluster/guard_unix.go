//go:build unix

package cluster

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// guard is a process that waits for the end of this program, also by kill -9, and then ends what Stop has not ended. All nodes are in its
// process group. Its input is the folders of the cluster, one on each line; the kernel closes it with this program.
type guard struct {
	cmd     *exec.Cmd
	folders io.WriteCloser
}

// guardScript stops the nodes, then PostgreSQL at once, and removes the folders. 0 is the process group.
const guardScript = `trap '' TERM INT HUP
while IFS= read -r folder; do set -- "$@" "$folder"; done
kill -TERM 0
sleep 3
for folder; do
	[ ! -f "$folder/data/postmaster.pid" ] || kill -QUIT "$(head -n 1 "$folder/data/postmaster.pid")"
done
sleep 1
rm -rf -- "$@"
kill -KILL 0`

func startGuard() (*guard, error) {
	g := &guard{cmd: exec.Command("/bin/sh", "-c", guardScript)}
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C doesn't reach it
	var err error
	if g.folders, err = g.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return g, g.cmd.Start()
}

// watch makes the guard responsible for a folder. If it has the files of a PostgreSQL server, the guard ends the server, too.
func (g *guard) watch(folder string) error {
	_, err := fmt.Fprintln(g.folders, folder)
	return err
}

// join puts a command in the guard's process group. So Ctrl-C doesn't reach it: Stop ends it.
func (g *guard) join(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.cmd.Process.Pid}
}

// stop ends the guard when nothing is left.
func (g *guard) stop() {
	_ = g.cmd.Process.Kill()
	_ = g.cmd.Wait()
}
