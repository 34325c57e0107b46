// Package site knows the sites whose pages show media, by their addresses alone.
package site
