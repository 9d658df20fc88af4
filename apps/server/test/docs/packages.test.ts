/** What the script about packages makes of what a registry says, and that the policy tells the same days. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { repository } from '../borders/sources.ts'

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>
}
interface Script {
  readonly leastAgeDays: number
  readonly deadlineDays: Readonly<Record<string, number>>
  newVersions(lock: Lock, before: Lock): readonly string[]
  ageFault(version: string, published: string | undefined, now: number): string | null
  advisoryFaults(report: object): readonly string[]
}

const script: Script = await import(pathToFileURL(join(repository, 'scripts/packages.mjs')).href)
const { ageFault, advisoryFaults, newVersions } = script

test('C80 a version that the lock file did not name before has to be a week old', () => {
  const before = {
    packages: { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0' } },
  }
  const lock = {
    packages: {
      ...before.packages,
      'node_modules/b': { version: '2.0.1' },
      'node_modules/a/node_modules/@c/d': { version: '3.0.0' },
      'node_modules/own': { link: true },
    },
  }
  expect(newVersions(lock, before)).toEqual(['@c/d@3.0.0', 'b@2.0.1'])
  expect(newVersions(lock, lock)).toEqual([])
  const now = Date.parse('2026-11-22T00:00:00Z')
  expect(ageFault('b@2.0.1', '2026-11-15T00:00:00Z', now)).toBeNull()
  expect(ageFault('b@2.0.1', '2026-11-16T00:00:00Z', now)).toContain('6.0 days ago')
  expect(ageFault('b@2.0.1', undefined, now)).toContain('does not know')
})

test('C83 flaws are told with their deadline, the worst first, and the policy names the same days', () => {
  const flaw = (name: string, severity: string, fixAvailable: boolean) => ({
    name,
    severity,
    range: '<2',
    fixAvailable,
  })
  const vulnerabilities = { a: flaw('a', 'moderate', true), b: flaw('b', 'critical', false) }
  expect(advisoryFaults({ vulnerabilities })).toEqual([
    'critical: b <2: no mended version yet; to be mended within 2 days of the advisory',
    'moderate: a <2: a mended version is there; to be mended within 30 days of the advisory',
  ])
  expect(advisoryFaults({})).toEqual([])
  const policy = readFileSync(join(repository, 'SECURITY.md'), 'utf8')
  for (const [severity, days] of Object.entries(script.deadlineDays).filter(([name]) => name !== 'info'))
    expect(policy).toMatch(new RegExp(`\\| ${severity} \\| ${days} days \\|`))
})
