// Package blobs stores the blobs of a server's worlds in memory and temporary files.
//
// One [Pool] holds the bytes of every world. Each world has its own index, [Blobs]. [Blobs.Fork] copies an index in constant
// time, because stored bytes never change and worlds share them. The garbage collector removes bytes that no index refers to.
//
//	pool := blobs.NewPool(func() (string, error) { return os.MkdirTemp("", "blobs") })
//	world := blobs.New(pool, nil)
//	fork := world.Fork(world.Snapshot(), nil)
package blobs
