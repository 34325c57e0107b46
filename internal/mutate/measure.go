package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// measure tries the mutants of a package and prints the survivors.
func measure(ctx context.Context, out io.Writer, o options, p *pkg, others []*pkg) (*result, error) {
	tmp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	sources, err := collect(p, o)
	if err != nil {
		return nil, err
	}
	w := &workshop{pkg: p, tests: append([]*pkg{p}, others...), tmp: tmp}
	programs, err := w.compile(ctx, sources)
	if err != nil {
		return nil, err
	}
	r := &result{folder: p.folder()}
	for _, s := range sources {
		score, err := w.try(ctx, out, o.sample, s, programs)
		if err != nil {
			return nil, err
		}
		if score.decided > 0 {
			r.files = append(r.files, score)
		}
	}
	return r, nil
}

// compile removes mutants that don't compile, builds the test programs with the others, and runs them without any mutant.
func (w *workshop) compile(ctx context.Context, sources []*source) ([]*program, error) {
	flag, err := w.shrink(ctx, sources)
	if err != nil {
		return nil, err
	}
	programs, err := w.build(ctx, flag)
	if err != nil {
		return nil, err
	}
	for _, p := range programs {
		started := time.Now()
		pass, output, err := p.passes(ctx, w.tmp, 0)
		if err != nil {
			return nil, err
		}
		if !pass {
			return nil, fmt.Errorf("the tests fail without a mutant:\n%s", output)
		}
		p.limit = 10*time.Second + 5*time.Since(started)
	}
	return programs, nil
}

// shrink removes mutants until the package compiles, and returns the flag for building it.
func (w *workshop) shrink(ctx context.Context, sources []*source) (string, error) {
	for {
		files := map[string]string{"mutant__.go": fmt.Sprintf(selector, w.Name)}
		at := map[position]*mutant{}
		for _, s := range sources {
			files[s.name] = s.schema(at)
		}
		flag, err := w.overlay(files)
		if err != nil {
			return "", err
		}
		errs, err := w.check(ctx, flag)
		if err != nil || len(errs) == 0 {
			return flag, err
		}
		bad := map[*mutant]bool{}
		for _, e := range errs {
			if m := at[e]; m != nil {
				bad[m] = true
			}
		}
		if len(bad) == 0 {
			return "", fmt.Errorf("the package doesn't compile: %v", errs)
		}
		for _, s := range sources {
			s.remove(func(m *mutant) bool { return bad[m] })
		}
	}
}

// try runs the tests against the mutants of a file until the sample is complete.
func (w *workshop) try(ctx context.Context, out io.Writer, sample int, s *source, programs []*program) (score score, err error) {
	score.name = s.name
	for _, m := range s.mutants {
		if sample > 0 && score.decided == sample {
			break
		}
		run := programs
		if m.fn == nil {
			if run, err = w.alone(ctx, s, m, programs); err != nil {
				return score, err
			}
			if run == nil {
				continue
			}
		}
		killed, err := kills(ctx, w.tmp, m, run)
		if err != nil {
			return score, err
		}
		score.decided++
		if killed {
			score.killed++
			continue
		}
		fmt.Fprintf(out, "survived: %s/%s:%d: %s\n\t%s\n", w.folder(), s.name, m.line, m.what, m.text)
	}
	return score, ctx.Err()
}

// kills reports whether a test fails with the mutant.
func kills(ctx context.Context, tmp string, m *mutant, programs []*program) (bool, error) {
	for _, p := range programs {
		if pass, _, err := p.passes(ctx, tmp, m.id); err != nil || !pass {
			return true, err
		}
	}
	return false, nil
}

// alone builds the test programs with one mutant, which is outside functions. It returns none if they don't compile.
func (w *workshop) alone(ctx context.Context, s *source, m *mutant, programs []*program) ([]*program, error) {
	only := &workshop{pkg: w.pkg, tests: w.tests, tmp: filepath.Join(w.tmp, fmt.Sprint("mutant", m.id))}
	if err := os.Mkdir(only.tmp, 0o700); err != nil {
		return nil, err
	}
	flag, err := only.overlay(map[string]string{s.name: s.text[:m.from] + m.with + s.text[m.to:]})
	if err != nil {
		return nil, err
	}
	run, err := only.build(ctx, flag)
	if err != nil {
		return nil, ctx.Err()
	}
	for i := range run {
		run[i].limit = programs[i].limit
	}
	return run, nil
}
