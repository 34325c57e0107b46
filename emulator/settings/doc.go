// Package settings reads the config file of `soundstage serve --config`: one flat YAML mapping whose keys are names of flags. It reports
// each error with its line. It doesn't know the flags; the caller checks names and values. Start with Load or Parse:
//
//	all, err := settings.Parse("soundstage.yaml", []byte("clock: steps")) // one Setting: Name "clock", Values[0].Text "steps"
package settings
