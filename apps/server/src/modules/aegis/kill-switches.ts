import type { Actor, TenantId } from '../../kernel/access/actor.ts'
import { type Confirmation, confirmation } from '../../kernel/auth/four-eyes.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../kernel/db/table.ts'
import { authErrors } from '../../kernel/errors/errors.ts'
import { anyVersion, type Precondition } from '../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { DueAt } from '../../kernel/module/module.ts'
import { change, create, type Held, hold, holdAll, newRow, resource } from '../../kernel/resource/resource.ts'
import { errors } from './errors.ts'
import { killSwitchActivated, killSwitchDeactivated } from './events.ts'
import type { KillList } from './kill-list.ts'
import { expectedNotes, keepNotes, propagationOf } from './propagation.ts'
import type { KillSwitch, KillSwitchScope } from './schemas.ts'
import { killSwitches } from './tables.ts'

export const killSwitchTopic = 'aegis.kill_switch'

const killSwitchResource = resource({ table: killSwitches, kind: 'kill_switch' })

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
  const row = newSwitch(parts, tx, actor, input)
  const aborted = parts.list.apply(row) ?? 0
  const ms = Math.round((clock.monotonic() - startedMs) * 1000) / 1000
  const notes = await expectedNotes(tx, parts.kernel.node, { ms, aborted })
  const stored = { ...row, propagation: propagationOf(notes) }
  await create(tx, killSwitchResource, stored, { action: 'kill_switch.activate', reason: input.reason })
  await keepNotes(tx, stored.id, notes)
  await tx.announce(killSwitchTopic, stored.id, { active: stored, by: parts.kernel.node })
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
  await expire(parts, tx, await hold(tx, killSwitchResource, { id: twin.id, precondition: anyVersion }))
}

function isOver(killSwitch: KillSwitch, now: string): boolean {
  return killSwitch.expires_at !== null && killSwitch.expires_at <= now
}

function newSwitch(parts: KillSwitchParts, tx: Tx, actor: Actor, input: Activation): KillSwitch {
  const stamps = newRow(parts.kernel, tx)
  return {
    ...stamps,
    scope: input.scope,
    value: input.value,
    level: input.level,
    reason: input.reason,
    exempt: [...input.exempt],
    source: input.source,
    status: 'active',
    activated_by: actor.userId,
    activated_at: stamps.created_at,
    deactivated_by: null,
    deactivated_at: null,
    deactivation_reason: null,
    expires_at: input.expiresAt,
    propagation: propagationOf({}),
  }
}

export interface Deactivation {
  readonly id: string
  readonly reason: string
  readonly confirmToken: string | null
  readonly precondition: Precondition
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
  const allow = ({ scope }: KillSwitch): void => {
    if (scope === 'platform' && !actor.operator) throw authErrors.forbidden({ permission: 'super_admin' })
  }
  const held = await hold(tx, killSwitchResource, { id: request.id, precondition: request.precondition, allow })
  const { row } = held
  if (row.status !== 'active') throw errors.illegalMove({ what: 'kill switch', status: row.status })
  if (row.scope === 'tenant') {
    const confirmed = await confirmEnd(parts, tx, actor, { row, token: request.confirmToken })
    if (confirmed.kind === 'missing') return { kind: 'confirm', token: confirmed.token }
  }
  const ended = await end(parts, tx, held, {
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

async function end({ kernel }: KillSwitchParts, tx: Tx, held: Held<KillSwitch>, ending: Ending): Promise<KillSwitch> {
  const { row } = held
  const at = kernel.clock.iso()
  const ended = await change(kernel, tx, held, {
    action: 'kill_switch.deactivate',
    changes: { ...ending, deactivated_at: at },
    reason: ending.deactivation_reason ?? 'expired',
  })
  await tx.announce(killSwitchTopic, row.id, { ended: true })
  await tx.emit(killSwitchDeactivated, row.id, {
    ...killSwitchEvent(ended, ending.deactivated_by),
    deactivated_by: ending.deactivated_by,
    active_seconds: Math.max(0, (Date.parse(at) - Date.parse(row.activated_at)) / 1_000),
  })
  return ended
}

function expire(parts: KillSwitchParts, tx: Tx, held: Held<KillSwitch>): Promise<KillSwitch> {
  return end(parts, tx, held, { status: 'expired', deactivated_by: null, deactivation_reason: 'expired' })
}

/** Marks switches whose time is over; they stopped counting at that moment already. */
export async function expireOver(parts: KillSwitchParts, tenantId: TenantId): Promise<void> {
  await parts.kernel.db.tenant({ tenantId }, async (tx) => {
    const where = sql`status = 'active' and expires_at <= ${parts.kernel.clock.iso()}`
    for (const held of await holdAll(tx, killSwitchResource, { where, limit: 100 })) await expire(parts, tx, held)
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

export const someSwitchesOver = ({ now }: DueAt): SqlPart => sql`
  exists (
    select from aegis_kill_switch active
    where active.tenant_id = tenant.id and active.status = 'active' and active.expires_at <= ${now})`
