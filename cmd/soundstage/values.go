package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// choice is the value of a flag that is one of a few.
type choice struct {
	value   *string
	allowed []string
	noun    string // of what is chosen: "transcriber"
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

// Set refuses whatever is not allowed, by saying what is.
func (c choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("there is no %s %q: use %s", c.noun, s, strings.Join(c.allowed, ", "))
	}
	*c.value = s
	return nil
}

// Type implements pflag.Value.
func (c choice) Type() string { return c.noun }

// arguments is the value of a flag that is a program and its arguments: one at a time, or all as a JSON list. No shell reads them.
type arguments struct{ list *[]string }

func (a arguments) String() string {
	if a.list == nil || len(*a.list) == 0 {
		return ""
	}
	b, _ := json.Marshal(*a.list) // of strings: it can't fail
	return string(b)
}

var errArguments = errors.New(`a list is written as JSON: ["whisper-cli","-f","{wav}"]`)

// Set adds an argument, or those of a list.
func (a arguments) Set(s string) error {
	if !strings.HasPrefix(s, "[") {
		*a.list = append(*a.list, s)
		return nil
	}
	var more []string
	if err := json.Unmarshal([]byte(s), &more); err != nil {
		return errArguments
	}
	*a.list = append(*a.list, more...)
	return nil
}

// Type implements pflag.Value.
func (arguments) Type() string { return "arguments" }

// configPath is the value of --config: the path of a file.
type configPath string

func (c *configPath) String() string { return string(*c) }

// Set keeps a path.
func (c *configPath) Set(s string) error {
	*c = configPath(s)
	return nil
}

// Type implements pflag.Value.
func (*configPath) Type() string { return "config" }
