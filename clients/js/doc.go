// Package js has only the test of the npm packages in this folder: it builds them, installs them into empty projects, and runs their
// tests, and the commands of their pages, there. Start with README.md.
package js
