/**
 * The signed words of a link that ends mails of some categories to one person (RFC 8058): made with a key of the
 * installation, and good for nothing else. Tested in ../notifications/mails.test.ts.
 */
import { timingSafeEqual } from 'node:crypto'
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { type Category, categories } from '../declared/words.ts'

export interface Subscription {
  readonly tenantId: TenantId
  readonly userId: string
  /** Of the letter; mails of others go on. */
  readonly categories: readonly Category[]
}

/** Where the link leads; a page of the server. */
export const unsubscribePath = '/unsubscribe'
const purpose = 'platform.unsubscribe'
const form = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.([a-z_,]{1,200})\.([\w-]{43})$/

type Keys = Pick<Kernel, 'platformKeys'>

export function unsubscribeToken({ platformKeys }: Keys, { tenantId, userId, categories: of }: Subscription): string {
  const said = `${tenantId}.${userId}.${[...new Set(of)].sort().join(',')}`
  return `${said}.${platformKeys.mac(purpose, said)}`
}

/** Null for a token that this installation did not make. */
export function readToken({ platformKeys }: Keys, token: string): Subscription | null {
  const [, tenantId = '', userId = '', names = '', mac = ''] = form.exec(token) ?? []
  if (mac === '') return null
  const right = Buffer.from(platformKeys.mac(purpose, `${tenantId}.${userId}.${names}`))
  const given = Buffer.from(mac)
  if (right.byteLength !== given.byteLength || !timingSafeEqual(right, given)) return null
  const named = names.split(',')
  return { tenantId: tenantId as TenantId, userId, categories: categories.filter((one) => named.includes(one)) }
}
