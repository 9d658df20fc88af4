import { expect, test } from 'vitest'
import type { ReadAsset } from './content.ts'
import { mergedAsset, vectorFault } from './merge.ts'

const seen = (source: string, day = '01') => ({ source, now: `2026-01-${day}T00:00:00.000Z`, staleAt: null })
const read = (over: Partial<ReadAsset> = {}): ReadAsset => ({
  ...{ kind: 'host', name: 'web', externalIds: [{ source: 'fqdn', id: 'web' }], fields: {}, pointer: '' },
  ...over,
})

test('an import discovers an asset, and seeing it again makes it active and nothing else', () => {
  const first = mergedAsset(null, read(), seen('csv'))
  expect(first.content).toMatchObject({ status: 'discovered', criticality: 3, exposure: 'internal' })
  const second = mergedAsset(first.content, read(), seen('csv', '02'))
  expect(second.content).toMatchObject({ status: 'active', last_seen: '2026-01-02T00:00:00.000Z' })
  expect(mergedAsset(second.content, read(), seen('csv', '03')).changed).toBe(false)
})

test('people’s words stay, and a retired asset stays retired', () => {
  const { content } = mergedAsset(null, read({ fields: { criticality: 5 } }), seen('manual'))
  const imported = mergedAsset(content, read({ name: 'other', fields: { criticality: 1 } }), seen('csv'))
  expect(imported.content).toMatchObject({ name: 'web', criticality: 5 })
  const retired = { ...content, status: 'retired' as const }
  expect(mergedAsset(retired, read(), seen('csv')).content.status).toBe('retired')
})

test('each source replaces the vulnerabilities and controls that it told of, and no others', () => {
  const { content } = mergedAsset(null, read({ vulnerabilities: [{ id: 'A' }, { id: 'B' }] }), seen('csv'))
  const other = mergedAsset(content, read({ vulnerabilities: [{ id: 'B' }, { id: 'C' }] }), seen('sbom')).content
  expect(other.vulnerabilities.map(({ id, source }) => `${id} ${source}`)).toEqual(['A csv', 'B csv', 'C sbom'])
  const less = mergedAsset(other, read({ vulnerabilities: [] }), seen('csv')).content
  expect(less.vulnerabilities.map(({ id }) => id)).toEqual(['C'])
})

test('a vector that cannot be read says why', () => {
  expect(vectorFault('CVSS:4.0/AV:Q')).toEqual(expect.any(String))
  expect(vectorFault('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')).toBeNull()
})
