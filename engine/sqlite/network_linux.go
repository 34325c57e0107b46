package sqlite

import "syscall"

// networkFileSystems maps the types of statfs(2) on which a write-ahead log is unsafe, because it needs memory shared by all
// connections (https://www.sqlite.org/wal.html, section 1).
var networkFileSystems = map[uint32]string{
	0x6969:     "NFS",
	0x517b:     "SMB",
	0xff534d42: "CIFS",
	0xfe534d42: "SMB2",
	0x5346414f: "AFS",
	0x73757245: "Coda",
	0x0bd00bd0: "Lustre",
}

// networkFileSystem returns the name of a folder's network file system, or "" if it isn't on one.
func networkFileSystem(folder string) string {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return ""
	}
	return networkFileSystems[uint32(s.Type)]
}
