// Package plain keeps the project's English plain. It has no code: its test looks for the phrases and names of banned.txt in every file
// that the repository tracks. To ban another one, add a line there.
package plain
