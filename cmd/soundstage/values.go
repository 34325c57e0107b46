package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// choice is a flag value from a fixed list.
type choice struct {
	value   *string
	allowed []string
	noun    string // what the flag chooses: "transcriber"
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

// Set sets the value. The error for a value that is not allowed lists the allowed ones.
func (c choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("unknown %s %.100q: %suse %s", c.noun, s, strings.Replace(meant("", s, c.allowed), "Did", "did", 1), strings.Join(c.allowed, ", "))
	}
	*c.value = s
	return nil
}

// Type implements pflag.Value.
func (c choice) Type() string { return c.noun }

// arguments is the value of a flag that holds a program and its arguments. The flag is repeated for each one, or set once to a JSON list.
// No shell interprets them.
type arguments struct{ list *[]string }

func (a arguments) String() string {
	if a.list == nil || len(*a.list) == 0 {
		return ""
	}
	b, _ := json.Marshal(*a.list) // encoding strings never fails
	return string(b)
}

var errArguments = errors.New(`a list must be JSON: ["whisper-cli","-f","{wav}"]`)

// Set appends one argument, or all arguments of a JSON list.
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

// configPath is the value of --config, a file path.
type configPath string

func (c *configPath) String() string { return string(*c) }

// Set implements pflag.Value.
func (c *configPath) Set(s string) error {
	*c = configPath(s)
	return nil
}

// Type implements pflag.Value.
func (*configPath) Type() string { return "config" }
