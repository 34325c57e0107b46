// Package input checks and tidies the texts that come from outside: names, titles, long texts, addresses, and names of files.
package input
