// Package traffic stands between the clients of a world and its /v1. It remembers the exchanges — find them, count them, wait for
// them, export them as HAR — and breaks those that a fault was added for, each exactly as often as was asked.
package traffic
