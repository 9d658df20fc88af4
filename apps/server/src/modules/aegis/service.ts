import type { Actor } from '../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../kernel/db/port.ts'
import { anyVersion } from '../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Activity } from '../../kernel/lifecycle/activity.ts'
import { withToken } from '../../kernel/second-person/second-person.ts'
import type { IamApi } from '../iam/api.ts'
import { createAcknowledger } from './acknowledger.ts'
import { type Activation, activate, activateJoined } from './activate.ts'
import type { ActivityParts } from './activity/receive.ts'
import type { AgentParts } from './agents/parts.ts'
import { agentTopic } from './agents/tables.ts'
import { moveAgent } from './agents/transition.ts'
import type { AegisApi } from './api.ts'
import { errors } from './errors/errors.ts'
import { createGuardrails, type Guardrails } from './guardrails/live/guardrails.ts'
import { covers, createKillList, type KillList, type KillSubject, type ListedSwitch } from './kill-list.ts'
import {
  type Deactivation,
  deactivate,
  type KillSwitchParts,
  killSwitchTopic,
  listKillSwitches,
  readActive,
} from './kill-switches.ts'
import { createLease, type Lease } from './lease.ts'
import type { KillGate } from './mcp/proxy/services.ts'
import { acknowledge, awaitAcknowledged, type Enforced } from './propagation.ts'
import { createRuleCache, type RuleCache } from './rules/detection/cache.ts'
import type { KillSwitch } from './schemas.ts'

export interface AegisServices {
  readonly api: AegisApi
  readonly parts: KillSwitchParts
  readonly lease: Activity
  readonly agents: AgentParts
  readonly activity: ActivityParts
  readonly detection: RuleCache
  readonly knownPrincipals: IamApi['knownPrincipals']
  /** The kill list as the MCP firewall asks it. */
  readonly gate: KillGate
  readonly guardrails: Guardrails
}

export function createAegis(
  kernel: Kernel,
  iam: IamApi,
  neighbors: Pick<KillSwitchParts, 'countSecondPeople' | 'enforcedScopes' | 'killTargets'>,
): AegisServices {
  const list = createKillList()
  const parts: KillSwitchParts = { kernel, list, ...neighbors }
  const acknowledger = createAcknowledger((enforced) => acknowledge(kernel, enforced))
  const handIn = (enforced: readonly Enforced[]): void =>
    kernel.background('acknowledging kill switches', acknowledger.handIn(enforced))
  const reread = async (): Promise<boolean> => {
    const applied = await list.refresh(() => readActive(kernel))
    handIn(applied ?? [])
    return applied !== null
  }
  const lease = createLease({ kernel, reread })
  kernel.live.on(killSwitchTopic, (id, data) => {
    if (!isKillSwitch(data.active)) return list.lift(id)
    const killSwitch = data.active
    const aborted = list.apply(killSwitch)
    // The instance that activated it noted that in its transaction; one that enforced it before has handed that in.
    if (data.by !== kernel.node && aborted !== null) handIn([{ killSwitch, aborted }])
  })
  kernel.live.on(agentTopic, (_id, _data, tenantId) => {
    // Owners and tags of agents decide about some switches.
    if (list.namesAgents(tenantId)) kernel.background('kill list after a change of an agent', reread())
  })
  return {
    parts,
    lease,
    agents: { kernel, iam },
    activity: {
      kernel,
      isStopped: (actor, { tags }) =>
        !lease.fresh() || list.match(agentSubject(actor, tags), kernel.clock.now()) !== null,
    },
    gate: gateOf(kernel, list, lease.fresh),
    detection: createRuleCache(kernel),
    knownPrincipals: iam.knownPrincipals,
    guardrails: createGuardrails(kernel, { kernel, iam }),
    api: apiOf({ kernel, iam, list, lease, parts, reread }),
  }
}

interface ApiParts {
  readonly kernel: Kernel
  readonly iam: IamApi
  readonly list: KillList
  readonly lease: Lease
  readonly parts: KillSwitchParts
  readonly reread: () => Promise<boolean>
}

