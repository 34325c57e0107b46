package fetch_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMain makes the test binary act as yt-dlp when it gets yt-dlp's options.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "--ies") {
		os.Exit(fakeYTDLP(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// fakeYTDLP does what the page's query says: "get" requests URLs through the proxy, "hold" starts a child that keeps a
// connection open, "stderr" and "answer" are written, "flood" writes without end, "hang" never exits, and "exit" is the
// exit code.
func fakeYTDLP(args []string) int {
	page, err := url.Parse(args[len(args)-1])
	if err != nil {
		panic(err)
	}
	do := page.Query()
	switch {
	case do.Has("child"):
		c, err := net.Dial("tcp", do.Get("child"))
		if err == nil {
			_, _ = c.Read(make([]byte, 1)) // until this process is killed or the test ends
		}
		return 0
	case do.Has("hold"):
		child := exec.Command(os.Args[0], "--ies", "https://child.test/?child="+do.Get("hold"))
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
		time.Sleep(time.Hour) // not select{}: Go ends a deadlocked program, unless it has cgo
	case do.Has("get"):
		title := make([]string, 0, 2)
		for _, target := range do["get"] {
			title = append(title, viaProxy(args[slices.Index(args, "--proxy")+1], target))
		}
		printTitle(strings.Join(title, " | "))
	case do.Has("echo"):
		printTitle(strings.Join(args, " ") + " :: " + strings.Join(os.Environ(), " "))
	}
	_, _ = io.WriteString(os.Stderr, do.Get("stderr"))
	_, _ = io.WriteString(os.Stdout, do.Get("answer"))
	for do.Has("flood") {
		if _, err := os.Stdout.Write(make([]byte, 1<<20)); err != nil {
			return 1
		}
	}
	if do.Has("hang") {
		time.Sleep(time.Hour) // not select{}: Go ends a deadlocked program, unless it has cgo
	}
	code, _ := strconv.Atoi(do.Get("exit"))
	return code
}

// viaProxy requests a URL through a proxy, and returns the status and body, or the error.
func viaProxy(proxy, target string) string {
	at, err := url.Parse(proxy)
	if err != nil {
		panic(err)
	}
	res, err := (&http.Client{Transport: &http.Transport{Proxy: func(*http.Request) (*url.URL, error) { return at, nil }}}).Get(target)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	body, _ := io.ReadAll(res.Body)
	return fmt.Sprintf("%d %s", res.StatusCode, body)
}

// printTitle prints metadata with a title.
func printTitle(title string) {
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{"title": title, "url": "https://cdn.test/a.mp4", "protocol": "https"})
}
