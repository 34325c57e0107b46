package api

//go:generate env UPDATE_GOLDEN=1 go test -count=1 -run TestTables .
