// Package capacity computes how many machines a number of recordings per day needs, from measured costs.
package capacity
