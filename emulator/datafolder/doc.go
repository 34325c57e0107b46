// Package datafolder looks for damage in the data folder of a sandbox, and repairs it: the database soundstage.db, and the stored files
// in blobs. Start with [Verify] and [Repair]:
//
//	report, err := datafolder.Verify(ctx, "sandbox")
//	if err == nil && !report.OK {
//		_, err = datafolder.Repair(ctx, "sandbox")
//	}
//
// Both refuse a folder that a sandbox uses. Repair deletes nothing: it moves what is damaged to the folder damaged.
package datafolder
