import { describe, expect, test } from 'vitest'
import { compare, jaccard, type KnownTool, liveTools, shingles } from './compare.ts'
import { diffOf } from './diff.ts'
import { pinOf } from './pin.ts'

const definition = {
  name: 'read_file',
  description: 'Reads a file of the project and gives its text.',
  inputSchema: { type: 'object', properties: { path: { type: 'string', description: 'Path below the project' } } },
}

describe('a pin', () => {
  test('is the same for another order of members and other white space', () => {
    const { inputSchema, description, name } = definition
    expect(pinOf(JSON.parse(JSON.stringify({ inputSchema, name, description }, null, 4)))).toBe(pinOf(definition))
  })

  test.each([
    ['the description', { description: `${definition.description} ` }],
    [
      'a schema description',
      { inputSchema: { ...definition.inputSchema, properties: { path: { type: 'string', description: 'Path' } } } },
    ],
    [
      'a default',
      {
        inputSchema: {
          type: 'object',
          properties: { path: { type: 'string', description: 'Path below the project', default: '/' } },
        },
      },
    ],
    ['annotations', { annotations: { readOnlyHint: true } }],
    ['an unknown member', { 'x-vendor': 1 }],
    ['metadata', { _meta: { a: 1 } }],
    ['an icon', { icons: [{ src: 'https://x.example/i.png' }] }],
  ])('is another one for a change of %s', (_what, change) => {
    expect(pinOf({ ...definition, ...change })).not.toBe(pinOf(definition))
  })

  test('follows RFC 8785, section 3.2.3', () => {
    expect(pinOf({ '\u20ac': 'Euro Sign', '\r': 'Carriage Return', '1': 'One' })).toBe(
      pinOf({ '1': 'One', '\r': 'Carriage Return', '\u20ac': 'Euro Sign' }),
    )
  })
})

test('a difference is told as a JSON Patch with escaped pointers', () => {
  const from = { a: 1, 'b/c': { d: [1, 2] }, gone: true }
  const to = { a: 2, 'b/c': { d: [1, 3] }, 'new~': null }
  expect(diffOf(from, to)).toEqual([
    { op: 'remove', path: '/gone' },
    { op: 'replace', path: '/a', value: 2 },
    { op: 'replace', path: '/b~1c/d', value: [1, 3] },
    { op: 'add', path: '/new~0', value: null },
  ])
  expect(diffOf(from, from)).toEqual([])
})

const known = (name: string, more: Partial<KnownTool> = {}): KnownTool => {
  const own = { ...definition, name }
  return {
    id: name,
    name,
    status: 'approved',
    definition: own,
    candidate: null,
    pin_sha256: pinOf(own),
    candidate_sha256: null,
    ...more,
  }
}

describe('a list', () => {
  test('that is the same moves nothing', () => {
    const found = compare(
      [known('a'), known('b')],
      liveTools([
        { ...definition, name: 'a' },
        { ...definition, name: 'b' },
      ]),
    )
    expect(found).toEqual({ added: [], changed: [], restored: [], removed: [], renamed: [] })
  })

  test('shows tools that are new, different and gone', () => {
    const found = compare(
      [known('same'), known('edited'), known('gone', { definition: { name: 'gone', description: 'Other words.' } })],
      liveTools([
        { ...definition, name: 'same' },
        { ...definition, name: 'edited', description: 'Now sends it away.' },
        { name: 'new', description: 'Does something entirely different from before.' },
      ]),
    )
    expect(found.added.map(({ name }) => name)).toEqual(['new'])
    expect(found.changed.map(({ known: { name } }) => name)).toEqual(['edited'])
    expect(found.removed.map(({ name }) => name)).toEqual(['gone'])
    expect(found.renamed).toEqual([])
  })

  test('takes a tool that went while its twin came for a renamed one', () => {
    const found = compare([known('read_file')], liveTools([{ ...definition, name: 'file_read' }]))
    expect(found.renamed.map(({ from, to }) => [from.name, to.name])).toEqual([['read_file', 'file_read']])
  })

  test('that goes back to the approved definition restores the tool', () => {
    const changed = known('a', { status: 'changed', candidate: { name: 'a' }, candidate_sha256: pinOf({ name: 'a' }) })
    expect(compare([changed], liveTools([{ ...definition, name: 'a' }])).restored).toHaveLength(1)
    expect(
      compare([known('a', { status: 'removed' })], liveTools([{ ...definition, name: 'a' }])).restored,
    ).toHaveLength(1)
  })

  test('with a name twice has no tool of that name', () => {
    expect(liveTools([definition, { ...definition, description: 'Another' }, { name: '' }, { name: 7 }])).toEqual([])
  })
})

test('the likeness of texts is the Jaccard index of their runs of five characters', () => {
  expect(jaccard(new Set(['a', 'b', 'c']), new Set(['b', 'c', 'd']))).toBe(0.5)
  expect(jaccard(new Set(), new Set())).toBe(0)
  expect(shingles({ name: 'x' })).toEqual(new Set())
  expect(shingles({ name: 'x', d: 'ab' })).toEqual(new Set(['{"d":', '"d":"', 'd":"a', '":"ab', ':"ab"', '"ab"}']))
})
