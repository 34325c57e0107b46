package main

import "fmt"

// rows returns the lines of the table in order.
func rows() []row {
	serve := command{pkg: "./cmd/soundstage", bench: "LimitServe$"}
	return []row{
		{"get", "simple GET with the request log, 8 connections: CPU; requests/s", "≤ 1.35 × net/http", []command{serve}, func(m metrics) (string, string, bool) {
			return fmt.Sprintf("net/http with one fixed answer: %.1f µs; %.0f", m["http-µs/GET"], m["http-GET/s"]),
				fmt.Sprintf("%.1f µs, %s ×; %.0f", m["serve-µs/GET"], m.spread("get-ratio"), m["serve-GET/s"]), m["get-ratio"] <= 1.35
		}},
		{"start", "start to the first response: CPU; memory, of it not from the program's file", "≤ 7 ms; ≤ 26 MiB", []command{serve}, func(m metrics) (string, string, bool) {
			return fmt.Sprintf("net/http: %.1f ms; %.0f, %.0f MiB", m["http-start-ms"], m["http-MiB"], m["http-own-MiB"]),
				fmt.Sprintf("%.1f ms, %s ×; %.0f, %.0f MiB", m["serve-start-ms"], m.spread("start-ratio"), m["serve-MiB"], m["serve-own-MiB"]),
				m["serve-start-ms"] <= 7 && m["serve-MiB"] <= 26
		}},
		{"hour", "an hour of MP3 → transcript with speakers and all exports: CPU; memory", "≤ 7 s; ≤ 70 MB", []command{{pkg: "./cmd/soundstage", bench: "LimitHour$"}}, func(m metrics) (string, string, bool) {
			return fmt.Sprintf("ffmpeg decodes it: %.1f s; %.0f MB", m["decode-cpu-s"], m["decode-MB"]),
				fmt.Sprintf("%.1f s, %s ×; %.0f MB", m["cpu-s"], m.spread("ratio"), m["MB"]), m["cpu-s"] <= 7 && m["MB"] <= 70
		}},
		{"speakers", "speakers of an hour, one core", "≥ 700 × real time", []command{{pkg: "./diarize", bench: "LimitSpeakers$"}}, func(m metrics) (string, string, bool) {
			return fmt.Sprintf("Fourier transforms and distances alone: %.0f ×", m["bare-x-real-time"]),
				fmt.Sprintf("%.0f ×; CPU %s × the limit's", m["x-real-time"], m.spread("ratio")), m["x-real-time"] >= 700
		}},
		{"export", "whole process, transcript of 3 h: json → vtt, docx, pdf", "≤ 60, 50, 100 ms", []command{{pkg: "./cmd/soundstage", bench: "LimitExport$"}}, func(m metrics) (string, string, bool) {
			return fmt.Sprintf("encoding/json reads it: %.0f ms", m["read-cpu-ms"]),
				fmt.Sprintf("%.0f, %.0f, %.0f ms; %.2g, %.2g, %.2g ×", m["vtt-cpu-ms"], m["docx-cpu-ms"], m["pdf-cpu-ms"], m["vtt-ratio"], m["docx-ratio"], m["pdf-ratio"]),
				m["vtt-cpu-ms"] <= 60 && m["docx-cpu-ms"] <= 50 && m["pdf-cpu-ms"] <= 100
		}},
		{"crop", "crop with captions, 30 s: CPU; size at equal SSIM", "≤ 0.90; ≤ 1.05", []command{{pkg: "./render", bench: "LimitCrop$", more: []string{"-turns", "2"}}}, func(m metrics) (string, string, bool) {
			return fmt.Sprintf("x264 veryfast alone, CRF %.1f", m["bare-crf"]),
				fmt.Sprintf("%s; %.2f (%+.2f dB)", m.spread("cpu/bare"), m["size/bare"], m["dB"]), m["cpu/bare"] <= 0.90 && m["size/bare"] <= 1.05
		}},
		{"audiogram", "audiogram, 30 s: CPU", "≤ 0.45", []command{{pkg: "./render", bench: "Render$/audiogram$", more: []string{"-turns", "3"}}}, func(m metrics) (string, string, bool) {
			return "x264 veryfast alone, all frames: 1", m.spread("cpu/bare"), m["cpu/bare"] <= 0.45
		}},
		{"mixed", "64 clients, everything mixed: 99th percentile of requests, of polls", "≤ 60 ms", []command{{pkg: "./cmd/soundstage", bench: "MixedLoad$"}}, func(m metrics) (string, string, bool) {
			return "", fmt.Sprintf("%.0f, %.0f ms; %.0f requests/s", m["p99-ms"], m["polls-p99-ms"], m["requests/s"]), m["p99-ms"] <= 60 && m["polls-p99-ms"] <= 60
		}},
		{"durable", "row and job, durable, SQLite: 16 writers at once; a lone writer", "≥ 0.8 of it; –", []command{{pkg: "./engine/sqlite", bench: "LimitDurable$"}}, func(m metrics) (string, string, bool) {
			return fmt.Sprintf("the disk writes and syncs as many bytes: %.0f/s", m["disk-syncs/s"]),
				fmt.Sprintf("%.0f/s, %s of it; %.0f/s, %s", m["shared-commits/s"], m.spread("shared-ratio"), m["commits/s"], m.spread("ratio")), m["shared-ratio"] >= 0.8
		}},
		{"growth", "growth of CPU with 10 × audio, recordings, worlds, cues", "≤ 10.5 ×", []command{
			{pkg: "./diarize", bench: "LimitGrowth$", prefix: "audio "}, {pkg: "./engine/sqlite", bench: "LimitGrowth$", prefix: "recordings "},
			{pkg: "./emulator/emulatortest", bench: "LimitGrowth$", prefix: "worlds "}, {pkg: "./formats", bench: "LimitGrowth$", prefix: "cues "},
		}, func(m metrics) (string, string, bool) {
			worst, reached := 0.0, ""
			for i, of := range []string{"audio", "recordings", "worlds", "cues"} {
				worst = max(worst, m[of+" growth"])
				if i > 0 {
					reached += ", "
				}
				reached += fmt.Sprintf("%.1f", m[of+" growth"])
			}
			return "10 ×", reached + " ×", worst <= 10.5
		}},
		{"tests", "`make test`, `.ci/run`, warm, two cores (by hand)", "≤ 4, ≤ 10 min", nil, nil},
	}
}
