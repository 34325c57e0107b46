// Package clips suggests parts of a transcript that would make good clips or carousels. Start with [Suggest]; [Check] corrects what a
// language model suggests.
package clips
