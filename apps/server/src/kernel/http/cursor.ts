/**
 * List cursors: base64url of the keyset position, the filters' digest and the first page's total, with a MAC over all of
 * it and over the tenant and route, so that a made-up, altered or foreign cursor is API-003. Tested in cursor.test.ts.
 */
import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../crypto/digest.ts'
import type { Page, PageRequest } from '../db/table.ts'
import { apiErrors } from '../errors/errors.ts'
import type { PlatformKeys } from '../keys/port.ts'

export interface CursorScope {
  readonly tenantId: string
  readonly route: string
  readonly sort: string
  readonly filters: Readonly<Record<string, unknown>>
}

export interface CursorCodec {
  encode(scope: CursorScope, page: Page<unknown>): string | null
  /** @throws API-003 */
  decode(scope: CursorScope, cursor: string): Pick<PageRequest, 'after' | 'total'>
}

const cursorPattern = /^[A-Za-z0-9_-]{20,2000}\.[A-Za-z0-9_-]{43}$/

export function createCursors(keys: PlatformKeys): CursorCodec {
  const macOf = (scope: CursorScope, payload: string): string =>
    keys.mac('cursor', JSON.stringify([scope.tenantId, scope.route, scope.sort, filterDigest(scope.filters), payload]))
  return {
    encode: (scope, page) => {
      if (!page.hasMore || page.last === null) return null
      const payload = Buffer.from(JSON.stringify([page.last.value, page.last.id, page.total])).toString('base64url')
      return `${payload}.${macOf(scope, payload)}`
    },
    decode: (scope, cursor) => {
      const [payload, mac] = cursorPattern.test(cursor) ? cursor.split('.') : []
      if (payload === undefined || mac === undefined || !sameText(mac, macOf(scope, payload)))
        throw apiErrors.badCursor()
      const [value, id, total] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [unknown, string, number]
      return { after: { value, id }, total }
    },
  }
}

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

function filterDigest(filters: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(JSON.stringify(entries), 'base64url')
}
