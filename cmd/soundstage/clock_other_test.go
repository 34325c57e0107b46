//go:build !linux || !amd64

package main

import (
	"errors"
	"time"
)

const canShiftClock = false

func shiftClock(time.Duration) error { return errors.ErrUnsupported }
