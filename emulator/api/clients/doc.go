// Package clients has only tests: clients that nobody here wrote, generated from the contract, and a validating proxy. They run
// without the race detector, because what they drive is raced elsewhere.
package clients
