// Package docs has only the tests of the pages in this folder: they run the commands, check the links, and compare the tables.
package docs
