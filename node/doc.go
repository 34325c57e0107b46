// Package node runs one node of the service in production: the /v1 API, the work of its jobs, or both, on a store and a storage that any
// number of nodes share. A node keeps no state of its own, so nodes can be added, stopped, and killed at any time.
//
//	n, err := node.New(ctx, node.Config{Store: store, Blobs: blobs, Engine: ports, API: listener, SigningKeys: keys})
//	…
//	err = n.Run(ctx) // drains when ctx is done
//
// The sandbox is package emulator: its clock, worlds, and faults don't exist here.
package node
