package capsule_test

import (
	"fmt"

	"github.com/soundstage-dev/soundstage/emulator/capsule"
)

// A capsule is JSON that begins with the state of the world.
func ExampleParse() {
	c, err := capsule.Parse([]byte(`{"format": "soundstage-capsule", "version": 1, "world": "default", "seed": 7, "clock": "manual",
		"snapshot": "AAE=", "requests": [{"number": 1, "method": "GET", "path": "/v1/spaces", "host": "127.0.0.1:8765", "status": 200}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.World, c.Clock)
	for _, r := range c.Requests {
		fmt.Println(r.Number, r.Method, r.Path, r.Status)
	}
	// Output:
	// default manual
	// 1 GET /v1/spaces 200
}
