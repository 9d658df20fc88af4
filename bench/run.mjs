// `npm run bench`: every measurement, one after the other, so that none disturbs another. Names choose some of them.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../scripts/build.mjs'

const all = [
  'micro',
  'routes',
  'start',
  'http',
  'list',
  'audit',
  'idle-tenants',
  'backup',
  'upload',
  'activity',
  'shadow-ai',
  'unpack',
  'detect',
  'graph',
  'quant',
  'resilience',
  'trust',
  'rules',
  'loop',
  'compliance',
  'data-gov',
  'gateway',
  'mcp',
  'conversation',
  'telemetry',
  'client-gone',
  'kill-switch',
  'streams',
  'allocations',
  'shapes',
  'memory',
  'login',
  'sameness',
  'crowd',
  'lanes',
  'seams',
  'svc-ai',
  'vectors',
  'stalls',
]
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`There is no measurement ${unknown.join(', ')}. There are: ${all.join(', ')}.`)
  process.exit(2)
}
for (const name of asked.length > 0 ? asked : all) {
  const { status } = spawnSync(process.execPath, [join(root, 'bench', `${name}.mjs`)], { cwd: root, stdio: 'inherit' })
  if (status !== 0) {
    console.error(`${name} failed.`)
    process.exitCode = 1
  }
}
