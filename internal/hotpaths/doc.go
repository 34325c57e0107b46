// Package hotpaths guards the paths of the program that run most. It compares counts that don't depend on the machine (allocations, bytes,
// statements, decoded seconds) with those of a golden file, so a path that becomes more expensive fails a test on any machine:
//
//	hotpaths.Check(t, "testdata/counts.golden", []hotpaths.Count{{Path: "simple GET", What: "allocations", Value: 92, Tolerance: 0.02}})
//
// UPDATE_GOLDEN=1 accepts new counts. How long a path takes is measured by benchmarks: docs/benchmarks.md.
package hotpaths
