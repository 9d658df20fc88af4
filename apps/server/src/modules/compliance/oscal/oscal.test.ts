import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { files, hasNist, nist } from '../testing/nist.ts'
import { definitionsOf, inserted } from './definitions.ts'
import { DocumentFault } from './fault.ts'
import type { Catalog } from './model.ts'
import { readOscal } from './read.ts'
import { catalogOf, profileOf, reissued, tokenOf } from './write.ts'

const stamp = { uuid: '0190c000-0000-4000-8000-000000000001', at: '2026-11-27T12:00:00.000Z' }
const metadata = { title: 'Sample', version: '1', 'last-modified': '2026-01-01T00:00:00Z', 'oscal-version': '1.2.1' }
const catalog = (rest: object) => ({ catalog: { uuid: '0190c000-0000-4000-8000-000000000009', metadata, ...rest } })
const control = (id: string, rest = {}) => ({ id, title: `Control ${id}`, ...rest })

function faultOf(value: unknown): [string, string | undefined] {
  try {
    readOscal(value)
  } catch (error) {
    if (error instanceof DocumentFault) return [error.kind, error.faults[0]?.pointer]
    throw error
  }
  return ['read', undefined]
}

const nested = (depth: number): object =>
  depth === 0 ? { title: 'end', controls: [control('a')] } : { title: `level ${depth}`, groups: [nested(depth - 1)] }

describe('a document is refused', () => {
  test.each<[string, unknown, string, string | undefined]>([
    ['that is a list', [], 'unknown', undefined],
    ['without a model', {}, 'unknown', undefined],
    ['of an unknown model', { novel: {} }, 'unknown', undefined],
    ['that is evidence', { 'assessment-results': {} }, 'unknown', undefined],
    ['with two models', { ...catalog({}), profile: {} }, 'unknown', undefined],
    ['without metadata', { catalog: { uuid: stamp.uuid } }, 'invalid', '/catalog'],
    ['with one id twice', catalog({ controls: [control('a'), control('a')] }), 'invalid', '/catalog/controls/1/id'],
    [
      'with one id twice in two groups',
      catalog({ groups: ['x', 'y'].map((title) => ({ title, controls: [control('a')] })) }),
      'invalid',
      '/catalog/groups/1/controls/0/id',
    ],
    ['with an id of another form', catalog({ controls: [control('a b')] }), 'invalid', '/catalog/controls/0/id'],
    ['with a control that is text', catalog({ controls: ['a'] }), 'invalid', '/catalog/controls/0'],
    ['nested 40 deep', catalog({ groups: [nested(40)] }), 'invalid', `/catalog/groups${'/0/groups'.repeat(32)}`],
  ])('%s', (_what, value, kind, pointer) => {
    const [found, at] = faultOf(value)
    expect(found).toBe(kind)
    if (pointer !== undefined) expect(at?.startsWith(pointer)).toBe(true)
  })

  test('with twenty faults told at most', () => {
    const bad = catalog({ controls: Array.from({ length: 50 }, () => control('no id')) })
    expect(() => readOscal(bad)).toThrow(expect.objectContaining({ faults: expect.objectContaining({ length: 20 }) }))
  })
})

test('parameters stand in prose as values, choices or labels, and never in a circle', () => {
  const params = new Map([
    ['a', { id: 'a', label: 'time', values: ['30 days'] }],
    ['b', { id: 'b', select: { choice: ['all', 'within {{ insert: param, a }}'] } }],
    ['c', { id: 'c', label: 'staff' }],
    ['d', { id: 'd', select: { choice: ['{{ insert: param, d }}'] } }],
  ])
  expect(inserted('{{ insert: param, a }}, {{insert: param, b}}, {{ insert: param, c }}', params)).toBe(
    '30 days, [Selection: all; within 30 days], [staff]',
  )
  expect(inserted('{{ insert: param, d }}', params)).toMatch(/Selection/)
  expect(inserted('{{ insert: param, x }}', params)).toBe('{{ insert: param, x }}')
})

