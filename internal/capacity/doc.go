// Package capacity computes how many machines a number of recordings per day needs, from the costs of one recording:
//
//	fmt.Print(capacity.Tables(capacity.Inputs()))
//
// Its tests have the other half: a simulation of a day of jobs on the real queue, and a benchmark of what a recording costs.
package capacity
