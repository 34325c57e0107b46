// Package builtin has what every new space starts with: a library of prompts, and the roles of speakers.
//
// To change what new spaces get, edit Prompts or Roles. Spaces that exist keep what they have.
package builtin
