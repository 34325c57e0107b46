package sqlite

import "syscall"

// networkFileSystems are the types, as statfs(2) tells them, on which a write-ahead log is not safe: it needs memory that
// all connections share (https://www.sqlite.org/wal.html, section 1).
var networkFileSystems = map[uint32]string{
	0x6969:     "NFS",
	0x517b:     "SMB",
	0xff534d42: "CIFS",
	0xfe534d42: "SMB2",
	0x5346414f: "AFS",
	0x73757245: "Coda",
	0x0bd00bd0: "Lustre",
}

// networkFileSystem returns the name of the network file system that a folder is on, "" when it is on none.
func networkFileSystem(folder string) string {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return ""
	}
	return networkFileSystems[uint32(s.Type)]
}
