// Package turns compares what programs or functions cost on a machine that others use, too. Each round runs every way once, and ratios are those
// of one round, so a busy minute hits all ways alike:
//
//	c := turns.Compare(
//		turns.Way{Name: "ours", Cost: turns.CPU(render)},
//		turns.Way{Name: "bare", Cost: turns.CPU(encode)},
//	)
//	for b.Loop() {
//		c.Round()
//	}
//	c.Report(b, "ours", "bare") // ours/bare, and its quartiles
package turns
