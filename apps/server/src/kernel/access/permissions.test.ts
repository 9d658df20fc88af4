import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  allPermissions,
  everyPermission,
  holds,
  intersection,
  isPermission,
  listPermissions,
  missingFrom,
  moduleNames,
  noPermissions,
  type Permission,
  permissionSet,
  union,
} from './permissions.ts'

/** The meaning of a set of names, written out: a name gives itself and the lower names of its module. */
const levels = ['read', 'write', 'admin']
function closure(names: Iterable<string>): ReadonlySet<string> {
  const held = new Set<string>()
  for (const name of names) {
    const [module = '', action = ''] = name.split(':')
    for (const lower of levels.slice(0, levels.indexOf(action) + 1)) held.add(`${module}:${lower}`)
  }
  return held
}

const names = fc.array(fc.constantFrom(...allPermissions), { maxLength: 12 })
const both = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].filter((name) => b.has(name))
const sorted = (of: Iterable<string>): readonly string[] => [...of].sort()

describe('a packed set is the set of its names', () => {
  test('it holds what the names give, and nothing else', () => {
    fc.assert(
      fc.property(names, fc.constantFrom(...allPermissions), (given, asked) => {
        expect(holds(permissionSet(given), asked)).toBe(closure(given).has(asked))
      }),
    )
  })

  test('it lists what the names give', () => {
    fc.assert(
      fc.property(names, (given) => {
        expect(sorted(listPermissions(permissionSet(given)))).toEqual(sorted(closure(given)))
      }),
    )
  })

  test('neither order nor repetition matters', () => {
    fc.assert(
      fc.property(names, (given) => {
        expect(permissionSet([...given, ...given].reverse())).toBe(permissionSet(given))
      }),
    )
  })

  test('listing and packing are each other undone', () => {
    fc.assert(
      fc.property(names, (given) => {
        const set = permissionSet(given)
        expect(permissionSet(listPermissions(set))).toBe(set)
      }),
    )
  })

  test('union and intersection are those of the names', () => {
    fc.assert(
      fc.property(names, names, (one, two) => {
        const [a, b] = [permissionSet(one), permissionSet(two)]
        expect(sorted(listPermissions(union(a, b)))).toEqual(sorted(closure([...one, ...two])))
        expect(sorted(listPermissions(intersection(a, b)))).toEqual(sorted(both(closure(one), closure(two))))
      }),
    )
  })

  test('what is missing is what was wanted and is not held; nothing is missing from a union', () => {
    fc.assert(
      fc.property(names, names, (one, two) => {
        const [held, wanted] = [permissionSet(one), permissionSet(two)]
        const expected = [...closure(two)].filter((name) => !closure(one).has(name))
        expect(sorted(missingFrom(held, wanted))).toEqual(sorted(expected))
        expect(missingFrom(union(held, wanted), wanted)).toEqual([])
      }),
    )
  })
})

describe('laws of the sets', () => {
  const sets = names.map(permissionSet)

  test('union and intersection commute, associate and absorb each other', () => {
    fc.assert(
      fc.property(sets, sets, sets, (a, b, c) => {
        expect(union(a, b)).toBe(union(b, a))
        expect(intersection(a, b)).toBe(intersection(b, a))
        expect(union(a, union(b, c))).toBe(union(union(a, b), c))
        expect(intersection(a, intersection(b, c))).toBe(intersection(intersection(a, b), c))
        expect(union(a, intersection(a, b))).toBe(a)
        expect(intersection(a, union(a, b))).toBe(a)
      }),
    )
  })

  test('nothing and everything are the ends', () => {
    fc.assert(
      fc.property(sets, (a) => {
        expect([union(a, noPermissions), intersection(a, everyPermission)]).toEqual([a, a])
        expect([intersection(a, noPermissions), union(a, everyPermission)]).toEqual([noPermissions, everyPermission])
      }),
    )
  })

  test('a set is a non-negative integer that a double keeps exactly', () => {
    expect(everyPermission).toBeGreaterThan(0)
    expect(Number.isSafeInteger(everyPermission)).toBe(true)
    fc.assert(fc.property(sets, (a) => a >= 0 && Number.isInteger(a)))
  })
})

describe('names outside the catalogue', () => {
  const strange = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'iam:own',
      'iam',
      ':read',
      'iam:',
      'IAM:read',
      'iam:read ',
      '*',
      'iam:*',
      '__proto__',
      'constructor',
    ),
  )

  test('give nothing', () => {
    fc.assert(
      fc.property(strange, names, (name, given) => {
        fc.pre(!isPermission(name))
        expect(permissionSet([name, ...given])).toBe(permissionSet(given))
        expect(holds(everyPermission, name as Permission)).toBe(false)
      }),
    )
  })
})

test('there are three levels on each of the twelve modules', () => {
  expect(moduleNames).toHaveLength(12)
  expect(new Set(allPermissions).size).toBe(36)
  expect(allPermissions.every(isPermission)).toBe(true)
})
