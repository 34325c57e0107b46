// Command soundstage-s3 is an S3 server for tests: versitygw's API over its posix backend, without the other backends, user directories,
// and message queues that its own command links. It reads the access key from S3_ACCESS_KEY and S3_SECRET_KEY, listens on a free port of
// 127.0.0.1, and prints "127.0.0.1:PORT". It ends when its standard input does, and removes its temporary folder.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"path/filepath"

	"github.com/gofiber/fiber/v3"
	"github.com/versity/versitygw/auth"
	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/s3api"
	"github.com/versity/versitygw/s3api/middlewares"
	"github.com/versity/versitygw/s3api/utils"
	"github.com/versity/versitygw/s3err"
)

// sum identifies the source of this program; .ci/setup sets it, and reads it with `go version -m`.
var sum = "unknown"

func main() {
	log.SetPrefix("soundstage-s3 (" + sum + "): ")
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	folder, err := os.MkdirTemp("", "soundstage-s3-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	backend, err := open(folder)
	if err != nil {
		return err
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	root := middlewares.RootUserConfig{Access: os.Getenv("S3_ACCESS_KEY"), Secret: os.Getenv("S3_SECRET_KEY")}
	users := auth.NewIAMServiceSingle(auth.Account{Access: root.Access, Secret: root.Secret, Role: auth.RoleAdmin})
	server, err := s3api.New(backend, root, "us-east-1", users, nil, nil, nil, nil,
		s3api.WithQuiet(), s3api.WithKeepAlive(), s3api.WithConcurrencyLimiter(4096, 4096), s3api.WithMpMaxParts(10_000),
		s3api.WithMiddleware("/", refuseCut), s3api.WithOnListen(func() { fmt.Println(address) }))
	if err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = os.RemoveAll(folder)
		os.Exit(0)
	}()
	return server.ServeMultiPort([]string{address})
}

// open returns a backend that keeps objects below a folder. Their metadata are extended attributes, or files if the file system has none.
func open(folder string) (*posix.Posix, error) {
	objects := filepath.Join(folder, "objects")
	if err := os.Mkdir(objects, 0o700); err != nil {
		return nil, err
	}
	o := posix.PosixOpts{Concurrency: 256, CopyObjectThreshold: 5 << 30} // as S3
	if (meta.XattrMeta{}).Test(objects) == nil {
		return posix.New(objects, meta.XattrMeta{}, o)
	}
	o.SideCarDir = filepath.Join(folder, "metadata")
	if err := os.Mkdir(o.SideCarDir, 0o700); err != nil {
		return nil, err
	}
	metadata, err := meta.NewSideCar(o.SideCarDir)
	if err != nil {
		return nil, err
	}
	return posix.New(objects, metadata, o)
}

// refuseCut lets the server see that a request was cut. In versitygw 1.8.0 a body that ends early just ends, so that the first half of a
// presigned PUT would be stored; other S3 servers refuse it.
func refuseCut(ctx fiber.Ctx) error {
	if body, length := ctx.Request().BodyStream(), ctx.Request().Header.ContentLength(); body != nil && length > 0 {
		utils.ContextKeyBodyReader.Set(ctx, &wholeBody{body, length})
	}
	return ctx.Next()
}

// wholeBody returns an error if a body ends before its length.
type wholeBody struct {
	body io.Reader
	left int
}

func (w *wholeBody) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	if w.left -= n; err == io.EOF && w.left > 0 {
		err = s3err.GetAPIError(s3err.ErrIncompleteBody) // io.ErrUnexpectedEOF would be taken for io.EOF
	}
	return n, err
}

// freeAddress returns an address that nobody listens on.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
