package assistant

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// Limit restricts one argument of a tool.
type Limit func(*jsonschema.Schema)

// Limits are the limits of a tool's arguments, by name.
type Limits map[string]Limit

// Between limits a number.
func Between(least, most float64) Limit {
	return func(s *jsonschema.Schema) { s.Minimum, s.Maximum = &least, &most }
}

// Length limits a string, in characters.
func Length(least, most int) Limit {
	return func(s *jsonschema.Schema) { s.MinLength, s.MaxLength = &least, &most }
}

// OneOf limits a string to values.
func OneOf[S ~string](values ...S) Limit {
	return func(s *jsonschema.Schema) {
		for _, v := range values {
			s.Enum = append(s.Enum, string(v))
		}
	}
}

// Entries limits how many members a map has.
func Entries(most int) Limit {
	return func(s *jsonschema.Schema) { s.MaxProperties = &most }
}

// Default is a limit with the value of an argument that is absent.
func Default(value any, l Limit) Limit {
	return func(s *jsonschema.Schema) {
		l(s)
		s.Default, _ = json.Marshal(value)
	}
}

// schemaOf returns the schema of a type with limits. It panics if a limit is for an argument that the type lacks.
func schemaOf[T any](limits Limits) *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err)
	}
	for name, limit := range limits {
		of := s.Properties[name]
		if of == nil {
			panic(fmt.Sprintf("assistant: a limit for the argument %q, which %T lacks", name, *new(T)))
		}
		limit(of)
	}
	return s
}
