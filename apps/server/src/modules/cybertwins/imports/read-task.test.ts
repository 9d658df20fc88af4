import { expect, test } from 'vitest'
import { inPlace } from '../../../kernel/threads/thread-task.ts'
import type { TwinContent } from '../assets/content.ts'
import { type FileToRead, readTwinFile } from './read-task.ts'

const read = (format: FileToRead['format'], content: unknown, mapping = {}) =>
  readTwinFile.run(
    { format, text: typeof content === 'string' ? content : JSON.stringify(content), mapping, source: 'inventory' },
    inPlace,
  )
function contentOf(format: FileToRead['format'], content: unknown, mapping = {}): TwinContent {
  const found = read(format, content, mapping)
  if ('fault' in found) throw new Error(found.fault.message)
  return found
}
const faultOf = (format: FileToRead['format'], content: unknown) => {
  const found = read(format, content)
  return 'fault' in found ? found.fault.pointer : 'read'
}
const vector = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'

const bom = {
  ...{ bomFormat: 'CycloneDX', specVersion: '1.6' },
  metadata: { component: { 'bom-ref': 'app', type: 'application', name: 'shop', version: '2' } },
  components: [{ 'bom-ref': 'lib', type: 'library', name: 'log4j-core', purl: 'pkg:maven/log4j-core@2.14' }],
  dependencies: [{ ref: 'app', dependsOn: ['lib', 'gone'] }],
  vulnerabilities: [
    {
      ...{ id: 'CVE-2021-44228', ratings: [{ vector }], analysis: { state: 'not_affected' } },
      affects: [{ ref: 'lib' }, { ref: 'pkg:maven/other@1' }, { ref: 'nothing' }],
    },
  ],
}

test('CycloneDX: components, dependencies in the direction of attack, vulnerabilities with their state', () => {
  const { assets, relations, vex, skipped } = contentOf('cyclonedx', bom)
  expect(assets.map(({ kind, name }) => [kind, name])).toEqual([
    ['software', 'shop 2'],
    ['software', 'log4j-core'],
  ])
  expect(assets[1]?.externalIds).toEqual([{ source: 'purl', id: 'pkg:maven/log4j-core@2.14' }])
  expect(assets[1]?.vulnerabilities).toEqual([{ id: 'CVE-2021-44228', vex_state: 'not_affected', cvss_vector: vector }])
  expect(relations).toEqual([
    expect.objectContaining({ source: { place: 1 }, kind: 'depends_on', target: { place: 0 } }),
  ])
  expect(vex).toEqual([expect.objectContaining({ key: 'purl:pkg:maven/other@1', state: 'not_affected' })])
  expect(skipped.map(({ pointer }) => pointer)).toEqual([
    '/content/vulnerabilities/0/affects/2/ref',
    '/content/dependencies/0/dependsOn/1',
  ])
})

test('STIX: infrastructure, software and identities, their vulnerabilities, and relationships turned to the attack', () => {
  const id = (type: string, n: number) => `${type}--00000000-0000-4000-8000-00000000000${n}`
  const { assets, relations, skipped } = contentOf('stix', {
    type: 'bundle',
    objects: [
      { type: 'infrastructure', id: id('infrastructure', 1), name: 'web-1' },
      { type: 'software', id: id('software', 2), name: 'nginx' },
      { type: 'identity', id: id('identity', 3), name: 'Ops', identity_class: 'individual' },
      {
        ...{ type: 'vulnerability', id: id('vulnerability', 4), name: 'bug' },
        external_references: [{ source_name: 'cve', external_id: 'CVE-2024-1' }],
      },
      { type: 'malware', id: id('malware', 5), name: 'rat' },
      relationship(6, id('software', 2), 'has', id('vulnerability', 4)),
      relationship(7, id('infrastructure', 1), 'hosts', id('software', 2)),
      relationship(8, id('infrastructure', 1), 'attributed-to', id('identity', 3)),
    ],
  })
  expect(assets.map(({ kind }) => kind)).toEqual(['host', 'software', 'human'])
  expect(assets[1]?.vulnerabilities).toEqual([{ id: 'CVE-2024-1' }])
  expect(relations).toEqual([expect.objectContaining({ source: { place: 1 }, kind: 'runs_on', target: { place: 0 } })])
  expect(skipped.map(({ pointer }) => pointer)).toEqual(['/content/objects/4', '/content/objects/7'])
})

const relationship = (n: number, source_ref: string, relationship_type: string, target_ref: string) => ({
  ...{ type: 'relationship', id: `relationship--00000000-0000-4000-8000-00000000000${n}` },
  ...{ source_ref, relationship_type, target_ref },
})

test('OpenVEX: statements by package URL, in the words of CycloneDX', () => {
  const { vex, skipped } = contentOf('openvex', {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    statements: [
      { vulnerability: { name: 'CVE-2024-1' }, status: 'fixed', products: [{ '@id': 'pkg:npm/a@1' }, { '@id': 'x' }] },
    ],
  })
  expect(vex).toEqual([expect.objectContaining({ key: 'purl:pkg:npm/a@1', id: 'CVE-2024-1', state: 'resolved' })])
  expect(skipped).toHaveLength(1)
})

test('CSV: assets and relations, columns by a mapping, refused lines by their number', () => {
  const text = [
    'Art,name,external_id,relation,target,cve,crown_jewel',
    'host,Web,w1,,,CVE-2024-1 CVE-2024-2,',
    'data_store,Data,d1,,,,yes',
    ',,w1,network_reach,d1,,',
    'spaceship,Odd,s1,,,,',
  ].join('\r\n')
  const { assets, relations, skipped } = contentOf('csv', text, { kind: 'Art' })
  expect(assets.map(({ name, fields }) => [name, fields.crown_jewel])).toEqual([
    ['Web', undefined],
    ['Data', true],
  ])
  expect(assets[0]?.vulnerabilities).toEqual([{ id: 'CVE-2024-1' }, { id: 'CVE-2024-2' }])
  expect(relations).toEqual([
    expect.objectContaining({ source: { key: 'inventory:w1' }, target: { key: 'inventory:d1' } }),
  ])
  expect(skipped).toEqual([{ pointer: '/content/5', reason: expect.stringContaining('The kind must be one of') }])
})

test.each([
  ['cyclonedx', { bomFormat: 'SPDX' }, '/content/bomFormat'],
  ['cyclonedx', { ...bom, specVersion: '2.0' }, '/content/specVersion'],
  [
    'cyclonedx',
    { ...bom, vulnerabilities: [{ id: 'X', analysis: { state: 'maybe' } }] },
    '/content/vulnerabilities/0/analysis/state',
  ],
  ['cyclonedx', '{', '/content'],
  ['cyclonedx', `${'['.repeat(1000)}${']'.repeat(1000)}`, expect.stringMatching(/^\/content/)],
  ['stix', { type: 'report' }, '/content/type'],
  ['stix', { type: 'bundle', objects: [{ type: 'tool', id: 'tool--1', name: 'x' }] }, '/content/objects/0/id'],
  ['openvex', { '@context': 'https://other.example' }, '/content/@context'],
  [
    'openvex',
    { '@context': 'https://openvex.dev/ns', statements: [{ status: 'perhaps' }] },
    '/content/statements/0/status',
  ],
  ['csv', 'name,kind\r\na,host', '/content'],
] as const)('%s that is not of its format is refused with its place', (format, content, pointer) => {
  expect(faultOf(format, content)).toEqual(pointer)
})
