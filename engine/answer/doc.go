// Package answer has what a model's answer needs that is made of texts alone: what its request says of the recordings, the labels that
// it cites made into titles and times, and what stands in its place, or below it, in the language of the recordings.
package answer
