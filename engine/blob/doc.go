// Package blob describes stores of bytes, checks the keys of blobs, copies their bytes, and reads them as media.
//
// Every implementation of Store starts each method with CheckKey:
//
//	if err := blob.CheckKey(key); err != nil {
//		return err
//	}
package blob
