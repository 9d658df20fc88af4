/**
 * Slows down guessing, by account and by network address. Counters for unknown addresses are kept like any others,
 * so that a refusal tells nothing. A try that was under way when its account became blocked is refused as well: guesses
 * sent side by side gain nothing. Tested in guard.test.ts and ../sign-in/login.test.ts.
 */
import ipaddr from 'ipaddr.js'
import type { Tx } from '../../../kernel/db/port.ts'
import { json, sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { emailKey } from '../directory/email-address.ts'
import { afterFailure, type GuardState, unguarded, waitLeft, windowMs } from './guessing.ts'

const perAddress = { limit: 20, windowMs }
/** A neighborhood of 256 IPv4 addresses together. */
const perNeighborhood = { limit: 100, windowMs }

export interface GuardRow {
  readonly failures: readonly number[]
  readonly blocked_until: string | null
}

export function guardDigest(kernel: Kernel, email: string): string {
  return kernel.platformKeys.mac('login-guard', emailKey(email))
}

/** Of an address in the tenant it was looked for in. */
export function accountDigest(kernel: Kernel, tenantId: string, email: string): string {
  return kernel.platformKeys.mac('login-guard-account', `${tenantId}/${emailKey(email)}`)
}

export function guardState(row: GuardRow | null): GuardState {
  if (row === null) return unguarded
  return { failures: row.failures, blockedUntil: row.blocked_until === null ? 0 : Date.parse(row.blocked_until) }
}

/** @throws AUTH-008 */
export function assertNotBlocked(state: GuardState, now: number): void {
  const left = waitLeft(state, now)
  if (left > 0) throw lockedOut(left)
}

/** @throws AUTH-008 when the address has used up its failures */
export async function assertAddressAllowed(kernel: Kernel, ip: string): Promise<void> {
  for (const { key, rule } of addressKeys(ip)) {
    const decision = await kernel.limits.peek(key, rule)
    if (!decision.allowed) throw lockedOut(decision.retryAfterMs)
  }
}

export async function countAddressFailure(kernel: Kernel, ip: string): Promise<void> {
  for (const { key, rule } of addressKeys(ip)) await kernel.limits.take(key, rule)
}

/** Counts a failure for the typed address and returns the state before it; the row stays locked until the end. */
export async function countFailure(tx: Tx, digest: string, now: number): Promise<GuardState> {
  const at = new Date(now).toISOString()
  const row = await tx.first(sql<GuardRow>`
    insert into iam_login_guard (digest, failures, updated_at)
    values (${digest}, '[]', ${at})
    on conflict (digest) do update set updated_at = excluded.updated_at
    returning failures, blocked_until`)
  const before = guardState(row)
  const after = afterFailure(before, now)
  await tx.execute(sql`
    update iam_login_guard
    set failures = ${json(after.failures)}, blocked_until = ${new Date(after.blockedUntil).toISOString()}
    where digest = ${digest}`)
  return before
}

/** Counts one more failure in a row of an account and answers how many those are. */
export async function countInRow(tx: Tx, digest: string, now: number): Promise<number> {
  const row = await tx.first(sql<{ consecutive: number }>`
    insert into iam_login_guard (digest, consecutive, updated_at)
    values (${digest}, 1, ${new Date(now).toISOString()})
    on conflict (digest) do update
    set consecutive = iam_login_guard.consecutive + 1, updated_at = excluded.updated_at
    returning consecutive`)
  return row?.consecutive ?? 0
}

/** After a success, or when an administrator lets an account in again. */
export async function forgetRow(tx: Tx, digest: string): Promise<void> {
  await tx.execute(sql`update iam_login_guard set consecutive = 0 where digest = ${digest} and consecutive > 0`)
}

/** Deletes the failure counts of these e-mail addresses, across all tenants and for this one. */
export async function forgetAccounts(kernel: Kernel, tx: Tx, emails: readonly string[]): Promise<void> {
  const digests = emails.flatMap((email) => [guardDigest(kernel, email), accountDigest(kernel, tx.tenantId, email)])
  await tx.execute(sql`delete from iam_login_guard where digest = any(${digests}::text[])`)
}

/** The state now, with failures that are being counted waited for. */
export async function lockedGuard(tx: Tx, digest: string): Promise<GuardState> {
  return guardState(
    await tx.first(
      sql<GuardRow>`select failures, blocked_until from iam_login_guard where digest = ${digest} for share`,
    ),
  )
}

function lockedOut(leftMs: number) {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000))
  return authErrors.lockedOut({ seconds }).withHeaders({ 'retry-after': String(seconds) })
}

/** IPv4: the address and its /24; IPv6: the /64, which one subscriber has at least. */
export function addressKeys(ip: string): readonly { readonly key: string; readonly rule: typeof perAddress }[] {
  if (!ipaddr.isValid(ip)) return [{ key: '{platform}:login:unknown', rule: perAddress }]
  const address = ipaddr.process(ip)
  const bytes = address.toByteArray()
  if (bytes.length === 16) return [{ key: `{platform}:login:${bytes.slice(0, 8).join('.')}::`, rule: perAddress }]
  return [
    { key: `{platform}:login:${bytes.join('.')}`, rule: perAddress },
    { key: `{platform}:login:${bytes.slice(0, 3).join('.')}.*`, rule: perNeighborhood },
  ]
}
