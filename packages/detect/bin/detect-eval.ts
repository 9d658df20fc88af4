#!/usr/bin/env node
import { runCli } from '../eval/cli.ts'
import { createDetector } from '../src/detector.ts'

process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  now: () => performance.now(),
  createDetector,
})
