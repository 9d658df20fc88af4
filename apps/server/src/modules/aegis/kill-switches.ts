import type { Actor, TenantId } from '../../kernel/access/actor.ts'
import { type Confirmation, confirmation } from '../../kernel/auth/four-eyes.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../kernel/db/table.ts'
import { authErrors } from '../../kernel/errors/errors.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { errors } from './errors.ts'
import { killSwitchActivated, killSwitchDeactivated } from './events.ts'
import type { KillList } from './kill-list.ts'
import { expectedNotes, keepNotes, propagationOf } from './propagation.ts'
import type { KillSwitch, KillSwitchScope } from './schemas.ts'
import { killSwitches } from './tables.ts'

export const killSwitchTopic = 'aegis.kill_switch'

export interface KillSwitchParts {
  readonly kernel: Kernel
  readonly list: KillList
  /** How many people could be the second of two where the actor is the first. */
  readonly countSecondPeople: (tx: Tx, actor: Actor) => Promise<number>
}

export interface Activation {
  readonly scope: KillSwitchScope
  readonly value: string | null
  readonly level: KillSwitch['level']
  readonly reason: string
  readonly exempt: readonly string[]
  readonly expiresAt: string | null
  readonly source: KillSwitch['source']
}

/**
 * Activates a switch. It counts on this instance before the transaction ends, because stopping a call a moment too
 * early harms nobody; the caller must call `resync` when the transaction fails. @throws AEGIS-003, AUTH-004
 */
export async function activate(parts: KillSwitchParts, tx: Tx, actor: Actor, input: Activation): Promise<KillSwitch> {
  if (input.scope === 'platform' && !actor.operator) throw authErrors.forbidden({ permission: 'super_admin' })
  await tx.lock('kill_switch', `${input.scope}:${input.value ?? ''}`)
  await endIfOver(parts, tx, await activeTwin(tx, input))
  const { clock } = parts.kernel
  const startedMs = clock.monotonic()
  const row = newRow(parts, tx, actor, input)
  const aborted = parts.list.apply(row) ?? 0
  const ms = Math.round((clock.monotonic() - startedMs) * 1000) / 1000
  const notes = await expectedNotes(tx, parts.kernel.node, { ms, aborted })
  const stored = { ...row, propagation: propagationOf(notes) }
  await killSwitches.insert(tx, stored)
  await keepNotes(tx, stored.id, notes)
  await tx.announce(killSwitchTopic, stored.id, { active: stored, by: parts.kernel.node })
  await tx.audit('kill_switch.activate', { target: `kill_switch:${stored.id}`, after: stored, reason: input.reason })
  await tx.emit(killSwitchActivated, stored.id, {
    ...killSwitchEvent(stored, actor.userId),
    activated_by: stored.activated_by,
    activated_at: stored.activated_at,
    expires_at: stored.expires_at,
  })
  return stored
}

function activeTwin(tx: Tx, { scope, value }: Activation): Promise<KillSwitch | null> {
  return tx.first(
    sql<KillSwitch>`
      select ${killSwitches.columns} from aegis_kill_switch
      where scope = ${scope} and coalesce(value, '') = ${value ?? ''} and status = 'active'`,
  )
}

async function endIfOver(parts: KillSwitchParts, tx: Tx, twin: KillSwitch | null): Promise<void> {
  if (twin === null) return
  if (!isOver(twin, parts.kernel.clock.iso())) throw errors.exists({ what: 'active kill switch' })
  await expire(parts, tx, twin)
}

function isOver(killSwitch: KillSwitch, now: string): boolean {
  return killSwitch.expires_at !== null && killSwitch.expires_at <= now
}

function newRow(parts: KillSwitchParts, tx: Tx, actor: Actor, input: Activation): KillSwitch {
  const at = parts.kernel.clock.iso()
  return {
    id: parts.kernel.random.uuid(),
    tenant_id: tx.tenantId,
    scope: input.scope,
    value: input.value,
    level: input.level,
    reason: input.reason,
    exempt: [...input.exempt],
    source: input.source,
    status: 'active',
    activated_by: actor.userId,
    activated_at: at,
    deactivated_by: null,
    deactivated_at: null,
    deactivation_reason: null,
    expires_at: input.expiresAt,
    propagation: propagationOf({}),
    version: 1,
    created_at: at,
    updated_at: at,
  }
}

export interface Deactivation {
  readonly id: string
  readonly reason: string
  readonly confirmToken: string | null
  /** @throws API-012 */
  readonly expectVersion: (version: number) => void
}

/** Either the ended switch or, for a whole tenant, the token a second person needs; null for those who are no person. */
export type DeactivationOutcome =
  | { readonly kind: 'ended'; readonly killSwitch: KillSwitch }
  | { readonly kind: 'confirm'; readonly token: string | null }

