// Package backends chooses which speech and language services an engine works with: a Config names them, Config.Open returns the
// engine's ports. Secrets come from the environment or from files, never from a Config.
package backends
