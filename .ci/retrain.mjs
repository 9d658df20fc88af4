// Trains the injection model anew and compares it with the one that ships: the same data and code give the same bytes.
// The data is not part of the project; its folder is given by PARAPET_DETECTION_DATA.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const data = resolve(process.env.PARAPET_DETECTION_DATA ?? '../shared/data/detection')
const shipped = 'packages/detect/src/injection/model/model-data.ts'
if (!existsSync(join(data, 'injection-train.jsonl'))) {
  console.log(`SKIPPED: no training data in ${data}`)
  process.exit(0)
}
const out = mkdtempSync(join(tmpdir(), 'parapet-train-'))
const digest = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')
try {
  const started = Date.now()
  const { status } = spawnSync(
    'npm',
    ['run', '--silent', 'train', '-w', 'packages/detect', '--', '--data', data, '--out', out],
    {
      stdio: 'inherit',
    },
  )
  if (status !== 0) process.exit(1)
  const [made, committed] = [digest(join(out, 'model-data.ts')), digest(shipped)]
  console.log(`trained in ${Math.round((Date.now() - started) / 1000)} s: ${made}`)
  if (made !== committed) {
    console.error(`differs from the model that ships: ${committed}`)
    process.exitCode = 1
  }
} finally {
  rmSync(out, { recursive: true, force: true })
}
