package main

import (
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// browserCommand returns the program of a system that opens a URL in the user's browser, with its arguments.
func browserCommand(system, url string) (name string, args []string) {
	switch system {
	case "darwin":
		return "open", []string{url}
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	return "xdg-open", []string{url}
}

// openBrowser opens a URL in the user's browser. It returns at once; the channel gets the result, which a browser that runs in the foreground
// delays. CodeUnavailable if there is no browser.
func openBrowser(url string) <-chan error {
	result := make(chan error, 1)
	name, args := browserCommand(runtime.GOOS, url)
	cmd := exec.Command(name, args...)
	// A file, because the browser may outlive this program and would then write to a broken pipe.
	said, err := os.CreateTemp("", "soundstage-browser-*")
	if err == nil {
		cmd.Stderr = said
	}
	detach(cmd)
	err = cmd.Start()
	if said != nil {
		_ = os.Remove(said.Name()) // the open file stays; Windows refuses this, and takes the second one
	}
	if err != nil {
		closeFile(said)
		result <- noBrowser(url, err, "")
		return result
	}
	go func() {
		err := cmd.Wait()
		if err != nil {
			err = noBrowser(url, err, beginning(said))
		}
		closeFile(said)
		result <- err
	}()
	return result
}

// beginning returns the beginning of a file that another process wrote.
func beginning(f *os.File) string {
	if f == nil {
		return ""
	}
	head := make([]byte, 1<<10)
	n, _ := f.ReadAt(head, 0)
	return string(head[:n])
}

func closeFile(f *os.File) {
	if f != nil {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
}

func noBrowser(url string, err error, said string) error {
	first, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if first != "" {
		first = ": " + first
	}
	return engine.Errorf(engine.CodeUnavailable, "open", "No browser could be opened (%v%.200s).", err, first).WithHint("Open " + url + " yourself.")
}
