package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the release. versionString adds the commit of a build from a git checkout.
const version = "0.1.0"

func versionString() string {
	v := version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				v += "+" + s.Value[:12]
			}
		}
	}
	return v
}

// versionLine returns what `soundstage version` and `soundstage --version` print.
func versionLine() string {
	return fmt.Sprintf("soundstage %s (%s, %s/%s)\n", versionString(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func newVersion(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run:   func(*cobra.Command, []string) { fmt.Fprint(std.out, versionLine()) },
	}
}

// addVersionFlag gives the root command --version and -v. Like --help, the flag has no environment variable.
func addVersionFlag(root *cobra.Command) {
	root.Version = versionLine()
	root.SetVersionTemplate("{{.Version}}")
	root.Flags().BoolP("version", "v", false, "print the version")
}
