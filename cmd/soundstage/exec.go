package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
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
		Short: "Run a command with a new sandbox, then stop the sandbox",
		Long: `Starts a sandbox on a free port, runs a command with the sandbox's address in its environment, stops the sandbox, and exits with
the command's exit code. The command has standard input, output, and error to itself. Signals are forwarded to the command.
Processes that it leaves running are terminated.

The command's environment contains SOUNDSTAGE_URL, SOUNDSTAGE_CONTROL_URL, SOUNDSTAGE_SECRET (platform tier),
SOUNDSTAGE_SECRET_CORE, SOUNDSTAGE_SECRET_AUTOMATION, SOUNDSTAGE_SECRET_NONE, and SOUNDSTAGE_SECRET_OTHER (a second user). With
--control-token, it contains SOUNDSTAGE_CONTROL_TOKEN. NO_PROXY contains the sandbox's host.

` + clockModes + `
` + backendHelp + `
Exit codes: the command's own, or 128 plus the number of the signal that ended it; 127 command not found, 126 it can't be run. If
the sandbox does not start: 2 wrong flags, 4 a port or folder is in use, 5 ffmpeg is missing or a folder can't be used.`,
		Example: `  soundstage exec -- npm test
  soundstage exec --clock real -- pytest -q
  soundstage exec --allow-private-urls -- sh -c 'curl -H "Authorization: Bearer $SOUNDSTAGE_SECRET" $SOUNDSTAGE_URL/v1/spaces'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(cmd, errors.New("expected a command to run after --"))
			}
			return nil
		},
	}
	cmd.Flags().SetInterspersed(false) // flags after the command belong to the command
	return withSandbox(cmd, std, sandboxDefaults{addr: "127.0.0.1:0", log: "off"}, func(cmd *cobra.Command, args []string, f sandboxFlags) error {
		return execute(cmd.Context(), args, f, std)
	})
}

// execute runs a command with a sandbox. The error has the command's exit code; it is nil for 0.
func execute(ctx context.Context, args []string, f sandboxFlags, std streams) (err error) {
	path, err := exec.LookPath(args[0])
	if err != nil {
		return startError(args[0], err)
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
	if ctx.Err() != nil { // a signal during the start: the command doesn't begin
		return context.Cause(ctx)
	}
	c := exec.Command(path, args[1:]...)
	c.Args[0] = args[0]
	c.Stdin, c.Stdout, c.Stderr = std.in, std.out, std.err
	c.Env = append(os.Environ(), environment(s.URL(), secretsByRole(f.Secrets))...)
	c.Env = append(c.Env, withoutProxy(s.URL())...)
	if token := f.ControlToken; token != "" {
		c.Env = append(c.Env, variable("control-token")+"="+token)
	}
	c.WaitDelay = time.Second // bounds the wait for output pipes that child processes keep open
	return child{Cmd: c, ownGroup: setProcessGroup(c, std.in)}.run(ctx, signals, s.stopped)
}

// environment returns the variables that describe a sandbox. Secrets are named like the flags of `conformance`.
func environment(address string, secrets map[string]string) []string {
	env := []string{"SOUNDSTAGE_URL=" + address, "SOUNDSTAGE_CONTROL_URL=" + address + controlPath, "SOUNDSTAGE_SECRET=" + highestTier(secrets)}
	for role, secret := range secrets {
		if role != "platform" {
			env = append(env, variable("secret-"+role)+"="+secret)
		}
	}
	return env
}

// withoutProxy returns the variables that let clients reach a sandbox directly. Many ask HTTP_PROXY even for the addresses of this machine,
// such as curl and the clients of Python, and some know only one case of NO_PROXY.
func withoutProxy(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	var env []string
	for _, names := range [][]string{{"no_proxy", "NO_PROXY"}, {"NO_PROXY", "no_proxy"}} {
		value := cmp.Or(os.Getenv(names[0]), os.Getenv(names[1]))
		switch strings.TrimSpace(value) {
		case "*":
		case "":
			value = u.Hostname()
		default:
			value += "," + u.Hostname()
		}
		env = append(env, names[0]+"="+value)
	}
	return env
}

// child is a running command.
type child struct {
	*exec.Cmd
	ownGroup bool // whether it has its own process group
}

// run runs the command until it exits, and forwards signals to it. If the sandbox stops, run terminates the command.
func (c child) run(ctx context.Context, signals <-chan os.Signal, stopped <-chan error) error {
	runtime.LockOSThread() // the kernel kills the child when the thread that started it exits
	defer runtime.UnlockOSThread()
	if err := c.Start(); err != nil {
		return startError(c.Args[0], err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	var broken error
	done := ctx.Done()
	for {
		select {
		case sig := <-signals:
			c.signal(sig)
		case <-done: // a signal that cancelled the context arrives on signals, too
			done = nil
			if context.Cause(ctx) == context.Canceled { // not errors.Is, which is true for a signal, too
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

// status returns the command's exit code as an error, nil for 0.
func (c child) status(err error) error {
	if c.ProcessState == nil {
		return startError(c.Args[0], err)
	}
	if code := shellExitCode(c.ProcessState); code != 0 {
		return exitStatus{code: code}
	}
	return nil
}

// startError returns the error of a command that could not start, with the exit code that a shell would use.
func startError(name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return exitStatus{code: 127, message: fmt.Sprintf("command %q not found.", name)}
	}
	return exitStatus{code: 126, message: fmt.Sprintf("the command %q can't be run: %s.", name, strings.TrimPrefix(err.Error(), "exec: "))}
}
