/**
 * The kill list in memory: every active switch of every tenant, so that asking it costs no wait and no statement.
 * Promises that a switch counts here from the moment it is applied and that a missed change is mended by the next full
 * read; does not decide who may switch. Tested in kill-list.test.ts.
 */
import { isOfKeyFamily, type KeyFamily } from '../../kernel/access/actor.ts'
import { isDeniedModel } from '../../kernel/base/model-names.ts'
import type { KillSwitch } from './schemas.ts'

/** The caller of a call and its target; null for members that are not known or not used. */
export interface KillSubject extends KeyFamily {
  readonly tenantId: string
  /** Those above it: a switch of a whole tenant covers all below. */
  readonly tenantsAbove?: readonly { readonly id: string }[]
  readonly userId: string
  readonly agentId: string | null
  readonly provider: string | null
  readonly model: string | null
  readonly route: string | null
  /** Names of tools that the call may lead to; none when absent. */
  readonly tools?: readonly string[]
  /** Names of the MCP servers that it reaches; none when absent. */
  readonly mcpServers?: readonly string[]
  /** Tags of its agent; none when absent. */
  readonly agentTags?: readonly string[]
}

/** A switch as it is held against calls. */
export type ListedSwitch = KillSwitch & {
  /**
   * Ids of the agents behind a tag or a user, so that a call of theirs is stopped wherever it comes in: a subject tells of
   * the agent, and seldom of its tags and its owner. Absent for other scopes.
   */
  readonly agents?: readonly string[]
}

/** Called for each newly active switch; answers how many running calls it aborted. */
export type ActivationListener = (killSwitch: ListedSwitch) => number

export interface Applied {
  readonly killSwitch: ListedSwitch
  /** Running calls it ended. */
  readonly aborted: number
}

export interface KillList {
  /** The first active switch that covers the subject. */
  match(subject: KillSubject, nowMs: number): ListedSwitch | null
  /** The first one that calls which began before it are held to as well. */
  matchRunning(subject: KillSubject, nowMs: number): ListedSwitch | null
  /** Enforces from now on; answers the number of running calls aborted, or null when it was enforced already. */
  apply(killSwitch: ListedSwitch): number | null
  lift(id: string): void
  /**
   * Replaces the held list by the stored one; reads again when something changed meanwhile. Returns the newly enforced
   * switches, or null when the list changed with every read and nothing was replaced.
   */
  refresh(read: () => Promise<readonly ListedSwitch[]>): Promise<readonly Applied[] | null>
  onActivation(listener: ActivationListener): () => void
  /** Whether a switch of the tenant depends on tags or owners of its agents. */
  namesAgents(tenantId: string): boolean
}

/** Reads of one refresh before it gives up. */
const maxReads = 5

export function createKillList(): KillList {
  const active = new Map<string, ListedSwitch>()
  const listeners = new Set<ActivationListener>()
  let changes = 0

  const enforce = (killSwitch: ListedSwitch): number => {
    active.set(killSwitch.id, killSwitch)
    changes += 1
    let aborted = 0
    for (const listener of listeners) aborted += listener(killSwitch)
    return aborted
  }

  const replace = (stored: readonly ListedSwitch[]): readonly Applied[] => {
    const ids = new Set(stored.map((killSwitch) => killSwitch.id))
    for (const id of active.keys()) if (!ids.has(id)) active.delete(id)
    const fresh = stored.filter(({ id }) => !active.has(id))
    // Its agents may be others by now.
    for (const killSwitch of stored) if (active.has(killSwitch.id)) active.set(killSwitch.id, killSwitch)
    return fresh.map((killSwitch) => ({ killSwitch, aborted: enforce(killSwitch) }))
  }

  const first = (fits: (killSwitch: ListedSwitch) => boolean): ListedSwitch | null => {
    for (const killSwitch of active.values()) if (fits(killSwitch)) return killSwitch
    return null
  }

  return {
    match: (subject, nowMs) => first((killSwitch) => covers(killSwitch, subject, nowMs)),
    matchRunning: (subject, nowMs) =>
      first((killSwitch) => killSwitch.level === 'hard' && covers(killSwitch, subject, nowMs)),
    apply: (killSwitch) => (active.has(killSwitch.id) ? null : enforce(killSwitch)),
    lift: (id) => {
      changes += 1
      active.delete(id)
    },
    refresh: async (read) => {
      // A read that began before a change would undo it.
      for (let tries = 0; tries < maxReads; tries += 1) {
        const before = changes
        const stored = await read()
        if (before === changes) return replace(stored)
      }
      return null
    },
    onActivation: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    namesAgents: (tenantId) =>
      first(({ tenant_id, agents }) => tenant_id === tenantId && agents !== undefined) !== null,
  }
}

/** Whether a switch stops this subject now: its scope and value fit, it has not expired and nobody is exempt. */
export function covers(killSwitch: ListedSwitch, subject: KillSubject, nowMs: number): boolean {
  if (killSwitch.scope !== 'platform' && !reachesTenant(killSwitch, subject)) return false
  if (killSwitch.expires_at !== null && Date.parse(killSwitch.expires_at) <= nowMs) return false
  const { exempt } = killSwitch
  if (exempt.includes(subject.userId) || (subject.keyId !== null && exempt.includes(subject.keyId))) return false
  return inScope(killSwitch, subject)
}

function reachesTenant({ scope, tenant_id: id }: KillSwitch, { tenantId, tenantsAbove = [] }: KillSubject): boolean {
  return id === tenantId || (scope === 'tenant' && tenantsAbove.some((above) => above.id === id))
}

function inScope({ scope, value, agents }: ListedSwitch, subject: KillSubject): boolean {
  switch (scope) {
    case 'platform':
    case 'tenant':
      return true
    case 'provider':
      return value?.toLowerCase() === subject.provider?.toLowerCase()
    case 'model':
      return isDeniedModel(value, subject.model) || isDeniedModel(value, `${subject.provider}/${subject.model}`)
    case 'agent':
      return value === subject.agentId
    case 'user':
      return value === subject.userId || isAmong(subject.agentId, agents)
    case 'key':
      return value !== null && isOfKeyFamily(value, subject)
    case 'route':
      return value?.toLowerCase() === subject.route?.toLowerCase()
    case 'tool':
      return isAmong(value, subject.tools)
    case 'mcp_server':
      return isAmong(value, subject.mcpServers)
    case 'agents_by_tag':
      return isAmong(value, subject.agentTags) || isAmong(subject.agentId, agents)
    default:
      return scope satisfies never
  }
}

function isAmong(value: string | null, names: readonly string[] = []): boolean {
  return value !== null && names.includes(value)
}
