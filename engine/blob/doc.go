// Package blob checks the keys of blobs, copies their bytes, and reads them as media.
//
// Every implementation of engine.Blobs starts each method with CheckKey:
//
//	if err := blob.CheckKey(key); err != nil {
//		return err
//	}
package blob
