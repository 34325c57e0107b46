package enginetest

import (
	"context"
	"fmt"
	"reflect"

	"github.com/soundstage-dev/soundstage/engine"
)

// PutSamples writes one row of each noun with every field set. Together with CheckSamples it tests that one program, or one
// version of it, reads the rows that another one wrote.
func PutSamples(ctx context.Context, s engine.Store) error {
	return s.Update(ctx, func(tx engine.Tx) error {
		for _, r := range rows() {
			if err := r.put(tx, r.whole); err != nil {
				return fmt.Errorf("%s: %w", r.noun, err)
			}
		}
		return nil
	})
}

// CheckSamples returns an error unless a store has exactly the rows that PutSamples writes.
func CheckSamples(ctx context.Context, s engine.Store) error {
	return s.View(ctx, func(tx engine.ReadTx) error {
		for _, r := range rows() {
			got, err := r.get(tx)
			if err != nil {
				return fmt.Errorf("%s: %w", r.noun, err)
			}
			if !reflect.DeepEqual(got, r.whole) {
				return fmt.Errorf("%s: got %+v, want %+v", r.noun, got, r.whole)
			}
		}
		return nil
	})
}
