// Compares the rows that data and generators give with those that the shipped injection model was trained on.
// The data is not part of the project; its folder is given by PARAPET_DETECTION_DATA.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const data = resolve(process.env.PARAPET_DETECTION_DATA ?? '../shared/data/detection')
if (existsSync(join(data, 'injection-train.jsonl'))) {
  const check = ['--import', 'tsx', 'packages/detect/train/check-rows.ts', '--data', data]
  process.exitCode = spawnSync(process.execPath, check, { stdio: 'inherit' }).status ?? 1
} else console.log(`SKIPPED: no training data in ${data}`)