describe.skipIf(!hasNist)("NIST's files", () => {
  const counts = hasNist ? nist(files.counts) : {}
  const validator = new Ajv({ strict: false, unicodeRegExp: true, allErrors: false })
  addFormats.default(validator)
  const isValid = hasNist ? validator.compile(nist(files.schema)) : () => true

  test.each(files.catalogs)('%s has the counted controls and comes out as it went in', (path) => {
    const document = readOscal(nist(path))
    if (document.model !== 'catalog') throw new Error('not a catalog')
    const { groups, controls } = definitionsOf(document.content)
    const expected = (counts.catalogs as unknown as Record<string, Record<string, number>>)[path]
    expect(groups).toHaveLength(expected?.groups ?? -1)
    expect(controls).toHaveLength(expected?.controls_total ?? -1)
    expect(controls.filter(({ withdrawn }) => withdrawn)).toHaveLength(expected?.withdrawn ?? -1)
    roundTrip('catalog', path, document.content)
  })

  test.each(files.profiles)('%s comes out as it went in', (path) => {
    const document = readOscal(nist(path))
    if (document.model !== 'profile') throw new Error('not a profile')
    roundTrip('profile', path, document.content)
  })

  function roundTrip(model: string, path: string, content: Catalog | { uuid: string; metadata: Catalog['metadata'] }) {
    const before = nist(path) as Record<string, never>
    const written = reissued(content, stamp)
    expect(isValid({ [model]: written })).toBe(true)
    const { revisions, ...rest } = written.metadata
    const original = before[model] as unknown as Catalog
    const { revisions: earlier = [], ...meta } = original.metadata
    expect(revisions).toHaveLength(earlier.length + 1)
    expect({ ...written, uuid: original.uuid, metadata: { ...rest, 'last-modified': meta['last-modified'] } }).toEqual({
      ...original,
      metadata: meta,
    })
  }

  test.each(files.others)('%s is told to be evidence', (path) => {
    expect(faultOf(nist(path))[0]).toBe('unknown')
  })

  test('left-overs of CSF 1.1 are marked: 79 subcategories and 12 categories', () => {
    const document = readOscal(nist('NIST_CSF_v2.0_catalog.json'))
    if (document.model !== 'catalog') throw new Error('not a catalog')
    const { controls } = definitionsOf(document.content)
    const live = controls.filter(({ needs_review: review }) => !review)
    expect(live.filter(({ ref }) => ref.includes('-'))).toHaveLength(106)
    expect(live.filter(({ ref }) => !ref.includes('-'))).toHaveLength(22)
    expect(controls.filter(({ needs_review: review }) => review)).toHaveLength(79 + 12)
  })

  test('catalogs and profiles that are made from rows are valid', () => {
    const row = { parent_ref: null, statement: 'Text', guidance: null, withdrawn: false }
    const made = catalogOf(
      {
        ...{ title: 'Own', edition: '1', groups: [{ id: 'A 1', title: 'Group', parent: null }] },
        controls: [
          { ...row, ref: 'GOVERN 1.1', group_ref: 'A 1', title: 'One' },
          { ...row, ref: '4.1', group_ref: 'A 1', title: 'Two', parent_ref: 'GOVERN 1.1', withdrawn: true },
          { ...row, ref: 'LLM01:2025', group_ref: null, title: 'Three' },
        ],
      },
      stamp,
    )
    expect(isValid({ catalog: made })).toBe(true)
    expect(definitionsOf(made).controls.map(({ ref }) => ref)).toEqual(['GOVERN-1.1', 'c-4.1', 'LLM01-2025'])
    const parameters = { a: ['1'] }
    const selection = { title: 'Own', edition: '1', href: '#x', refs: ['a b'], parameters }
    expect(isValid({ profile: profileOf(selection, stamp) })).toBe(true)
    expect(isValid({ profile: profileOf({ ...selection, refs: [], parameters: {} }, stamp) })).toBe(true)
    expect(tokenOf('Art. 5(1)(a)')).toBe('Art.-5-1-a')
  })
})
