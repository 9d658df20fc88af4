import { getDomain } from 'tldts'
import { expect, test } from 'vitest'
import { hostPattern } from '../matching/host-index.ts'
import { unsourced } from './schema.ts'
import { shippedCatalog } from './shipped.ts'

test('the catalog has at least 150 services, each once and with its terms', () => {
  expect(shippedCatalog.length).toBeGreaterThanOrEqual(150)
  expect(new Set(shippedCatalog.map(({ slug }) => slug)).size).toBe(shippedCatalog.length)
  expect(shippedCatalog.filter(({ terms_url: url }) => url === null || !url.startsWith('https://'))).toEqual([])
})

test('every fact names its source', () => {
  expect(shippedCatalog.filter(({ facts }) => unsourced(facts).length > 0).map(({ slug }) => slug)).toEqual([])
  const bare = { soc2: { value: true }, sso: { value: 'unknown' as const } }
  expect(unsourced(bare)).toEqual(['soc2'])
})

test('every host is one, of one service, and none is a public suffix', () => {
  const claimed = new Map<string, string>()
  for (const { slug, hosts } of shippedCatalog) {
    for (const text of hosts) {
      const pattern = hostPattern(text)
      expect(pattern, `${slug}: ${text}`).not.toBeNull()
      expect(getDomain(pattern?.host ?? ''), `${slug}: ${text}`).not.toBeNull()
      const key = JSON.stringify(pattern)
      expect(claimed.get(key), `${slug}: ${text}`).toBeUndefined()
      claimed.set(key, slug)
    }
  }
})
