package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// byHand are the modules that the two halves of the package have each in their own way.
var byHand = map[string]bool{"http.py": true}

// withoutAsync turns asynchronous Python into synchronous Python. The order matters: the longer pattern comes first.
var withoutAsync = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\basync (def|with|for)\b`), "$1"},
	{regexp.MustCompile(`\bawait `), ""},
	{regexp.MustCompile(`\bawait\b`), ""},
	{regexp.MustCompile(`\b__aenter__\b`), "__enter__"},
	{regexp.MustCompile(`\b__aexit__\b`), "__exit__"},
	{regexp.MustCompile(`\basyncio\.sleep\b`), "time.sleep"},
	{regexp.MustCompile(`(?m)^import asyncio\n(import time\n)?`), "import time\n"},
	{regexp.MustCompile(`\bAsync([A-Z])`), "$1"},
	{regexp.MustCompile(`\basync_`), ""},
	{regexp.MustCompile(`\b_async\b`), "_sync"},
	{regexp.MustCompile(`\basynchronous\b`), "synchronous"},
}

const copied = "# Copied from _async without async and await by clients/python/generate; don't edit.\n"

// copySync writes the synchronous copy of each module.
func copySync(from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "*.py"))
	if err != nil {
		return err
	}
	for _, file := range files {
		name := filepath.Base(file)
		if byHand[name] {
			continue
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text := string(raw)
		for _, r := range withoutAsync {
			text = r.pattern.ReplaceAllString(text, r.with)
		}
		if strings.TrimSpace(text) != "" {
			text = copied + text
		}
		if err := write(filepath.Join(to, name), text); err != nil {
			return err
		}
	}
	return nil
}
