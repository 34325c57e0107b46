// Package signature makes webhook secrets, rotates them, and signs deliveries with them (Standard Webhooks 1.0.0).
//
// NewSecret makes a secret, Rotate replaces it, and Header signs a delivery:
//
//	header, err := secrets.Header(eventID, now, now, body)
package signature
