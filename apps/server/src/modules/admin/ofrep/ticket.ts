/**
 * The right to hear *that* flags of a tenant have changed, as text in an address: readers of event streams in a
 * browser can send no header. It grants nothing else, is good until the end of the next day in UTC, and is the same all
 * day for a tenant, so that an unchanged answer that names it stays unchanged. Tested in changes.test.ts.
 */

import { timingSafeEqual } from 'node:crypto'
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { PlatformKeys } from '../../../kernel/keys/port.ts'
import type { Ticket } from '../services/flag-changes.ts'

const dayMs = 86_400_000
const form = /^([0-9a-f-]{36})\.(\d{1,6})\.([\w-]{43})$/

type Keys = Pick<PlatformKeys, 'mac'>

export function ticketFor(keys: Keys, tenantId: TenantId, nowMs: number): string {
  const head = `${tenantId}.${Math.floor(nowMs / dayMs)}`
  return `${head}.${keys.mac('flag-changes', head)}`
}

/** Null for text that is none of ours, or too old. */
export function readTicket(keys: Keys, text: string, nowMs: number): Ticket | null {
  const [, tenantId, day, seal] = form.exec(text) ?? []
  if (tenantId === undefined || day === undefined || seal === undefined) return null
  if (!timingSafeEqual(Buffer.from(seal), Buffer.from(keys.mac('flag-changes', `${tenantId}.${day}`)))) return null
  const endsAt = (Number(day) + 2) * dayMs
  return nowMs < endsAt ? { tenantId: tenantId as TenantId, endsAt } : null
}
