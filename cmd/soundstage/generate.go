package main

//go:generate env UPDATE_GOLDEN=1 go test -vet=off -count=1 -run TestReadmeBackendTables .
