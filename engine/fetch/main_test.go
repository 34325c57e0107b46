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

// TestMain makes the test binary a yt-dlp when it is called like one.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "--ies") {
		os.Exit(fakeYTDLP(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// fakeYTDLP does what the page's query says: asks for "get" through its proxy, spawns a child that holds a connection to
// "hold", writes "stderr", writes "answer", writes without end ("flood"), never ends ("hang"), and exits with "exit".
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
			_, _ = c.Read(make([]byte, 1)) // until somebody ends this process or the test
		}
		return 0
	case do.Has("hold"):
		child := exec.Command(os.Args[0], "--ies", "https://child.test/?child="+do.Get("hold"))
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
		time.Sleep(time.Hour) // a program that can't go on is ended by Go, unless it has cgo
	case do.Has("get"):
		title := make([]string, 0, 2)
		for _, target := range do["get"] {
			title = append(title, through(args[slices.Index(args, "--proxy")+1], target))
		}
		say(strings.Join(title, " | "))
	case do.Has("echo"):
		say(strings.Join(args, " ") + " :: " + strings.Join(os.Environ(), " "))
	}
	_, _ = io.WriteString(os.Stderr, do.Get("stderr"))
	_, _ = io.WriteString(os.Stdout, do.Get("answer"))
	for do.Has("flood") {
		if _, err := os.Stdout.Write(make([]byte, 1<<20)); err != nil {
			return 1
		}
	}
	if do.Has("hang") {
		time.Sleep(time.Hour) // a program that can't go on is ended by Go, unless it has cgo
	}
	code, _ := strconv.Atoi(do.Get("exit"))
	return code
}

// through asks for a URL through a proxy, and says what came.
func through(proxy, target string) string {
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

// say answers with a title.
func say(title string) {
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{"title": title, "url": "https://cdn.test/a.mp4", "protocol": "https"})
}
