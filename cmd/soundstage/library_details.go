package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
)

// libraryDetails are the flags that change a recording without its transcript.
type libraryDetails struct {
	title   string
	retitle bool // the title is set
	tags    tagFlags
	untag   []string
}

// add adds the flags to a command.
func (d *libraryDetails) add(f *pflag.FlagSet) {
	f.StringVar(&d.title, "title", "", "new `title`")
	d.tags.add(f, "to add or change")
	f.StringArrayVar(&d.untag, "untag", nil, "`name` of a tag to remove; repeatable")
}

// any reports whether a flag is set.
func (d *libraryDetails) any() bool { return d.retitle || len(d.tags)+len(d.untag) > 0 }

// runDetails changes the title and the tags of a recording.
func (o *libraryEditFlags) runDetails(ctx context.Context, lib *library, name string, out io.Writer) error {
	tags, err := o.details.tags.metadata("edit")
	if err != nil {
		return err
	}
	r, err := lib.recording(ctx, name)
	if err != nil {
		return err
	}
	r, err = lib.UpdateRecording(ctx, lib.me, r.ID, func(r *engine.Recording) (err error) {
		if o.details.retitle {
			r.Title = o.details.title
		}
		r.Metadata, err = o.details.retag(r.Metadata, tags)
		return err
	})
	if err != nil {
		return err
	}
	if o.library.asJSON {
		return json.NewEncoder(out).Encode(map[string]any{"recording": describeRecording(r)})
	}
	_, err = fmt.Fprintf(out, "#%d %s\n", r.Number, r.Title)
	if list := tagList(r.Metadata); err == nil && list != "" {
		_, err = fmt.Fprintln(out, list)
	}
	return err
}

// retag returns the tags of a recording with the changes. Errors: CodeInvalid, CodeNotFound.
func (d *libraryDetails) retag(old, tags map[string]string) (map[string]string, error) {
	all := maps.Clone(old)
	for _, name := range d.untag {
		if _, changed := tags[name]; changed {
			return nil, engine.Errorf(engine.CodeInvalid, "edit", "--tag and --untag are both given for %.100q.", name)
		}
		if _, ok := old[name]; !ok {
			return nil, engine.Errorf(engine.CodeNotFound, "edit", "The recording has no tag %.100q.", name).WithHint(tagHint(old))
		}
		delete(all, name)
	}
	if all == nil {
		return tags, nil
	}
	maps.Copy(all, tags)
	return all, nil
}

func tagHint(tags map[string]string) string {
	if len(tags) == 0 {
		return "It has no tags."
	}
	return fmt.Sprintf("It has %.1000q.", slices.Sorted(maps.Keys(tags)))
}
