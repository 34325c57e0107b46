// Package powerloss rebuilds the folder that a power failure at any moment would leave of a program's writes. It needs no root and no
// kernel module: strace records the program's file operations, and Parse replays them.
//
//	cmd := exec.Command("strace", append(powerloss.Strace(log), program...)...)
//	…
//	trace, err := powerloss.Parse(log, root)
//	err = trace.Crash(folder, at, powerloss.Options{})
//
// The rules are those of POSIX, which are stricter than those of ext4: bytes are durable after fsync of the file, and names after fsync
// of their folder. A new file needs both. Nothing else is ordered, except the changes of names within one folder.
package powerloss
