import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileFlags } from '../engine/evaluate.ts'
import type { Json } from './imported.ts'
import { keyFor } from './key.ts'
import { readUnleash } from './unleash.ts'

/** Unleash/client-specification 6.1.0, Apache-2.0. */
const folder = new URL('../../../../../../../../shared/data/unleash-client-specification/', import.meta.url)
const isThere = existsSync(folder)

interface Case {
  readonly description: string
  readonly context: Json & { readonly properties?: Json }
  readonly toggleName: string
  readonly expectedResult: never
}

interface Specification {
  readonly state: Json & { readonly features?: unknown }
  readonly tests?: readonly Case[]
  readonly variantTests?: readonly Case[]
}

/** Events of a streaming protocol that is not offered here. */
const outOfScope = ['19-delta-api-hydration.json', '20-delta-api-events.json']

const files = isThere ? readdirSync(folder).filter((name) => /^\d\d-.*\.json$/.test(name)) : []
const specifications = files
  .filter((name) => !outOfScope.includes(name))
  .map((name) => ({ name, read: JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Specification }))

function flagsOf({ state }: Specification) {
  const imported = readUnleash(state)
  const flags = compileFlags(
    imported.map(({ flag }) => flag),
    {},
  )
  return ({ context: { properties = {}, ...fields }, toggleName }: Case) => {
    const { variant, value } = flags.evaluate(keyFor(toggleName), { ...properties, ...fields }, Date.now())
    return { variant, value }
  }
}

describe.skipIf(!isThere)('the client specification of Unleash', () => {
  test('is there in full', () => {
    const counted = specifications.map(({ read }) => (read.tests?.length ?? 0) + (read.variantTests?.length ?? 0))
    expect(files).toHaveLength(22)
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(275)
  })

  for (const { name, read } of specifications) {
    test(`${name}: who gets a feature, and which variant`, () => {
      const evaluate = flagsOf(read)
      for (const one of read.tests ?? []) {
        const { variant } = evaluate(one)
        expect([one.description, variant !== null && variant !== 'off']).toEqual([one.description, one.expectedResult])
      }
      for (const one of read.variantTests ?? []) {
        const { variant, value } = evaluate(one)
        expect([one.description, resultOf(variant, value)]).toEqual([one.description, one.expectedResult])
      }
    })
  }
})

/** The answer in the words of the specification. */
function resultOf(variant: string | null, value: unknown): object {
  const on = variant !== null && variant !== 'off'
  if (!on || variant === 'on') return { name: 'disabled', enabled: false, feature_enabled: on }
  const { name, payload } = value as { readonly name: string; readonly payload: unknown }
  return { name, ...(payload === null ? {} : { payload }), enabled: true, feature_enabled: true }
}
