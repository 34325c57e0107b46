// Package lint checks the files of deploy with the tools that users run them with: compose-go, kustomize, and kubeconform. It is a
// module of its own, so that these libraries are no dependencies of Soundstage. `make lint-deploy` runs it.
package lint

//go:generate go run schemas.go
