// Runs the demo in an empty folder until it says that it keeps serving, then stops it.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'parapet-demo-'))
const child = spawn('npm', ['run', '--silent', 'demo'], {
  env: { ...process.env, PARAPET_PORT: '18081', PARAPET_DATA_DIR: join(folder, 'data') },
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
})
const limit = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 120_000)
let printed = ''
child.stdout.on('data', (chunk) => {
  printed += chunk
  process.stdout.write(chunk)
  if (printed.includes('Parapet keeps serving')) process.kill(-child.pid, 'SIGTERM')
})
const code = await new Promise((resolve) => child.once('close', resolve))
clearTimeout(limit)
rmSync(folder, { recursive: true, force: true })
const wanted = ['GW-003', 'trust', 'Kill switch', 'Parapet keeps serving']
const missing = wanted.filter((text) => !printed.toLowerCase().includes(text.toLowerCase()))
if (missing.length > 0) console.error(`the demo did not print: ${missing.join(', ')} (exit ${code})`)
process.exit(missing.length === 0 ? 0 : 1)
