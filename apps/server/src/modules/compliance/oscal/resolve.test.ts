import { describe, expect, test } from 'vitest'
import { files, hasNist, nist } from '../testing/nist.ts'
import { definitionsOf } from './definitions.ts'
import { DocumentFault } from './fault.ts'
import type { Catalog, Control, Part, Profile } from './model.ts'
import { readOscal } from './read.ts'
import { resolveProfile } from './resolve.ts'

const at = '2026-11-27T12:00:00.000Z'
const uuid = '0190c000-0000-4000-8000-000000000001'
const metadata = { title: 'Sample', version: '1', 'last-modified': at, 'oscal-version': '1.2.1' }
const statement = (id: string): Part => ({ id: `${id}_smt`, name: 'statement', prose: `Do ${id}.` })
const control = (id: string, rest: Partial<Control> = {}): Control => ({
  id,
  title: id,
  parts: [statement(id)],
  ...rest,
})
const base: Catalog = {
  uuid,
  metadata,
  groups: [
    {
      ...{ id: 'a', title: 'A' },
      controls: [
        control('a-1', { params: [{ id: 'p', label: 'period' }], controls: [control('a-1.1'), control('a-1.2')] }),
        control('a-2'),
      ],
    },
    { id: 'b', title: 'B', controls: [control('b-1')] },
  ],
}

const profile = (imports: Profile['imports'], rest: Partial<Profile> = {}): Profile => ({
  ...{ uuid, metadata, imports, merge: { 'as-is': true } },
  ...rest,
})
const resolved = (one: Profile, bases: readonly Catalog[] = [base]) => resolveProfile({ profile: one, bases, uuid, at })
const idsOf = (catalog: Catalog) => definitionsOf(catalog).controls.map(({ ref }) => ref)

function faultOf(one: Profile, bases?: readonly Catalog[]): string | undefined {
  try {
    resolved(one, bases)
  } catch (error) {
    if (error instanceof DocumentFault && error.kind === 'unresolved') return error.faults[0]?.pointer ?? error.message
    throw error
  }
  return undefined
}

describe('a selection', () => {
  test.each<[string, Profile['imports'][0], readonly string[]]>([
    ['of all', { href: '#', 'include-all': {} }, ['a-1', 'a-1.1', 'a-1.2', 'a-2', 'b-1']],
    ['by id', { href: '#', 'include-controls': [{ 'with-ids': ['a-2', 'b-1'] }] }, ['a-2', 'b-1']],
    [
      'with children',
      { href: '#', 'include-controls': [{ 'with-ids': ['a-1'], 'with-child-controls': 'yes' }] },
      ['a-1', 'a-1.1', 'a-1.2'],
    ],
    ['by pattern', { href: '#', 'include-controls': [{ matching: [{ pattern: 'a-?.*' }] }] }, ['a-1.1', 'a-1.2']],
    [
      'of all but some',
      { href: '#', 'include-all': {}, 'exclude-controls': [{ matching: [{ pattern: 'a*' }] }] },
      ['b-1'],
    ],
  ])('%s', (_what, one, expected) => {
    expect(idsOf(resolved(profile([one])).catalog)).toEqual(expected)
  })

  test('of an enhancement alone keeps it in the place of its parent', () => {
    const { catalog, promoted } = resolved(profile([{ href: '#', 'include-controls': [{ 'with-ids': ['a-1.2'] }] }]))
    expect(promoted).toEqual(['a-1.2'])
    expect(catalog.groups).toMatchObject([{ id: 'a', controls: [{ id: 'a-1.2' }] }])
  })

  test('of what is not there is refused', () => {
    expect(faultOf(profile([{ href: '#', 'include-controls': [{ 'with-ids': ['x-1'] }] }]))).toBe('/profile/imports/0')
    expect(faultOf(profile([{ href: '#' }, { href: '#' }]))).toBe('/profile/imports/1')
  })
})

const everything = { href: '#', 'include-all': {} }

describe('a merge', () => {
  test('without structure is flat, and a custom one is refused', () => {
    expect(resolved(profile([everything], { merge: { flat: {} } })).catalog).not.toHaveProperty('groups')
    expect(faultOf(profile([everything], { merge: { custom: {} } }))).toBe('/profile/merge/custom')
  })

  test('of the same control twice is refused, unless the first is to be used', () => {
    const twice = [everything, everything]
    expect(faultOf(profile(twice), [base, base])).toMatch(/a-1/)
    const first = profile(twice, { merge: { 'as-is': true, combine: { method: 'use-first' } } })
    expect(idsOf(resolved(first, [base, base]).catalog)).toEqual(['a-1', 'a-1.1', 'a-1.2', 'a-2', 'b-1'])
  })
})

