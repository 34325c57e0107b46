package turns

import (
	"fmt"
	"slices"
	"time"
)

// Way is one of the ways that are compared.
type Way struct {
	Name string
	Cost func() float64 // does it once and returns what it cost, in the same unit for all ways; see Wall and CPU
}

// Wall returns a Cost: the seconds that fn takes by the wall clock.
func Wall(fn func()) func() float64 {
	return func() float64 {
		began := time.Now()
		fn()
		return time.Since(began).Seconds()
	}
}

// Comparison collects the costs of ways. Only one goroutine may use it.
type Comparison struct {
	ways   []Way
	costs  [][]float64 // by way, one for each round
	rounds int
}

// Compare returns a Comparison without rounds. Names must be unique.
func Compare(ways ...Way) *Comparison {
	c := &Comparison{ways: ways, costs: make([][]float64, len(ways))}
	for _, w := range ways {
		c.index(w.Name)
	}
	return c
}

// Rounds runs n rounds and returns c.
func (c *Comparison) Rounds(n int) *Comparison {
	for range n {
		c.Round()
	}
	return c
}

// Round runs every way once. Each round begins with another way, because the first may find colder caches than the others.
func (c *Comparison) Round() {
	for i := range c.ways {
		k := (c.rounds + i) % len(c.ways)
		c.costs[k] = append(c.costs[k], c.ways[k].Cost())
	}
	c.rounds++
}

// Costs returns the costs of a way in order of the rounds.
func (c *Comparison) Costs(name string) []float64 { return slices.Clone(c.costs[c.index(name)]) }

// Cost returns what a way costs.
func (c *Comparison) Cost(name string) Spread { return Of(c.Costs(name)) }

// Ratio returns what a way costs relative to another.
func (c *Comparison) Ratio(name, base string) Spread {
	ratios := c.Costs(name)
	for i, cost := range c.costs[c.index(base)] {
		ratios[i] /= cost
	}
	return Of(ratios)
}

// Report reports a ratio under the name "name/base".
func (c *Comparison) Report(b Reporter, name, base string) {
	c.Ratio(name, base).Report(b, name+"/"+base)
}

// index returns the index of a way. A name that is unknown or not unique is a mistake of the benchmark.
func (c *Comparison) index(name string) int {
	found := -1
	for i, w := range c.ways {
		if w.Name != name {
			continue
		}
		if found >= 0 {
			panic(fmt.Sprintf("turns: two ways have the name %q", name))
		}
		found = i
	}
	if found < 0 {
		panic(fmt.Sprintf("turns: no way has the name %q", name))
	}
	return found
}
