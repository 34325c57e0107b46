//go:build !race

package diarize_test

const raced = false
