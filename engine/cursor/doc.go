// Package cursor encodes and decodes the cursors of paged lists. A cursor works only for the list that returned it:
//
//	next := cursor.Codec{Key: secret}.Encode(cursor.Position{CreatedAt: last.CreatedAt, ID: last.ID}, filter)
package cursor
