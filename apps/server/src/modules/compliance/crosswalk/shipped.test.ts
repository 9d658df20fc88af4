import { expect, test } from 'vitest'
import { catalogOfKey } from '../catalogs/catalogs.ts'
import { shippedMappings } from './shipped.ts'

const isThere = (name: string): boolean => {
  const at = name.indexOf(' ')
  const groups = catalogOfKey(name.slice(0, at))?.groups ?? []
  return groups.some((group) => group.controls.some(({ ref }) => ref === name.slice(at + 1)))
}

test('every mapping leads from a control of one catalog to one of another, with a reason', () => {
  expect(shippedMappings.flatMap(({ source, target }) => [source, target].filter((name) => !isThere(name)))).toEqual([])
  for (const { source, target, reason, relation, coverage } of shippedMappings) {
    expect(source.split(' ')[0]).not.toBe(target.split(' ')[0])
    expect(reason.length).toBeGreaterThan(10)
    if (relation === 'subset-of' || relation === 'intersects-with') expect(coverage).not.toBeNull()
  }
})
