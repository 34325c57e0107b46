// Package signature signs webhooks as Standard Webhooks 1.0.0 has it, and makes the secrets for that.
package signature
