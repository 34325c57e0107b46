// Package cursor makes and reads the cursors of lists that come in pages. A cursor serves only the list that gave it.
package cursor
