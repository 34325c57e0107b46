// Package settings reads the file of --config: one flat mapping of YAML whose keys are the names of flags, strictly, with the line of
// whatever is wrong. It knows no flags; whoever has them checks the names and the values.
package settings
