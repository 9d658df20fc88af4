/** The package script's reading of registry answers, and the policy's agreement with its number of days. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { repository } from '../borders/sources.ts'

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>
}
interface Ledger {
  readonly first: readonly string[]
  readonly taken: Readonly<Record<string, { readonly published: string; readonly taken: string }>>
}
interface Script {
  readonly leastAgeDays: number
  readonly deadlineDays: Readonly<Record<string, number>>
  newVersions(lock: Lock, ledger: Ledger): readonly string[]
  ageFault(version: string, published: string | undefined, now: number): string | null
  advisoryFaults(report: object): readonly string[]
}

const script: Script = await import(pathToFileURL(join(repository, 'scripts/packages.mjs')).href)
const { ageFault, advisoryFaults, newVersions } = script

const json = (path: string): unknown => JSON.parse(readFileSync(join(repository, path), 'utf8'))
const ledger = json('docs/security/package-ages.json') as Ledger

/** Digest of the lock file's packages when the ledger was begun, so that none is added there later without an age. */
const begunWith = '22241e52fd1ed9c3c65f9a6a790716cf3d0e107d5ff746ec6c9ba296648bb048'

/** Faults of a lock file according to its ledger. */
const faults = (lock: Lock, { first, taken }: Ledger): readonly string[] => [
  ...newVersions(lock, { first, taken }).map((one) => `${one}: nobody asked when it was published`),
  ...Object.entries(taken).flatMap(([one, days]) => ageFault(one, days.published, Date.parse(days.taken)) ?? []),
]

test('C80 every version of the lock file had been public for a week when it was taken', () => {
  expect(faults(json('package-lock.json') as Lock, ledger)).toEqual([])
  expect(createHash('sha256').update(ledger.first.join('\n')).digest('hex')).toBe(begunWith)
})

test('C80 a version the ledger does not name is found, and one that was taken too young', () => {
  const begun: Ledger = { first: ['a@1.0.0', 'b@2.0.0'], taken: {} }
  const lock = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.1' },
      'node_modules/a/node_modules/@c/d': { version: '3.0.0' },
      'node_modules/own': { link: true },
    },
  }
  const days = (published: string) => ({ published, taken: '2026-11-22T00:00:00Z' })
  const taken = { '@c/d@3.0.0': days('2026-11-01T00:00:00Z'), 'b@2.0.1': days('2026-11-15T00:00:00Z') }
  expect(faults(lock, begun)).toEqual([
    '@c/d@3.0.0: nobody asked when it was published',
    'b@2.0.1: nobody asked when it was published',
  ])
  expect(faults(lock, { ...begun, taken })).toEqual([])
  const young = faults(lock, { ...begun, taken: { ...taken, 'b@2.0.1': days('2026-11-16T00:00:00Z') } })
  expect(young).toEqual([expect.stringContaining('b@2.0.1: published 6.0 days ago')])
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
