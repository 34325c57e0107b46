// Package clients contains only tests. They drive the sandbox with clients that six generators write from the contracts, and with a
// validating proxy. They run without the race detector, because other tests cover the same code with it. Start with TestGoClient.
package clients
