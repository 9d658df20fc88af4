/** Reads the inputs of the posture, a statement or two for each component. Tested in posture.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { IamApi } from '../../iam/api.ts'
import { alertSla, watchedUntil } from '../alerts/signals.ts'
import { readCoverage } from '../guardrails/coverage/coverage.ts'
import { readHygiene } from '../mcp/hygiene/hygiene.ts'
import type { AgentTier, PostureInputs } from './posture-score.ts'

const dayMs = 86_400_000
const windowDays = 30
const credentialDays = 90

/** Queries of the posture about the owners and credentials of agents. */
export type PostureDirectory = Pick<IamApi, 'knownPrincipals' | 'ownersOfOldKeys'>

/** @param at Unix milliseconds */
export async function readInputs(directory: PostureDirectory, tx: Tx, at: number): Promise<PostureInputs> {
  return {
    agents: await agentTiers(directory, tx, at),
    response: await alertResponse(tx, at),
    threats: await threatPressure(tx, at),
    shadowAi: await shadowAiUse(tx, at),
    guardrails: (await readCoverage(tx)).pairs,
    mcp: await readHygiene(tx),
    killSwitchActive: await isSwitchedOff(tx, at),
  }
}

const iso = (at: number): string => new Date(at).toISOString()

interface AgentInUse {
  readonly id: string
  readonly tier: number
  readonly owner: string
  readonly reviewed: boolean
}

async function agentTiers(directory: PostureDirectory, tx: Tx, at: number): Promise<PostureInputs['agents']> {
  const agents = await tx.query(sql<AgentInUse>`
    select id, risk_tier as tier, owner_user_id as owner, coalesce(next_review_at > ${iso(at)}, true) as reviewed
    from aegis_agent where status in ('active', 'quarantined')`)
  if (agents.length === 0) return null
  const owners = await directory.knownPrincipals(tx, { users: agents.map(({ owner }) => owner), keys: [] })
  const old = await directory.ownersOfOldKeys(tx, {
    owners: agents.map(({ id }) => id),
    before: iso(at - credentialDays * dayMs),
    now: iso(at),
  })
  const tiers = new Map<number, AgentTier>()
  for (const { id, tier, owner, reviewed } of agents) {
    const sums = tiers.get(tier) ?? { tier, agents: 0, owned: 0, reviewed: 0, fresh: 0 }
    tiers.set(tier, {
      tier,
      agents: sums.agents + 1,
      owned: sums.owned + Number(owners.has(owner)),
      reviewed: sums.reviewed + Number(reviewed),
      fresh: sums.fresh + Number(!old.has(id)),
    })
  }
  return [...tiers.values()].toSorted((one, other) => one.tier - other.tier)
}

async function alertResponse(tx: Tx, at: number): Promise<PostureInputs['response']> {
  const { good, n } = await alertSla(tx, iso(at))
  return good === null || n === null ? null : { alerts: n, inTime: good }
}

/** Null until the rules have looked at an event. */
async function threatPressure(tx: Tx, at: number): Promise<PostureInputs['threats']> {
  if ((await watchedUntil(tx)) === null) return null
  return tx.first(sql<NonNullable<PostureInputs['threats']>>`
    select count(*)::int as unresolved, (count(*) filter (where severity = 'critical'))::int as critical,
      coalesce(sum(
        case severity when 'critical' then 10 when 'high' then 5 when 'medium' then 2 when 'low' then 0.5 else 0 end
        * power(2.0::float8, -greatest(0, extract(epoch from ${iso(at)}::timestamptz - created_at))::float8 / 604800)
      ), 0)::float8 as pressure
    from aegis_alert where status in ('new', 'triaged', 'in_progress')`)
}

async function shadowAiUse(tx: Tx, at: number): Promise<PostureInputs['shadowAi']> {
  const today = Math.floor(at / dayMs)
  return tx.first(sql<NonNullable<PostureInputs['shadowAi']>>`
    select coalesce(sum(used.requests), 0)::bigint as requests,
      coalesce(sum(used.requests) filter (where service.status = 'sanctioned'
        or (service.status = 'tolerated' and service.tolerated_until > ${iso(at)})), 0)::bigint as approved,
      coalesce(sum(used.requests) filter (where service.status = 'banned'), 0)::bigint as banned
    from aegis_shadow_ai_use used join aegis_shadow_ai_service service on service.id = used.service_id
    where used.day > ${today - windowDays} and used.day <= ${today}`)
}

/** A switch of the whole platform stands in the operators' tenant; those of the tenant are counted here. */
async function isSwitchedOff(tx: Tx, at: number): Promise<boolean> {
  const row = await tx.first(sql<{ active: boolean }>`
    select exists (
      select from aegis_kill_switch
      where status = 'active' and scope in ('tenant', 'platform') and (expires_at is null or expires_at > ${iso(at)})
    ) as active`)
  return row?.active ?? false
}
