import Type, { type Static } from 'typebox'
import { sql } from '../../../../kernel/db/sql.ts'
import { defineFact } from '../../../../kernel/facts/define.ts'
import { strictObject } from '../../../../kernel/schema/types.ts'
import { GuardrailRow } from '../declared/schema.ts'
import { readCoverage } from './coverage.ts'

const Count = Type.Integer({ minimum: 0 })
const mostListed = 500
const { id, name, kind, action, status, rollout_percent, live_version, rolled_out_at, tags } = GuardrailRow.properties

const ListedGuardrail = strictObject({
  ...{ id, name, kind, action, status, rollout_percent, live_version, rolled_out_at, tags },
})

interface Counted {
  readonly total: number
  readonly monitored: number
  readonly enforced: number
  readonly enforced_in_part: number
}

export const guardrailsFact = defineFact({
  name: 'aegis.guardrails',
  description:
    'Guardrails that are not archived, by state, the newest first, and how many of the active agents and of the tools they use stand under an enforced one.',
  permission: 'aegis:read',
  schema: strictObject({
    ...{ total: Count, monitored: Count, enforced: Count, enforced_in_part: Count },
    ...{ agents: Count, agents_covered: Count, tools_used: Count, tools_covered: Count },
    guardrails: Type.Array(ListedGuardrail, { maxItems: mostListed }),
  }),
  read: async ({ tx }) => {
    const counted = await tx.first(sql<Counted>`
      select count(*)::int as total, (count(*) filter (where status = 'monitor'))::int as monitored,
        (count(*) filter (where status = 'enforce'))::int as enforced,
        (count(*) filter (where status = 'enforce' and rollout_percent < 100))::int as enforced_in_part
      from aegis_guardrail where status <> 'archived'`)
    const listed = await tx.query(sql<Static<typeof ListedGuardrail>>`
      select id, name, kind, action, status, rollout_percent, live_version, rolled_out_at, tags
      from aegis_guardrail where status <> 'archived' order by created_at desc, id desc limit ${mostListed}`)
    const { agents, covered, pairs } = await readCoverage(tx)
    return {
      ...(counted ?? { total: 0, monitored: 0, enforced: 0, enforced_in_part: 0 }),
      ...{ agents, agents_covered: covered },
      tools_used: pairs.reduce((sum, pair) => sum + pair.pairs, 0),
      tools_covered: pairs.reduce((sum, pair) => sum + pair.covered, 0),
      guardrails: [...listed],
    }
  },
})
