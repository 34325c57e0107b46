package blob

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Duplicate is Copier.Copy for a Store that is no Copier: it reads the blob and writes it again.
func Duplicate(ctx context.Context, s Store, from, to string) (Info, error) {
	info, err := s.Stat(ctx, from)
	if err != nil {
		return Info{}, err
	}
	body, err := s.Open(ctx, from, 0, -1)
	if err != nil {
		return Info{}, err
	}
	defer func() { _ = body.Close() }()
	w, err := s.Create(ctx, to, Meta{ContentType: info.ContentType, Once: true})
	if err != nil {
		return Info{}, err
	}
	defer func() { _ = w.Abort() }()
	if err := Copy(ctx, w, body); err != nil {
		return Info{}, err
	}
	made, err := w.Commit()
	if fault.CodeOf(err) == fault.CodeConflict {
		return Info{}, fault.Errorf(fault.CodeConflict, "", "The key %q has a blob already.", to).WithHint("Copy to a new key.").Because(err)
	}
	return made, err
}
