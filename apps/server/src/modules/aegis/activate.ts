/** How a kill switch comes into force, in a transaction of its own or in a caller's. Tested through the gateway's routes. */
import type { Actor } from '../../kernel/access/actor.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../kernel/errors/errors.ts'
import { anyVersion } from '../../kernel/http/answer/etag.ts'
import { create, hold, newRow } from '../../kernel/resource/resource.ts'
import { type ApprovalSubject, expireApprovalsOf } from './approvals/settle.ts'
import { errors } from './errors/errors.ts'
import { killSwitchActivated } from './events.ts'
import type { ListedSwitch } from './kill-list.ts'
import {
  agentsOf,
  expire,
  isOverAgents,
  type KillSwitchParts,
  killSwitchEvent,
  killSwitchResource,
  killSwitchTopic,
} from './kill-switches.ts'
import { expectedNotes, type InstanceNotes, keepNotes, propagationOf } from './propagation.ts'
import type { KillSwitch, KillSwitchScope } from './schemas.ts'
import { killSwitches } from './tables.ts'

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
 * early harms nobody; the caller must read the list again when the transaction fails. @throws AEGIS-003, AEGIS-005, API-001, AUTH-004
 */
export async function activate(parts: KillSwitchParts, tx: Tx, actor: Actor, input: Activation): Promise<KillSwitch> {
  await prepare(parts, tx, actor, input)
  const { clock, node } = parts.kernel
  const startedMs = clock.monotonic()
  const row = newSwitch(parts, tx, actor, input)
  const agents = await agentsBehind(tx, row)
  const aborted = parts.list.apply({ ...row, ...agents }) ?? 0
  const ms = Math.round((clock.monotonic() - startedMs) * 1000) / 1000
  return store(parts, tx, actor, { row, agents, notes: await expectedNotes(tx, node, { ms, aborted }), by: node })
}

/**
 * Activates a switch in a transaction of the caller's, whose end is not known here: it counts from the commit on, also on
 * this instance, which notes it like every other one. @throws AEGIS-003, AEGIS-005, API-001, AUTH-004
 */
export async function activateJoined(
  parts: KillSwitchParts,
  tx: Tx,
  actor: Actor,
  input: Activation,
): Promise<KillSwitch> {
  await prepare(parts, tx, actor, input)
  const notes = await expectedNotes(tx, parts.kernel.node, null)
  const row = newSwitch(parts, tx, actor, input)
  return store(parts, tx, actor, { row, agents: await agentsBehind(tx, row), notes, by: null })
}

/** Scopes that every subject has. */
const everywhere: ReadonlySet<KillSwitchScope> = new Set(['platform', 'tenant'])

async function prepare(parts: KillSwitchParts, tx: Tx, actor: Actor, input: Activation): Promise<void> {
  const { scope, value } = input
  if (scope === 'platform' && !actor.operator) throw authErrors.forbidden({ permission: 'super_admin' })
  if (everywhere.has(scope) !== (value === null)) {
    const detail = everywhere.has(scope) ? 'This scope takes no value.' : 'This scope needs a value.'
    throw apiErrors.validation({ what: 'One field is not valid.' }).at([{ detail, pointer: '/value' }])
  }
  refuseLife(parts, input)
  if (!everywhere.has(scope) && !parts.enforcedScopes().some((scopes) => scopes.includes(scope)))
    throw errors.notEnforced({ scope }).at([{ detail: 'Nothing enforces this scope.', pointer: '/scope' }])
  await tx.lock('kill_switch', `${scope}:${value ?? ''}`)
  await endIfOver(parts, tx, await activeTwin(tx, input))
}

/** A switch may end by itself after at most this long, in milliseconds. */
const longestLifeMs = 30 * 86_400_000

/** @throws API-001 */
function refuseLife({ kernel: { clock } }: KillSwitchParts, { expiresAt }: Activation): void {
  if (expiresAt === null) return
  const left = Date.parse(expiresAt) - clock.now()
  if (left > 0 && left <= longestLifeMs) return
  const detail = 'This must lie in the next 30 days.'
  throw apiErrors.validation({ what: 'One field is not valid.' }).at([{ detail, pointer: '/expires_at' }])
}

/** Scopes whose approvals end with a hard switch. Calls of the whole platform are refused by the list itself. */
function approvalsOf({ level, scope, value }: KillSwitch): ApprovalSubject | null {
  if (level !== 'hard') return null
  if (scope === 'tenant') return { scope }
  const isOfApprovals = scope === 'agent' || scope === 'user' || scope === 'tool' || scope === 'mcp_server'
  return value !== null && (isOfApprovals || scope === 'agents_by_tag') ? { scope, value } : null
}

type AgentsBehind = Pick<ListedSwitch, 'agents'>

const agentsBehind = async (tx: Tx, row: KillSwitch): Promise<AgentsBehind> =>
  isOverAgents(row) ? { agents: await agentsOf(tx, row) } : {}

interface Storing {
  readonly row: KillSwitch
  readonly agents: AgentsBehind
  readonly notes: InstanceNotes
  /** The instance that enforces it already. */
  readonly by: string | null
}

async function store(
  parts: KillSwitchParts,
  tx: Tx,
  actor: Actor,
  { row, agents, notes, by }: Storing,
): Promise<KillSwitch> {
  const stored = { ...row, propagation: propagationOf(notes) }
  await create(tx, killSwitchResource, stored, { action: 'kill_switch.activate', reason: row.reason })
  await keepNotes(tx, stored.id, notes)
  await tx.announce(killSwitchTopic, stored.id, { active: { ...stored, ...agents }, by })
  await tx.emit(killSwitchActivated, stored.id, {
    ...killSwitchEvent(stored, actor.userId),
    activated_by: stored.activated_by,
    activated_at: stored.activated_at,
    expires_at: stored.expires_at,
  })
  const subject = approvalsOf(stored)
  if (subject !== null) await expireApprovalsOf(parts, tx, subject, 'kill switch')
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