describe('a modification', () => {
  const modified = (modify: NonNullable<Profile['modify']>) => resolved(profile([everything], { modify })).catalog

  test('sets a parameter, which its prose then has', () => {
    const { catalog } = resolved(
      profile([everything], { modify: { 'set-parameters': [{ 'param-id': 'p', values: ['30 days'] }] } }),
    )
    expect(catalog.groups?.[0]?.controls?.[0]?.params).toEqual([{ id: 'p', label: 'period', values: ['30 days'] }])
  })

  test('adds to a control and beside its parts, and removes from it', () => {
    const extra: Part = { id: 'x', name: 'guidance', prose: 'More.' }
    const catalog = modified({
      alters: [
        {
          'control-id': 'b-1',
          removes: [{ 'by-name': 'statement' }],
          adds: [{ position: 'starting', props: [{ name: 'priority', value: 'P1' }], parts: [extra] }],
        },
        { 'control-id': 'a-2', adds: [{ 'by-id': 'a-2_smt', position: 'before', parts: [extra] }] },
      ],
    })
    expect(catalog.groups?.[1]?.controls?.[0]).toEqual({
      ...{ id: 'b-1', title: 'b-1', props: [{ name: 'priority', value: 'P1' }], parts: [extra] },
    })
    expect(catalog.groups?.[0]?.controls?.[1]?.parts?.map(({ id }) => id)).toEqual(['x', 'a-2_smt'])
  })

  test('of what is not selected is refused', () => {
    const modify = (rest: NonNullable<Profile['modify']>) => faultOf(profile([everything], { modify: rest }))
    expect(modify({ 'set-parameters': [{ 'param-id': 'q' }] })).toBe('/profile/modify/set-parameters/0/param-id')
    expect(modify({ alters: [{ 'control-id': 'z' }] })).toBe('/profile/modify/alters/0/control-id')
  })
})

describe.skipIf(!hasNist)("NIST's baselines", () => {
  const catalogIn = (path: string): Catalog => {
    const document = readOscal(nist(path))
    if (document.model !== 'catalog') throw new Error('not a catalog')
    return document.content
  }
  const resolvedOf = (path: string) => {
    const document = readOscal(nist(path))
    if (document.model !== 'profile') throw new Error('not a profile')
    return resolved(document.content, [catalogIn(files.sp80053)])
  }
  const partsIn = (parts: readonly Part[]): number =>
    parts.reduce((sum, part) => sum + 1 + partsIn(part.parts ?? []), 0)
  const controlsIn = (all: readonly Control[]): Control[] =>
    all.flatMap((one) => [one, ...controlsIn(one.controls ?? [])])

  test.each(files.profiles)('%s selects as many controls as were counted', (path) => {
    const level = /_(LOW|MODERATE|HIGH|PRIVACY)-/.exec(path)?.[1] ?? ''
    const { catalog, promoted } = resolvedOf(path)
    expect(idsOf(catalog)).toHaveLength({ LOW: 149, MODERATE: 287, HIGH: 370, PRIVACY: 96 }[level] ?? 0)
    expect([...promoted].sort()).toEqual(
      level === 'PRIVACY' ? ['ac-3.14', 'au-3.3', 'pe-8.3', 'pm-5.1', 'sa-8.33', 'sc-7.24'] : [],
    )
  })

  test('the resolution of LOW is the published one: ids, groups, parameters and parts', () => {
    const { catalog } = resolvedOf(files.profiles[0] ?? '')
    const published = catalogIn(files.low)
    expect(idsOf(catalog).sort()).toEqual(idsOf(published).sort())
    expect(catalog.groups?.map(({ id }) => id).sort()).toEqual(published.groups?.map(({ id }) => id).sort())
    const controls = controlsIn((catalog.groups ?? []).flatMap((group) => group.controls ?? []))
    expect(controls.reduce((sum, { params = [] }) => sum + params.length, 0)).toBe(359)
    expect(controls.reduce((sum, { parts = [] }) => sum + partsIn(parts), 0)).toBe(872)
  })
})
