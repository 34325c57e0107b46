// Package fault has the error type of the engine and its adapters: a [Code] that decides what happens, a sentence for users, a hint, and a
// cause for the log. Programs use it under the names of package engine.
package fault