/** Ends a switch; that of a whole tenant takes two people, that of the platform one operator. @throws API-012, API-013, AEGIS-002, AUTH-004 */
export async function deactivate(
  parts: KillSwitchParts,
  tx: Tx,
  actor: Actor,
  request: Deactivation,
): Promise<DeactivationOutcome> {
  const row = await killSwitches.needForUpdate(tx, request.id)
  if (row.scope === 'platform' && !actor.operator) throw authErrors.forbidden({ permission: 'super_admin' })
  request.expectVersion(row.version)
  if (row.status !== 'active') throw errors.illegalMove({ what: 'kill switch', status: row.status })
  if (row.scope === 'tenant') {
    const confirmed = await confirmEnd(parts, tx, actor, { row, token: request.confirmToken })
    if (confirmed.kind === 'missing') return { kind: 'confirm', token: confirmed.token }
  }
  const ended = await end(parts, tx, row, {
    status: 'deactivated',
    deactivated_by: actor.userId,
    deactivation_reason: request.reason,
  })
  return { kind: 'ended', killSwitch: ended }
}

/** A refusal is noted. A tenant whose administrator has no second person ends its own switch, after confirming once. */
async function confirmEnd(
  { kernel, countSecondPeople }: KillSwitchParts,
  tx: Tx,
  actor: Actor,
  { row, token }: { readonly row: KillSwitch; readonly token: string | null },
): Promise<Confirmation> {
  const decision = { purpose: 'kill-switch-confirm', tenantId: tx.tenantId, subject: [row.id] } as const
  const aloneToo = token !== null && (await countSecondPeople(tx, actor)) === 0
  const found = confirmation(kernel, actor, decision, { token, aloneToo })
  if (found.kind === 'missing') {
    await tx.audit('kill_switch.deactivate', {
      target: `kill_switch:${row.id}`,
      result: 'refused',
      reason: found.token === null ? 'only people may end this' : 'a second person has to confirm',
    })
  }
  return found
}

type Ending = Pick<KillSwitch, 'status' | 'deactivated_by' | 'deactivation_reason'>

async function end(parts: KillSwitchParts, tx: Tx, row: KillSwitch, ending: Ending): Promise<KillSwitch> {
  const at = parts.kernel.clock.iso()
  const changes = { ...ending, deactivated_at: at, version: row.version + 1, updated_at: at }
  const ended = { ...row, ...changes }
  await killSwitches.patch(tx, row.id, changes)
  await tx.announce(killSwitchTopic, row.id, { ended: true })
  await tx.audit('kill_switch.deactivate', {
    target: `kill_switch:${row.id}`,
    before: row,
    after: ended,
    reason: ending.deactivation_reason ?? 'expired',
  })
  await tx.emit(killSwitchDeactivated, row.id, {
    ...killSwitchEvent(ended, ending.deactivated_by),
    deactivated_by: ending.deactivated_by,
    active_seconds: Math.max(0, (Date.parse(at) - Date.parse(row.activated_at)) / 1_000),
  })
  return ended
}

function expire(parts: KillSwitchParts, tx: Tx, row: KillSwitch): Promise<KillSwitch> {
  return end(parts, tx, row, { status: 'expired', deactivated_by: null, deactivation_reason: 'expired' })
}

/** Marks switches whose time is over; they stopped counting at that moment already. */
export async function expireOver(parts: KillSwitchParts, tenantId: TenantId): Promise<void> {
  await parts.kernel.db.tenant({ tenantId }, async (tx) => {
    const over = await tx.query(
      sql<KillSwitch>`
        select ${killSwitches.columns} from aegis_kill_switch
        where status = 'active' and expires_at <= ${parts.kernel.clock.iso()}
        order by id
        limit 100
        for update`,
    )
    for (const row of over) await expire(parts, tx, row)
  })
}

/** Payload of both doors' events. */
export function killSwitchEvent(row: KillSwitch, by: string | null) {
  return {
    kill_switch_id: row.id,
    scope: row.scope,
    value: row.value,
    level: row.level,
    reason: row.reason,
    by,
    source: row.source,
    propagation: row.propagation,
  }
}

export interface KillSwitchFilter {
  readonly scope?: KillSwitchScope
  readonly value?: string
  /** `any` lists history too. */
  readonly status: KillSwitch['status'] | 'any'
  /** Moments of activation: from the first on, before the second. */
  readonly from?: string
  readonly to?: string
}

export function listKillSwitches(tx: Tx, page: PageRequest, filter: KillSwitchFilter): Promise<Page<KillSwitch>> {
  const { from = null, to = null } = filter
  const where = sql`
    (${filter.status}::text = 'any' or status = ${filter.status}::text)
    and (${filter.scope ?? null}::text is null or scope = ${filter.scope ?? null}::text)
    and (${filter.value ?? null}::text is null or value = ${filter.value ?? null}::text)
    and (${from}::timestamptz is null or created_at >= ${from}::timestamptz)
    and (${to}::timestamptz is null or created_at < ${to}::timestamptz)`
  return killSwitches.page(tx, page, where)
}

/** Every active switch of the installation, for the list in memory. */
export function readActive(kernel: Kernel): Promise<readonly KillSwitch[]> {
  return kernel.db.system('kill list', (tx) =>
    tx.query(
      sql<KillSwitch>`select ${killSwitches.columns} from aegis_kill_switch where status = 'active' order by id`,
    ),
  )
}
