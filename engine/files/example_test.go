package files_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// When Commit returns, the blob is durable.
func ExampleNew() {
	dir, err := os.MkdirTemp("", "soundstage")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	blobs, err := files.New(dir, files.Options{Exclusive: true})
	if err != nil {
		panic(err)
	}
	w, err := blobs.Create(context.Background(), "uploads/a", engine.BlobMeta{ContentType: "text/plain", MaxSize: 100})
	if err != nil {
		panic(err)
	}
	defer func() { _ = w.Abort() }() // no effect after Commit
	if _, err := io.WriteString(w, "sound"); err != nil {
		panic(err)
	}
	info, err := w.Commit()
	fmt.Println(info.Key, info.Size, info.ContentType, err)
	// Output: uploads/a 5 text/plain <nil>
}

// Sign a URL that allows one upload of a given type and size for half an hour.
func ExampleSigner() {
	signer, err := files.NewSigner(files.Key{ID: "2026", Secret: []byte("at least sixteen bytes")})
	if err != nil {
		panic(err)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	query := signer.Sign(files.Grant{Method: "PUT", Key: "uploads/a", ContentType: "audio/wav", Size: 1234, Expires: now.Add(30 * time.Minute)})

	grant, err := signer.Verify("PUT", "uploads/a", query, now)
	fmt.Println(grant.ContentType, grant.Size, err)
	_, err = signer.Verify("PUT", "uploads/b", query, now)
	fmt.Println(engine.Message(err))
	_, err = signer.Verify("PUT", "uploads/a", query, now.Add(time.Hour))
	fmt.Println(engine.Message(err), errors.Is(err, files.ErrExpired))
	// Output:
	// audio/wav 1234 <nil>
	// The signature of this address is not valid.
	// This address has expired. true
}
