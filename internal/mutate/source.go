package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// source is a file of the package, and its mutants in the order in which they are tried.
type source struct {
	name, text string
	fset       *token.FileSet
	mutants    []*mutant
}

// collect reads the files of a package and samples their mutants.
func collect(p *pkg, o options) (all []*source, err error) {
	equal, err := readEquivalents(equivalentList)
	if err != nil {
		return nil, err
	}
	id := 0
	for _, name := range p.GoFiles {
		if o.files != "" && !slices.Contains(strings.Split(o.files, ","), name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		s, err := parse(name, string(text))
		if err != nil {
			return nil, err
		}
		s.remove(func(m *mutant) bool { return equal.has(p.folder(), m) })
		s.choose(o)
		for _, m := range s.mutants {
			id++
			m.id = id
		}
		all = append(all, s)
	}
	return all, nil
}

// parse finds the mutants of a file. Generated files have none.
func parse(name, text string) (*source, error) {
	s := &source{name: name, text: text, fset: token.NewFileSet()}
	file, err := parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(file) {
		return s, err
	}
	s.mutants = find(s.fset, name, text, file)
	return s, nil
}

// choose keeps a sample that depends on the seed and the name of the file: twice as many mutants as asked for, because some don't compile.
func (s *source) choose(o options) {
	if o.sample == 0 {
		return
	}
	h := fnv.New64a()
	_, _ = io.WriteString(h, s.name)
	r := rand.New(rand.NewPCG(o.seed, h.Sum64()))
	r.Shuffle(len(s.mutants), func(i, j int) { s.mutants[i], s.mutants[j] = s.mutants[j], s.mutants[i] })
	s.mutants = s.mutants[:min(len(s.mutants), 2*o.sample)]
}

func (s *source) remove(unwanted func(*mutant) bool) {
	s.mutants = slices.DeleteFunc(s.mutants, unwanted)
}
