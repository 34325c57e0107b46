package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func newExec(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "exec [flags] -- COMMAND [ARGUMENT]...",
		Short: "Run a command with a sandbox of its own, and stop the sandbox after it",
		Long: `Starts a sandbox on a free port, runs a command that finds it in its environment, stops the sandbox, and exits as the command
did. Standard input, output and error are the command's; nothing is printed in between. Signals go to the command, and what it
leaves running behind ends with it.

The command's environment has SOUNDSTAGE_URL, SOUNDSTAGE_CONTROL_URL, SOUNDSTAGE_SECRET (every tier), and of each other secret
SOUNDSTAGE_SECRET_CORE, SOUNDSTAGE_SECRET_AUTOMATION, SOUNDSTAGE_SECRET_NONE and SOUNDSTAGE_SECRET_OTHER (a second user).

` + clockModes + `
` + backendHelp + `
Exit codes: the command's own, and 128 and the number of the signal that ended it; 127 there is no such command, 126 it can't be
run; before it runs, 2 wrong flags, 4 something is in use, 5 ffmpeg is missing or a folder can't be used.`,
		Example: `  soundstage exec -- npm test
  soundstage exec --clock real -- pytest -q
  soundstage exec --allow-private-urls -- sh -c 'curl -H "Authorization: Bearer $SOUNDSTAGE_SECRET" $SOUNDSTAGE_URL/v1/spaces'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(cmd, errors.New("the command to run is needed, behind --"))
			}
			return nil
		},
	}
	cmd.Flags().SetInterspersed(false) // the flags behind the command are its own
	return withSandbox(cmd, std, sandboxDefaults{addr: "127.0.0.1:0", log: "off"}, func(cmd *cobra.Command, args []string, f sandboxFlags) error {
		return execute(cmd.Context(), args, f, std)
	})
}

// execute runs a command with a sandbox. The error says how it ended, unless with 0.
func execute(ctx context.Context, args []string, f sandboxFlags, std streams) (err error) {
	path, err := exec.LookPath(args[0])
	if err != nil {
		return notRun(args[0], err)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, forwarded...)
	defer signal.Stop(signals)
	s, err := openSandbox(ctx, f)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := s.close(); err == nil {
			err = closeErr
		}
	}()
	c := exec.Command(path, args[1:]...)
	c.Args[0] = args[0]
	c.Stdin, c.Stdout, c.Stderr = std.in, std.out, std.err
	c.Env = append(os.Environ(), environment(s.URL(), roles(f.Secrets))...)
	c.WaitDelay = time.Second // for output that is no file, after the command has ended
	return child{Cmd: c, owned: separate(c, std.in)}.run(ctx, signals, s.stopped)
}

// environment tells a command where its sandbox is. Secrets are named as the flags of `conformance` are.
func environment(url string, secrets map[string]string) []string {
	env := []string{"SOUNDSTAGE_URL=" + url, "SOUNDSTAGE_CONTROL_URL=" + url + controlPath, "SOUNDSTAGE_SECRET=" + strongest(secrets)}
	for role, secret := range secrets {
		if role != "platform" {
			env = append(env, variable("secret-"+role)+"="+secret)
		}
	}
	return env
}

// child is a command that is being run.
type child struct {
	*exec.Cmd
	owned bool // whether it has a process group of its own
}

// run runs the command to its end and hands it the signals that come. When the sandbox stops, so must the command.
func (c child) run(ctx context.Context, signals <-chan os.Signal, stopped <-chan error) error {
	runtime.LockOSThread() // the kernel ends the child when the thread that started it ends
	defer runtime.UnlockOSThread()
	if err := c.Start(); err != nil {
		return notRun(c.Args[0], err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	var broken error
	done := ctx.Done()
	for {
		select {
		case sig := <-signals:
			c.signal(sig)
		case <-done: // a signal that ended the context comes by itself
			done = nil
			if context.Cause(ctx) == context.Canceled {
				c.signal(terminate)
			}
		case broken = <-stopped:
			stopped = nil
			c.signal(terminate)
		case err := <-ended:
			c.cleanUp()
			if broken != nil {
				return broken
			}
			return c.status(err)
		}
	}
}

// status is how the command ended.
func (c child) status(err error) error {
	if c.ProcessState == nil {
		return notRun(c.Args[0], err)
	}
	if code := exitOf(c.ProcessState); code != 0 {
		return exitStatus{code: code}
	}
	return nil
}

// notRun says why there is nothing to wait for, with the codes of shells.
func notRun(name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return exitStatus{code: 127, says: fmt.Sprintf("there is no command %q.", name)}
	}
	return exitStatus{code: 126, says: fmt.Sprintf("the command %q can't be run: %s.", name, strings.TrimPrefix(err.Error(), "exec: "))}
}
