package leaks

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// descriptors returns what each descriptor of this process refers to, or nil if the system has no /proc.
func descriptors() (targets []string) {
	const folder = "/proc/self/fd"
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		target, err := os.Readlink(filepath.Join(folder, e.Name()))
		if err == nil { // the descriptor of the folder itself is closed by now
			targets = append(targets, target)
		}
	}
	return targets
}

// children returns the child processes of this process, zombies included, or nil if the system has no /proc.
func children() (found []string) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// Format: PID (NAME) STATE PPID …; a name may contain spaces and parentheses. Source: proc(5).
		end := strings.LastIndexByte(string(stat), ')')
		fields := strings.Fields(string(stat[end+1:]))
		if end > 0 && len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			found = append(found, string(stat[:end+1]))
		}
	}
	return found
}
