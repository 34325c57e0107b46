// Package lazyregexp compiles the regular expressions of package variables when they are first used. A program with hundreds of them would
// otherwise compile all of them at each start.
//
//	var word = lazyregexp.New(`\w+`)
//	found := word.FindString(text)
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regular expression that is compiled when it is first used. It is safe for concurrent use. Its methods are those of
// [regexp.Regexp].
type Regexp struct {
	compiled func() *regexp.Regexp
}

// inTest reports whether this is the program of a test.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns an expression. A mistake in the pattern panics when it is first used; in tests at once.
func New(pattern string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })}
	if inTest {
		r.compiled()
	}
	return r
}

// Find is like the method of [regexp.Regexp].
func (r *Regexp) Find(b []byte) []byte { return r.compiled().Find(b) }

// FindAllString is like the method of [regexp.Regexp].
func (r *Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }

// FindAllStringIndex is like the method of [regexp.Regexp].
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is like the method of [regexp.Regexp].
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is like the method of [regexp.Regexp].
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}

// FindAllSubmatch is like the method of [regexp.Regexp].
func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	return r.compiled().FindAllSubmatch(b, n)
}

// FindAllSubmatchIndex is like the method of [regexp.Regexp].
func (r *Regexp) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return r.compiled().FindAllSubmatchIndex(b, n)
}

// FindString is like the method of [regexp.Regexp].
func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringSubmatch is like the method of [regexp.Regexp].
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindSubmatch is like the method of [regexp.Regexp].
func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.compiled().FindSubmatch(b) }

// Match is like the method of [regexp.Regexp].
func (r *Regexp) Match(b []byte) bool { return r.compiled().Match(b) }

// MatchString is like the method of [regexp.Regexp].
func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

// ReplaceAll is like the method of [regexp.Regexp].
func (r *Regexp) ReplaceAll(src, repl []byte) []byte { return r.compiled().ReplaceAll(src, repl) }

// ReplaceAllString is like the method of [regexp.Regexp].
func (r *Regexp) ReplaceAllString(src, repl string) string {
	return r.compiled().ReplaceAllString(src, repl)
}

// ReplaceAllStringFunc is like the method of [regexp.Regexp].
func (r *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(src, repl)
}
