import { describe, expect, test } from 'vitest'
import { inPlace } from '../../../kernel/threads/thread-task.ts'
import { files, hasNist, nistText } from '../testing/nist.ts'
import { type DocumentToRead, readFramework } from './read-task.ts'

const at = '2026-11-27T12:00:00.000Z'
const uuid = '0190c000-0000-4000-8000-000000000001'
const read = (source: DocumentToRead['source'], text: string, bases: readonly string[] = []) =>
  readFramework.run({ source, text, bases, uuid, at }, inPlace)

function faultOf(content: ReturnType<typeof read>): readonly [string | undefined, string | undefined] {
  if (content.kind !== 'fault') return [undefined, undefined]
  return [content.fault.kind, content.fault.faults[0]?.pointer]
}

const metadata = { title: 'Sample', version: '1', 'last-modified': at, 'oscal-version': '1.2.1' }

describe('a table', () => {
  test('has its controls with parents and weights', () => {
    const text = 'id,parent,title,statement,weight\r\nA,,First,,2\r\nA.1,A,"Second, too",Do it,\r\n'
    expect(read('csv', text)).toMatchObject({
      kind: 'framework',
      controls: [
        { ref: 'A', parent_ref: null, title: 'First', statement: null, weight: 2 },
        { ref: 'A.1', parent_ref: 'A', title: 'Second, too', statement: 'Do it', weight: 1 },
      ],
    })
  })

  test.each([
    ['with a formula', 'id,title\r\nA,=cmd|x\r\n'],
    ['with a column of another name', 'id,name\r\nA,B\r\n'],
    ['with one id twice', 'id,title\r\nA,B\r\nA,C\r\n'],
    ['with a parent that comes later', 'id,parent,title\r\nA,B,C\r\nB,,D\r\n'],
    ['with a weight of 4', 'id,title,weight\r\nA,B,4\r\n'],
    ['without rows', 'id,title\r\n'],
  ])('%s is refused', (_what, text) => {
    expect(faultOf(read('csv', text))[0]).toBe('invalid')
  })
})

describe('JSON', () => {
  test('of a custom framework has its groups', () => {
    const text = JSON.stringify({
      groups: [{ id: 'G', title: 'Group' }],
      controls: [{ ref: 'A', title: 'B', group: 'G' }],
    })
    expect(read('json', text)).toMatchObject({ groups: [{ id: 'G' }], controls: [{ ref: 'A', group_ref: 'G' }] })
  })

  test.each<[string, string, string | undefined]>([
    ['that is none', '{', '/content'],
    ['nested too deep', '['.repeat(70), '/content'],
    [
      'with a group that is not there',
      '{"controls":[{"ref":"A","title":"B","group":"G"}]}',
      '/content/controls/0/group',
    ],
    ['with an unknown member', '{"controls":[{"ref":"A","title":"B","x":1}]}', '/content/controls/0/x'],
  ])('%s is refused', (_what, text, pointer) => {
    expect(faultOf(read('json', text))).toEqual(['invalid', expect.stringContaining(pointer ?? '')])
  })

  test('that is XML is refused', () => {
    expect(faultOf(read('oscal', '<!DOCTYPE x [<!ENTITY a "b">]><catalog/>'))[0]).toBe('invalid')
  })
})

describe('a profile', () => {
  const profile = (imports: object[], rest = {}) => JSON.stringify({ profile: { uuid, metadata, imports, ...rest } })
  const base = JSON.stringify({ catalog: { uuid, metadata, controls: [{ id: 'a', title: 'A' }] } })

  test('that imports itself, an address that nobody named, or more than is there is refused', () => {
    expect(faultOf(read('oscal', profile([{ href: `#${uuid}` }]), [base]))).toEqual(['unresolved', '/profile/imports'])
    expect(faultOf(read('oscal', profile([{ href: 'https://example.org/catalog.json' }])))[0]).toBe('unresolved')
    expect(faultOf(read('oscal', profile([{ href: 'x' }, { href: 'y' }, { href: 'z' }]), [base, base]))[0]).toBe(
      'unresolved',
    )
  })

  test('is read as the catalog that it selects', () => {
    expect(read('oscal', profile([{ href: 'x' }]), [base])).toMatchObject({
      kind: 'framework',
      controls: [{ ref: 'a' }],
    })
  })

  test.skipIf(!hasNist)('of NIST keeps the six enhancements of PRIVACY and says so', () => {
    const content = read('oscal', nistText(files.profiles[3] ?? ''), [nistText(files.sp80053)])
    expect(content).toMatchObject({ kind: 'framework', warnings: [expect.stringContaining('pe-8.3')] })
    expect(content).toHaveProperty('controls.length', 96)
  })
})

describe('a mapping collection', () => {
  const collection = (href: string, relationship: string) =>
    JSON.stringify({
      'mapping-collection': {
        ...{ uuid, metadata, provenance: {} },
        mappings: [
          {
            uuid,
            'source-resource': { type: 'catalog', href },
            'target-resource': { type: 'catalog', href: '#soc2-tsc-2017' },
            maps: [
              {
                ...{ uuid, relationship, remarks: 'Why' },
                sources: [{ type: 'control', 'id-ref': 'A.5.15' }],
                targets: [{ type: 'control', 'id-ref': 'CC6.1' }],
                coverage: { 'target-coverage': 0.6 },
              },
            ],
          },
        ],
      },
    })

  test('has its entries, with relations in our words', () => {
    expect(read('oscal', collection('urn:parapet:framework:iso-27001-2022', 'subset'))).toMatchObject({
      kind: 'mappings',
      collections: [
        {
          ...{ source: 'iso-27001-2022', target: 'soc2-tsc-2017' },
          entries: [{ relation: 'subset-of', coverage: 0.6, reason: 'Why', sources: ['A.5.15'], targets: ['CC6.1'] }],
        },
      ],
    })
  })

  test('with an unknown relation, or an address, is refused', () => {
    expect(faultOf(read('oscal', collection('#a', 'similar')))[0]).toBe('relation')
    expect(faultOf(read('oscal', collection('https://example.org/a', 'subset')))[0]).toBe('unresolved')
  })
})
