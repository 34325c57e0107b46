package s3test

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// program is the name of the server that `.ci/setup test` installs.
const program = "soundstage-s3"

// parse returns the server of an address such as "s3://ACCESS:SECRET@HOST:PORT?insecure=true&region=us-east-1".
func parse(address string) (Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User == nil {
		return Server{}, errors.New("SOUNDSTAGE_TEST_S3 must be s3://ACCESS:SECRET@HOST:PORT?insecure=true&region=us-east-1")
	}
	secret, _ := u.User.Password()
	s := Server{Endpoint: "https://" + u.Host, Region: u.Query().Get("region"), AccessKey: u.User.Username(), SecretKey: secret}
	if u.Query().Get("insecure") == "true" {
		s.Endpoint = "http://" + u.Host
	}
	if s.Region == "" {
		s.Region = "us-east-1"
	}
	return s, nil
}

// Start starts a server that keeps its objects below temp; "" is the folder for temporary files. It ends at Stop or with this process,
// because its standard input then ends, and removes what it wrote.
func Start(temp string) (Server, error) {
	path, err := find()
	if err != nil {
		return Server{}, err
	}
	s := Server{Region: "us-east-1", AccessKey: rand.Text(), SecretKey: rand.Text()}
	cmd := exec.Command(path)
	cmd.Env = append(os.Environ(), "S3_ACCESS_KEY="+s.AccessKey, "S3_SECRET_KEY="+s.SecretKey)
	if temp != "" {
		cmd.Env = append(cmd.Env, "TMPDIR="+temp)
	}
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Server{}, err
	}
	if s.input, err = cmd.StdinPipe(); err != nil {
		return Server{}, err
	}
	if err := cmd.Start(); err != nil {
		return Server{}, err
	}
	s.wait = cmd.Wait
	giveUp := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer giveUp.Stop()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return Server{}, fmt.Errorf("%s ended at its start: %s", program, strings.TrimSpace(problems.String()))
	}
	s.Endpoint = "http://" + strings.TrimSpace(line)
	return s, nil
}

// Stop ends a server that Start started.
func (s Server) Stop() {
	_ = s.input.Close()
	_ = s.wait()
}

// find returns the path of the server: in PATH, or where `go install` puts it.
func find() (string, error) {
	if path, err := exec.LookPath(program); err == nil {
		return path, nil
	}
	gopath, err := exec.Command("go", "env", "GOPATH").Output()
	if err == nil {
		for _, folder := range filepath.SplitList(strings.TrimSpace(string(gopath))) {
			if path, err := exec.LookPath(filepath.Join(folder, "bin", program)); err == nil {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("%s is missing; `.ci/setup test` installs it", program)
}
