/** The moves of an agent through its life. Tested in agents.test.ts and states.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Versioned } from '../../../kernel/module/route.ts'
import { type Changes, change, type Held, hold, holdAll } from '../../../kernel/resource/resource.ts'
import { isPerson, needOtherPerson } from '../../../kernel/second-person/people.ts'
import { errors } from '../errors/errors.ts'
import { declarationOf, rate } from './declaration.ts'
import { agentStatusChanged } from './events.ts'
import type { AgentParts } from './parts.ts'
import { reviewDays, type Tier } from './risk-tier.ts'
import type { Agent, AgentRow, AgentTransition, Review } from './schema.ts'
import { type AgentState, stateAfter, type Transition } from './states.ts'
import { agentResource } from './tables.ts'
import { hasDrift, versionedAgent } from './view.ts'

export interface Move {
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
  readonly input: AgentTransition
}

interface Asked {
  readonly parts: AgentParts
  readonly tx: Tx
  readonly actor: Actor
  readonly comment: string | null
}

type Rule = (asked: Asked, row: AgentRow) => Changes<AgentRow> | Promise<Changes<AgentRow>>

const dayMs = 86_400_000

const rules: Readonly<Record<Transition, Rule>> = {
  submit: ({ parts, actor }, row) => ({ review: row.review ?? newReview(parts, row, actor.userId) }),
  approve: approved,
  reject: (asked, row) => {
    needReview(row, 'reject')
    needApprover(asked.actor, row)
    return { review: null }
  },
  activate: () => ({}),
  // Its hours without activity are nothing to learn from.
  quarantine: () => ({ scored_until: null }),
  release: ({ actor }, row) => {
    needApprover(actor, row)
    return {}
  },
  retire: () => ({ review: null, next_review_at: null, scored_until: null }),
}

/** State of the service account in each state of the agent that changes it. */
const accountStates: Readonly<Partial<Record<AgentState, 'active' | 'suspended' | 'deactivated'>>> = {
  active: 'active',
  quarantined: 'suspended',
  retired: 'deactivated',
}

/**
 * Moves an agent. Of two approvals that tier 4 takes, the first leaves it in review.
 * @throws API-012, API-013, AEGIS-002, AEGIS-009
 */
export async function moveAgent(
  parts: AgentParts,
  tx: Tx,
  { actor, input, ...wanted }: Move,
): Promise<Versioned<Agent>> {
  const held = await hold(tx, agentResource, wanted)
  const { row } = held
  const to = stateAfter(row.status, input.transition)
  if (to === null) throw errors.illegalMove({ what: 'agent', status: row.status, to: input.transition })
  const comment = input.comment ?? null
  const changes = await rules[input.transition]({ parts, tx, actor, comment }, row)
  const waits = input.transition === 'approve' && changes.review !== null
  const after = await apply(parts, tx, { held, changes, to: waits ? row.status : to, reason: comment })
  await follow(parts, tx, { before: row, after, by: actor.userId, reason: comment })
  return versionedAgent(after)
}

