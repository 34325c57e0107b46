// Package blob has the rules of a blob's key, and the copying of its bytes.
package blob
