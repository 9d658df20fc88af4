/** Changes of an agent's declaration. Tested in agents.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Versioned } from '../../../kernel/module/route.ts'
import { type Changes, change, hold } from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import { withAccepted } from './accept.ts'
import { declarationOf, rate, touchesReviewed } from './declaration.ts'
import { agentStatusChanged } from './events.ts'
import type { AgentParts } from './parts.ts'
import { refuseUnknownPeople } from './people.ts'
import { type Agent, type AgentRow, type Declaration, type PatchAgent, reviewed } from './schema.ts'
import { keepsApproved } from './states.ts'
import { agentResource } from './tables.ts'
import { hasDrift, versionedAgent } from './view.ts'

export interface Change {
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
  readonly input: PatchAgent
}

/**
 * Changes an agent. A change of reviewed members sends an approved agent back to review; of one that works it waits for
 * its approval beside the approved declaration. @throws API-001, API-012, API-013, AEGIS-002
 */
export async function changeAgent(parts: AgentParts, tx: Tx, asked: Change): Promise<Versioned<Agent>> {
  const held = await hold(tx, agentResource, asked)
  const { row } = held
  const { risk_tier: tier, accept_drift: accepted = [], ...input } = asked.input
  if (row.status === 'retired') throw errors.illegalMove({ what: 'agent', status: 'retired' })
  await refuseUnknownPeople(parts, tx, input)
  const { declared, rest } = parted(input)
  const before = row.review?.declaration ?? row
  const given = { ...declarationOf(before), ...declared }
  const wanted = await withAccepted(tx, { agentId: row.id, declaration: given, accepted })
  const moved = touchesReviewed(before, wanted)
    ? reviewAfter(parts, row, { declaration: wanted, by: asked.actor.userId })
    : {}
  const rated = rerated({ ...row, ...moved }, tier)
  const changes = { ...rest, ...moved, ...rated }
  const has_drift = await hasDrift(tx, { ...row, ...moved })
  const after = await change(parts.kernel, tx, held, {
    action: 'aegis.agent.update',
    changes: { ...changes, has_drift },
  })
  await announceReturn(tx, { before: row, after, by: asked.actor.userId })
  return versionedAgent(after)
}

type Input = Omit<PatchAgent, 'risk_tier' | 'accept_drift'>

function parted(input: Input): { readonly declared: Partial<Declaration>; readonly rest: Changes<AgentRow> } {
  const entries = Object.entries(input)
  const declared = entries.filter(([name]) => Object.hasOwn(reviewed, name))
  const rest = entries.filter(([name]) => !Object.hasOwn(reviewed, name))
  return { declared: Object.fromEntries(declared), rest: Object.fromEntries(rest) }
}

type Reviewable = Declaration & Pick<AgentRow, 'review' | 'status'>

interface Wanted {
  readonly declaration: Declaration
  readonly by: string
}

/** Destination of the new declaration: the agent, its review, or beside the approved one. */
function reviewAfter({ kernel }: AgentParts, row: AgentRow, { declaration, by }: Wanted): Partial<Reviewable> {
  if (row.status === 'draft') return declaration
  const rated = rate(declaration, { callsPerDay: row.calls_per_day, raisedTier: row.raised_tier })
  const review = {
    declaration,
    risk_score: rated.risk_score,
    risk_tier: rated.risk_tier,
    submitted_by: by,
    submitted_at: kernel.clock.iso(),
    approvals: [],
  }
  return keepsApproved(row.status) ? { review } : { ...declaration, review, status: 'in_review' }
}

/** @throws API-001 for a tier below the computed one */
function rerated(row: AgentRow, tier: number | null | undefined): Changes<AgentRow> {
  const raisedTier = tier === undefined ? row.raised_tier : tier
  const rated = rate(row, { callsPerDay: row.calls_per_day, raisedTier })
  if (tier !== undefined && tier !== null && tier < rated.computed_tier) {
    const detail = `The computed tier is ${rated.computed_tier}. A tier can be raised and not lowered below that.`
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/risk_tier' }])
  }
  return { ...rated, raised_tier: raisedTier }
}

async function announceReturn(
  tx: Tx,
  { before, after, by }: { readonly before: AgentRow; readonly after: AgentRow; readonly by: string },
): Promise<void> {
  if (before.status === after.status) return
  await tx.emit(agentStatusChanged, after.id, {
    agent_id: after.id,
    agent_name: after.name,
    risk_tier: after.risk_tier,
    from: before.status,
    to: after.status,
    by,
    reason: 'The declaration was changed.',
  })
}
