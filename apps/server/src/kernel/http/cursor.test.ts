import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlatformKeys } from '../keys/port.ts'
import { type CursorScope, createCursors } from './cursor.ts'

const keys: PlatformKeys = {
  mac: (purpose, value) => createHmac('sha256', 'k').update(purpose).update(value).digest('base64url'),
  derive: () => new Uint8Array(32),
}
const cursors = createCursors(keys)
const scope: CursorScope = {
  tenantId: 't1',
  route: '/api/v1/iam/users',
  sort: '-created_at',
  filters: { status: 'active' },
}
const page = { items: [], total: 7, hasMore: true, last: { value: '2026-01-01T00:00:00.000Z', id: 'x' } }

test('a cursor carries position and total through any sort value', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer(), fc.boolean()), fc.uuid(), fc.nat(), (value, id, total) => {
      const cursor = cursors.encode(scope, { ...page, total, last: { value, id } })
      expect(cursors.decode(scope, cursor ?? '')).toEqual({ after: { value, id }, total })
    }),
  )
})

test('the last page has no cursor', () => {
  expect(cursors.encode(scope, { ...page, hasMore: false })).toBeNull()
})

test.each<[string, Partial<CursorScope>]>([
  ['tenant', { tenantId: 't2' }],
  ['route', { route: '/api/v1/iam/roles' }],
  ['sort order', { sort: 'created_at' }],
  ['filter', { filters: { status: 'invited' } }],
])('a cursor of another %s is refused', (_what, change) => {
  const cursor = cursors.encode(scope, page) ?? ''
  expect(() => cursors.decode({ ...scope, ...change }, cursor)).toThrow(expect.objectContaining({ code: 'API-003' }))
})

test('no changed character of a cursor is accepted', () => {
  const cursor = cursors.encode(scope, page) ?? ''
  fc.assert(
    fc.property(fc.nat(cursor.length - 1), fc.constantFrom(...'AZaz09-_.'), (at, character) => {
      fc.pre(cursor[at] !== character)
      const changed = cursor.slice(0, at) + character + cursor.slice(at + 1)
      // The last character of base64url holds unused bits, yet the text is compared, not the bytes.
      expect(() => cursors.decode(scope, changed)).toThrow(expect.objectContaining({ code: 'API-003' }))
    }),
  )
})

test.each(['', 'x', 'made-up', '..', 'a.b', 'é'.repeat(40), `${'A'.repeat(5000)}.${'A'.repeat(43)}`])(
  'made-up cursor %#',
  (cursor) => {
    expect(() => cursors.decode(scope, cursor)).toThrow(expect.objectContaining({ code: 'API-003' }))
  },
)
