import type { Actor, TenantId } from '../../kernel/access/actor.ts'
import type { Permission } from '../../kernel/access/permissions.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../kernel/db/table.ts'
import { authErrors } from '../../kernel/errors/errors.ts'
import type { Precondition } from '../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { DueAt } from '../../kernel/module/module.ts'
import { change, type Held, hold, holdAll, resource } from '../../kernel/resource/resource.ts'
import type { RepeatableCall } from '../../kernel/second-person/call.ts'
import { type Confirmed, confirmOnce, type Unconfirmed } from '../../kernel/second-person/second-person.ts'
import { errors } from './errors/errors.ts'
import { killSwitchDeactivated } from './events.ts'
import type { KillList, ListedSwitch } from './kill-list.ts'
import type { KillTargets } from './ports/kill-targets.ts'
import type { KillSwitch, KillSwitchScope } from './schemas.ts'
import { killSwitches } from './tables.ts'

export const killSwitchTopic = 'aegis.kill_switch'

export const killSwitchResource = resource({ table: killSwitches, kind: 'kill_switch' })

export interface KillSwitchParts {
  readonly kernel: Kernel
  readonly list: KillList
  /** How many people with the permission could be the second of two where the actor is the first. */
  readonly countSecondPeople: (tx: Tx, actor: Actor, permission: Permission) => Promise<number>
  /** Of all modules. */
  readonly enforcedScopes: () => readonly (readonly KillSwitchScope[])[]
  /** Of all modules. */
  readonly killTargets: () => readonly KillTargets[]
}

export interface Deactivation {
  readonly id: string
  readonly reason: string
  readonly call: RepeatableCall
  readonly precondition: Precondition
  /** The permission of the door, which the second of two people has; default `gateway:admin`. */
  readonly permission?: Permission
}

/** Either the ended switch or, for a whole tenant, the token a second person needs; null for those who are no person. */
export type DeactivationOutcome = { readonly kind: 'ended'; readonly killSwitch: KillSwitch } | Unconfirmed

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
    const { call, permission = 'gateway:admin' } = request
    const confirmed = await confirmEnd(parts, tx, actor, { row, call, permission })
    if (confirmed.kind === 'missing') return confirmed
  }
  const ended = await end(parts, tx, held, {
    status: 'deactivated',
    deactivated_by: actor.userId,
    deactivation_reason: request.reason,
  })
  return { kind: 'ended', killSwitch: ended }
}

interface Ended {
  readonly row: KillSwitch
  readonly call: RepeatableCall
  readonly permission: Permission
}

/** A refusal is noted. A tenant whose administrator has no second person ends its own switch, after confirming once. */
async function confirmEnd(
  { kernel, countSecondPeople }: KillSwitchParts,
  tx: Tx,
  actor: Actor,
  { row, call, permission }: Ended,
): Promise<Confirmed | Unconfirmed> {
  const aloneToo = call.token !== null && (await countSecondPeople(tx, actor, permission)) === 0
  const found = await confirmOnce(kernel, tx, actor, { call, state: [row.id], aloneToo })
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

export function expire(parts: KillSwitchParts, tx: Tx, held: Held<KillSwitch>): Promise<KillSwitch> {
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

type ScopedToAgents = Pick<KillSwitch, 'scope' | 'value'>

/** Whether a switch of the scope stops agents that it does not name. */
export const isOverAgents = ({ scope }: Pick<KillSwitch, 'scope'>): boolean =>
  scope === 'user' || scope === 'agents_by_tag'

/** The agents behind a tag, and those that a user owns; a condition on `agent`. */
const agentsBehind = sql`(
  kill.scope = 'user' and agent.owner_user_id::text = kill.value
  or kill.scope = 'agents_by_tag' and kill.value = any(agent.tags))`

/** Ids of the agents that the switch stops besides those that it names. */
export async function agentsOf(tx: Pick<Tx, 'query'>, { scope, value }: ScopedToAgents): Promise<readonly string[]> {
  const rows = await tx.query(sql<{ id: string }>`
    select agent.id from aegis_agent agent, (select ${scope}::text as scope, ${value}::text as value) as kill
    where ${agentsBehind} order by agent.id`)
  return rows.map(({ id }) => id)
}

/** Every active switch of the installation, for the list in memory. */
export function readActive(kernel: Kernel): Promise<readonly ListedSwitch[]> {
  return kernel.db.system('kill list', async (tx) => {
    const rows = await tx.query(
      sql<KillSwitch>`select ${killSwitches.columns} from aegis_kill_switch where status = 'active' order by id`,
    )
    if (!rows.some(isOverAgents)) return rows
    const behind = await tx.query(sql<{ id: string; agents: readonly string[] }>`
      select kill.id, array_agg(agent.id order by agent.id) as agents from aegis_kill_switch kill
      join aegis_agent agent on agent.tenant_id = kill.tenant_id and ${agentsBehind}
      where kill.status = 'active' group by kill.id`)
    const byId = new Map(behind.map(({ id, agents }) => [id, agents]))
    return rows.map((row) => (isOverAgents(row) ? { ...row, agents: byId.get(row.id) ?? [] } : row))
  })
}

export const someSwitchesOver = ({ now }: DueAt): SqlPart => sql`
  exists (
    select from aegis_kill_switch active
    where active.tenant_id = tenant.id and active.status = 'active' and active.expires_at <= ${now})`
