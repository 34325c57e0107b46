package datafolder_test

import (
	"context"
	"fmt"
	"os"

	"github.com/soundstage-dev/soundstage/emulator/datafolder"
	"github.com/soundstage-dev/soundstage/engine"
)

// A folder without a database is not a data folder.
func ExampleVerify() {
	dir, err := os.MkdirTemp("", "data")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	_, err = datafolder.Verify(context.Background(), dir)
	fmt.Println(engine.CodeOf(err))
	// Output: not_found
}
