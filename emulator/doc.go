// Package emulator is the sandbox: it serves the Transcription and Content Service's API (/v1) and a control API over an engine,
// with fixed users and secrets. `soundstage serve` is this package with flags. Tests use package emulatortest, which builds on it.
//
//	s, err := emulator.New(ctx, emulator.Options{Addr: "127.0.0.1:8765", Clock: emulator.ClockManual})
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	fmt.Println(s.URL())
package emulator