function apiOf({ kernel, iam, list, lease, parts, reread }: ApiParts): AegisApi {
  return {
    matchKillSwitch: (subject) => list.match(subject, kernel.clock.now()),
    matchKillSwitchOfRunning: (subject) => list.matchRunning(subject, kernel.clock.now()),
    killListFresh: lease.fresh,
    onActivation: list.onActivation,
    activate: (tx, actor, request) => activateJoined(parts, tx, actor, request),
    deactivate: (tx, actor, request) => deactivateJoined(parts, tx, actor, request),
    quarantineAgent: async (tx, actor, { id, comment }) => {
      const input = { transition: 'quarantine', comment } as const
      await moveAgent({ kernel, iam }, tx, { actor, id, precondition: anyVersion, input })
    },
    activateKillSwitch: async (scope, actor, request) =>
      known(kernel, await inOwnTransaction({ parts, reread, scope, actor }, request)),
    deactivateKillSwitch: (scope, actor, request) => endInOwnTransaction({ parts, scope, actor }, request),
    listKillSwitches,
  }
}

/** The kill list as calls of MCP tools ask it. */
function gateOf({ clock }: Pick<Kernel, 'clock'>, list: KillList, fresh: () => boolean): KillGate {
  return {
    fresh,
    isStopped: (subject) => list.match(subject, clock.now()) !== null,
    onHardSwitch: (listener) => {
      list.onActivation((killSwitch) =>
        killSwitch.level === 'hard' ? listener((subject) => covers(killSwitch, subject, clock.now())) : 0,
      )
    },
  }
}

/** An agent that reports: it calls no model and no tool. */
function agentSubject(actor: Actor, tags: readonly string[]): KillSubject {
  const { tenantId, tenantsAbove = [], userId, keyId, keyAncestors = [], agentId = null } = actor
  const nowhere = { provider: null, model: null, route: null }
  return { tenantId, tenantsAbove, userId, keyId, keyAncestors, agentId, agentTags: tags, ...nowhere }
}

function isKillSwitch(value: unknown): value is ListedSwitch {
  return typeof value === 'object' && value !== null && 'level' in value && 'scope' in value
}

/** Runs inside the same transaction as the change, for the caller's own event. */
export type AlongWith = (tx: Tx, killSwitch: KillSwitch) => Promise<void>

interface Caller {
  readonly parts: KillSwitchParts
  readonly scope: TenantScope
  readonly actor: Actor
}

async function inOwnTransaction(
  caller: Caller & { readonly reread: () => Promise<boolean> },
  request: Activation & { readonly also: AlongWith },
): Promise<KillSwitch> {
  const { parts, scope, actor, reread } = caller
  try {
    return await parts.kernel.db.tenant(scope, async (tx) => {
      const killSwitch = await activate(parts, tx, actor, request)
      await request.also(tx, killSwitch)
      return killSwitch
    })
  } catch (error) {
    // It may have been applied in memory before the transaction failed.
    parts.kernel.background('kill list after a failed activation', reread())
    throw error
  }
}

/** The switch is in force whatever comes now, so what cannot be read of its way to other instances is no failure. */
async function known(kernel: Kernel, killSwitch: KillSwitch): Promise<KillSwitch> {
  try {
    return await awaitAcknowledged(kernel, killSwitch)
  } catch (error) {
    kernel.log.warn({ err: error, killSwitch: killSwitch.id }, 'how far a kill switch got could not be read')
    return killSwitch
  }
}

/** A job never repeats its call, so acts of two people are refused. @throws API-013, AEGIS-002, AEGIS-009, AUTH-004 */
async function deactivateJoined(
  parts: KillSwitchParts,
  tx: Tx,
  actor: Actor,
  request: Pick<Deactivation, 'id' | 'reason'>,
): Promise<KillSwitch> {
  const call = { route: 'in a transaction', digest: request.id, token: null }
  const outcome = await deactivate(parts, tx, actor, { ...request, call, precondition: anyVersion })
  if (outcome.kind === 'ended') return outcome.killSwitch
  throw errors.secondPerson()
}

async function endInOwnTransaction(
  caller: Caller,
  request: Deactivation & { readonly also: AlongWith },
): Promise<KillSwitch> {
  const { parts, scope, actor } = caller
  const outcome = await parts.kernel.db.tenant(scope, async (tx) => {
    const result = await deactivate(parts, tx, actor, request)
    if (result.kind === 'ended') await request.also(tx, result.killSwitch)
    return result
  })
  if (outcome.kind === 'ended') return outcome.killSwitch
  throw withToken(errors.secondPerson(), outcome)
}
