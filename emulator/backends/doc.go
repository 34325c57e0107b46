// Package backends chooses what a sandbox transcribes and writes with: one table of the kinds that there are, a Config of what the command
// line says, and what comes out of it, an engine's ports. Secrets come from the environment or from files, never from a Config.
package backends
