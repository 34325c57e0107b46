// Package input checks and tidies what users send: names, titles, long texts, URLs, and file names.
//
// Check functions return a CodeInvalid that names the field. The others make a usable text from any text:
//
//	if err := input.CheckLine("CreateUpload", "title", title); err != nil {
//		return err
//	}
//	title = input.Title(fromFeed)
package input
