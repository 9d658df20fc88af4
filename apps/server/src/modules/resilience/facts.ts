/** Facts of resilience that other modules read by name. Tested in model.test.ts and experiments.test.ts. */
import Type, { type Static } from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { nullable, oneOf, Slug, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'
import { experimentVerdicts } from './declared/experiment-schema.ts'
import { verdicts } from './declared/words.ts'

const Minutes = nullable(Type.Number({ minimum: 0 }))
const most = 500

const Objective = strictObject({
  service: Slug,
  criticality: Type.Integer({ minimum: 1, maximum: 5 }),
  rto_minutes: Minutes,
  rto_p95_minutes: Minutes,
  rpo_minutes: Minutes,
  rpo_p95_minutes: Minutes,
  verdict: oneOf(...verdicts),
  single_point: Type.Boolean(),
})

export const objectivesFact = defineFact({
  name: 'resilience.objectives',
  description:
    'Services of the model with their recovery objectives, the 95 % quantiles of the best evidence, and verdicts.',
  permission: 'resilience:read',
  schema: strictObject({ services: Type.Array(Objective, { maxItems: most }) }),
  read: async ({ tx }) => {
    const rows = await tx.query(sql<Static<typeof Objective>>`
      select key as service, criticality, verdict, single_point,
        (rto ->> 'objective_minutes')::float8 as rto_minutes, (rto #>> '{best,p95}')::float8 as rto_p95_minutes,
        (rpo ->> 'objective_minutes')::float8 as rpo_minutes, (rpo #>> '{best,p95}')::float8 as rpo_p95_minutes
      from resilience_service order by criticality desc, key limit ${most}`)
    return { services: [...rows] }
  },
})

const Ended = strictObject({
  id: Uuid,
  scenario_id: Uuid,
  status: oneOf('completed', 'failed', 'aborted'),
  verdict: nullable(oneOf(...experimentVerdicts)),
  affected_calls: Type.Integer({ minimum: 0 }),
  finished_at: Timestamp,
})

export const experimentsFact = defineFact({
  name: 'resilience.experiments',
  description: 'Chaos experiments that ended in the last year, the newest first: evidence that recovery was tested.',
  permission: 'resilience:read',
  schema: strictObject({ experiments: Type.Array(Ended, { maxItems: most }) }),
  read: async ({ tx, at }) => {
    const rows = await tx.query(sql<Static<typeof Ended>>`
      select id, scenario_id, status, verdict, affected_calls, finished_at from resilience_experiment
      where mode = 'automated' and scope = 'live' and status in ('completed', 'failed', 'aborted')
        and finished_at > ${at}::timestamptz - interval '365 days'
      order by finished_at desc, id desc limit ${most}`)
    return { experiments: [...rows] }
  },
})
