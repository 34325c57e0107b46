package engine

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// addRule adds a rule to an error of one code that has none. It leaves all others alone.
func TestAddRule(t *testing.T) {
	t.Parallel()
	const code, rule = CodeInvalid, "body.malformed"
	plain, other := Errorf(code, "op", "No."), Errorf(CodeConflict, "op", "No.")
	ruled := Errorf(code, "op", "No.").WithRule("body.wrong-type")
	for _, same := range []error{nil, errors.New("no"), other, ruled} {
		require.Equal(t, same, addRule(code, rule, same))
	}
	var e *Error
	require.ErrorAs(t, addRule(code, rule, plain), &e)
	require.Equal(t, Rule(rule), e.Rule)
	require.Equal(t, "op", e.Op)
	require.Empty(t, plain.Rule, "the original is not changed")

	wrapped := fmt.Errorf("outside: %w", plain)
	require.ErrorAs(t, addRule(code, rule, wrapped), &e)
	require.Equal(t, Rule(rule), e.Rule)
	require.ErrorIs(t, e, wrapped, "the log still has the wrapping error")
}
