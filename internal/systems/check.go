package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"runtime"
	"sync"
)

// mostErrors limits the errors of one package.
const mostErrors = 10

// check checks the types of packages, whose order is that of list. It reads functions only of the module's own packages.
func check(packages []*listed, arch string) error {
	c := checker{packages: map[string]*checked{}, files: token.NewFileSet(), sizes: types.SizesFor("gc", arch), turn: make(chan struct{}, runtime.NumCPU())}
	for _, p := range packages {
		c.packages[p.ImportPath] = &checked{done: make(chan struct{})}
	}
	var all sync.WaitGroup
	for _, p := range packages {
		all.Go(func() { c.check(p) })
	}
	all.Wait()
	var errs []error
	for _, p := range packages {
		errs = append(errs, c.packages[p.ImportPath].errs...)
	}
	return errors.Join(errs...)
}

type checker struct {
	packages map[string]*checked
	files    *token.FileSet
	sizes    types.Sizes
	turn     chan struct{} // as many packages as processors are read at once
}

type checked struct {
	done  chan struct{} // closed when types is set
	types *types.Package
	errs  []error
}

func (c *checker) check(p *listed) {
	of := c.packages[p.ImportPath]
	defer close(of.done)
	if p.ImportPath == "unsafe" {
		of.types = types.Unsafe
		return
	}
	for _, path := range p.Imports {
		if needed := c.packages[path]; needed != nil {
			<-needed.done
		}
	}
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	report := func(err error) {
		if len(of.errs) < mostErrors {
			of.errs = append(of.errs, err)
		}
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(c.files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			report(err)
			continue
		}
		files = append(files, file)
	}
	config := types.Config{Importer: imports{c, p}, Sizes: c.sizes, Error: report, IgnoreFuncBodies: !p.own()}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	of.types, _ = config.Check(p.ImportPath, c.files, files, nil)
}

// imports finds what a package imports.
type imports struct {
	*checker
	of *listed
}

func (i imports) Import(path string) (*types.Package, error) {
	if mapped := i.of.ImportMap[path]; mapped != "" {
		path = mapped
	}
	if found := i.packages[path]; found != nil && found.types != nil {
		return found.types, nil
	}
	return nil, fmt.Errorf("%s isn't listed", path)
}
