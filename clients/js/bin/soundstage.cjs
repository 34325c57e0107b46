#!/usr/bin/env node
'use strict';
// Runs the program soundstage with the same arguments, standard streams, and exit code: npx @soundstage/sandbox serve
const { spawn } = require('node:child_process');
const os = require('node:os');
const { findProgram } = require('./program.cjs');

function fail(error) {
  console.error(`soundstage: ${error.message}`);
  process.exitCode = 127;
}

function run(program) {
  const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
  child.on('error', (error) => fail(new Error(`${program} can't be run: ${error.message}.`)));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + os.constants.signals[signal];
  });
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT'); // a terminal sends it to both
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
}

findProgram().then(run, fail);
