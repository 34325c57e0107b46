// Package python has only the tests of the Python package in this folder: they build its wheel, install it, and run what its pages say.
// Start at TestPackage. generate writes the parts of the package that come from the contracts.
package python

//go:generate go run ./generate