/** Quarantines an active agent on behalf of a guardrail or a kill switch; one in another state stays in it. Answers whether it was moved. */
export async function quarantineAgent(
  parts: AgentParts,
  tx: Tx,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<boolean> {
  const [held] = await holdAll(tx, agentResource, { where: sql`id = ${id} and status = 'active'`, limit: 1 })
  if (held === undefined) return false
  const after = await apply(parts, tx, { held, changes: { scored_until: null }, to: 'quarantined', reason })
  await follow(parts, tx, { before: held.row, after, by: null, reason })
  return true
}

interface Applied {
  readonly held: Held<AgentRow>
  readonly changes: Changes<AgentRow>
  readonly to: AgentState
  readonly reason: string | null
}

function apply({ kernel }: AgentParts, tx: Tx, { held, changes, to, reason }: Applied): Promise<AgentRow> {
  return change(kernel, tx, held, {
    action: 'aegis.agent.change',
    changes: { ...changes, status: to, status_reason: to === held.row.status ? undefined : reason },
    ...(reason === null ? {} : { reason }),
  })
}

interface Moved {
  readonly before: AgentRow
  readonly after: AgentRow
  /** Null for a guardrail or a kill switch. */
  readonly by: string | null
  readonly reason: string | null
}

async function follow({ iam }: AgentParts, tx: Tx, { before, after, by, reason }: Moved): Promise<void> {
  if (before.status === after.status) return
  const account = accountStates[after.status]
  if (account !== undefined)
    await iam.moveAgentAccount(tx, { id: after.id, to: account, by, reason: reason ?? `agent ${after.status}` })
  // Keys end with every state of the account but `active`; bindings of outside tokens would wait for its return.
  if (after.status === 'retired') await iam.endAgentCredentials(tx, { agentId: after.id, by, reason: 'agent retired' })
  await tx.emit(agentStatusChanged, after.id, {
    ...{ agent_id: after.id, agent_name: after.name, risk_tier: after.risk_tier },
    ...{ from: before.status, to: after.status, by, reason },
  })
}

function newReview({ kernel }: AgentParts, row: AgentRow, by: string): Review {
  const { risk_score, risk_tier } = row
  return {
    ...{ declaration: declarationOf(row), risk_score, risk_tier },
    ...{ submitted_by: by, submitted_at: kernel.clock.iso(), approvals: [] },
  }
}

async function approved({ parts, tx, actor, comment }: Asked, row: AgentRow): Promise<Changes<AgentRow>> {
  const review = needReview(row, 'approve')
  needApprover(actor, row)
  const approvals = [...review.approvals, { by: actor.userId, at: parts.kernel.clock.iso(), comment }]
  if (approvals.length < approvalsNeeded(row)) return { review: { ...review, approvals } }
  const { declaration } = review
  const rated = rate(declaration, { callsPerDay: row.calls_per_day, raisedTier: row.raised_tier })
  return {
    ...declaration,
    ...rated,
    review: null,
    has_drift: await hasDrift(tx, { ...row, ...declaration }),
    approved_at: parts.kernel.clock.iso(),
    next_review_at: new Date(parts.kernel.clock.now() + reviewDays[rated.risk_tier] * dayMs).toISOString(),
  }
}

/** @throws AEGIS-002 where nothing waits for a decision */
function needReview(row: AgentRow, transition: Transition): Review {
  if (row.review === null)
    throw errors.illegalMove({ what: 'agent', status: `${row.status} without a change in review`, to: transition })
  return row.review
}

const tierInQuestion = ({ risk_tier, review }: AgentRow): Tier => Math.max(risk_tier, review?.risk_tier ?? 1) as Tier

const approvalsNeeded = (row: AgentRow): number => (tierInQuestion(row) === 4 ? 2 : 1)

/**
 * An approver is a person, not the owner, and not one who submitted or approved the same declaration; from tier 3 on with
 * `aegis:admin`. @throws AEGIS-009
 */
function needApprover(actor: Actor, row: AgentRow): void {
  const refuse = (what: string) => errors.secondPerson({ what })
  if (!isPerson(actor)) throw refuse('Agents are approved and released by people.')
  if (actor.userId === row.owner_user_id) throw refuse('The owner of an agent cannot approve or release it.')
  if (tierInQuestion(row) >= 3 && !holds(actor.permissions, 'aegis:admin'))
    throw refuse('An agent of tier 3 or 4 is approved and released with the permission aegis:admin.')
  if (row.review === null) return
  const { submitted_by, submitted_at, approvals } = row.review
  const decided = [{ by: submitted_by, at: submitted_at }, ...approvals]
  for (const { by, at } of decided)
    needOtherPerson({ by, atMs: Date.parse(at) }, actor, () =>
      refuse('Another person decides than the one who submitted the agent or approved it before.'),
    )
}
