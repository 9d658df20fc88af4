/** Facts of this module that its checks and other modules may read by name. Tested in signals.test.ts. */
import Type, { type Static } from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'
import { type Tier, tiers } from './ai-act/schema.ts'
import type { CheckRow } from './declared/check-schema.ts'
import { checkStates } from './declared/check-table.ts'
import { outcomes, severities } from './scoring/words.ts'

const Count = Type.Integer({ minimum: 0 })

const EvidenceCounts = strictObject({
  linked: Type.Integer({ minimum: 0, description: 'Evidence that people linked to controls' }),
  linked_recount: Type.Integer({ minimum: 0, description: 'The same, counted by the links' }),
  expired: Type.Integer({ minimum: 0, description: 'Of these, past its validity' }),
  check_runs: Type.Integer({ minimum: 0, description: 'Newest runs of checks' }),
})

export const evidenceFact = defineFact({
  name: 'compliance.evidence',
  description: 'Evidence that supports controls, and how much of it has expired.',
  permission: 'compliance:read',
  schema: EvidenceCounts,
  read: async ({ tx, at }) =>
    (await tx.first(sql<Static<typeof EvidenceCounts>>`
      select (select count(*) from compliance_check)::int as check_runs, count(*)::int as linked,
        (select count(distinct claim.evidence_id) from compliance_claim claim
          join compliance_evidence one on one.id = claim.evidence_id where one.status <> 'superseded')::int as linked_recount,
        count(*) filter (where held.valid_until < ${at})::int as expired
      from compliance_evidence held
      where held.status <> 'superseded'
        and exists (select from compliance_claim claim where claim.evidence_id = held.id)`)) ?? {
      ...{ linked: 0, linked_recount: 0, expired: 0, check_runs: 0 },
    },
})

export const checksFact = defineFact({
  name: 'compliance.checks',
  description: 'Automatic checks with the outcome of their newest runs.',
  permission: 'compliance:read',
  schema: strictObject({
    checks: Type.Array(
      strictObject({
        id: Type.String({ maxLength: 100 }),
        outcome: oneOf(...outcomes),
        severity: oneOf(...severities),
        population: Count,
        failed: Count,
        run_at: Timestamp,
        first_failed_at: nullable(Timestamp),
        evidence_id: nullable(Uuid),
      }),
      { maxItems: 100 },
    ),
  }),
  read: async ({ tx }) => {
    const rows = await tx.query(
      sql<CheckRow>`select ${checkStates.columns} from compliance_check order by id limit 100`,
    )
    return {
      checks: rows.map(({ tenant_id: _tenant, due_at: _due, ...shown }) => shown),
    }
  },
})

const mostClassifications = 500

export const classificationsFact = defineFact({
  name: 'compliance.classifications',
  description: 'Agents with a completed classification under the EU AI Act, the newest first.',
  permission: 'compliance:read',
  schema: strictObject({
    classifications: Type.Array(
      strictObject({
        agent_id: Type.String({ maxLength: 100 }),
        tiers: Type.Array(oneOf(...tiers)),
        completed_at: Timestamp,
        assessment_id: Uuid,
        agent_sha256: nullable(
          Type.String({ maxLength: 64, description: 'Of the registration of the agent as it was classified' }),
        ),
      }),
      { maxItems: mostClassifications },
    ),
  }),
  read: async ({ tx }) => {
    const rows = await tx.query(sql<{
      agent_id: string
      tiers: Tier[]
      completed_at: string
      assessment_id: string
      agent_sha256: string | null
    }>`
      select agent_id, classification -> 'tiers' as tiers, completed_at, id as assessment_id, agent_sha256 from compliance_assessment
      where status = 'completed' and type = 'ai_act_classification' and agent_id is not null
      order by completed_at desc, id desc limit ${mostClassifications}`)
    return { classifications: [...rows] }
  },
})
