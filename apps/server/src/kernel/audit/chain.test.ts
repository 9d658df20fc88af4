import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { canonicalEntry, genesis, sealEntries, sealHash } from './chain.ts'
import type { AuditEntryRow } from './tables.ts'

const entry = (id: string, tenant = 'a'): AuditEntryRow => ({
  tenant_id: tenant,
  id,
  at: '2026-03-01T12:00:00.000Z',
  actor_kind: 'system',
  user_id: null,
  key_id: null,
  role: null,
  home_tenant_id: null,
  action: 'case.open',
  target: 'case:1',
  before: null,
  after: { b: 1, a: [2, 'ü'] },
  reason: null,
  result: 'success',
  ip: null,
  user_agent: null,
  request_id: null,
  traceparent: null,
})

test('the canonical form sorts members at every level (RFC 8785)', () => {
  expect(canonicalEntry(entry('1'))).toMatch(
    /^\{"action":"case.open","actor_kind":"system","after":\{"a":\[2,"ü"\],"b":1\},/,
  )
})

test('the hash is SHA-256 over 32 bytes of the previous hash and the canonical entry', () => {
  const expected = createHash('sha256')
    .update(Buffer.alloc(32))
    .update(canonicalEntry(entry('1')))
    .digest('hex')
  expect(sealHash(genesis, entry('1'))).toBe(expected)
})

test('each tenant has its own chain, going on from its head', () => {
  const heads = new Map([['b', { size: 7, hash: 'f'.repeat(64) }]])
  const seals = sealEntries(heads, [entry('1'), entry('2', 'b'), entry('3')])
  expect(seals.map((seal) => [seal.tenantId, seal.seq])).toEqual([
    ['a', 1],
    ['b', 8],
    ['a', 2],
  ])
  expect(seals[1]?.prevHash).toBe('f'.repeat(64))
  expect(seals[2]?.prevHash).toBe(seals[0]?.hash)
})
