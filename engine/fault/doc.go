// Package fault has the error type of the engine and its adapters. An error has a [Code] that decides what happens, a message for users, a
// hint, and a cause for the log. Embedding programs use it under the names of package engine.
//
// Start with [Errorf]:
//
//	return fault.Errorf(fault.CodeInvalid, "CreateSpace", "name is required.").WithHint("Give the space a name.")
package fault
