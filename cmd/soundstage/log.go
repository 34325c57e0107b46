package main

import (
	"io"
	"log/slog"
)

// newLog returns the log of a --log flag: text, json, or off.
func newLog(format string, w io.Writer) (*slog.Logger, error) {
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(w, nil)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, nil)), nil
	case "off":
		return slog.New(slog.DiscardHandler), nil
	}
	return nil, unknownValue("serve", "log format", format, []string{"text", "json", "off"})
}
