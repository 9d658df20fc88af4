/** Facts that other modules may read of the twin by name. Tested in attack-paths.test.ts. */
import Type, { type Static } from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'
import { latestAnalysis } from './analysis/read.ts'
import { fixControls, toxicRules } from './declared/analysis-schema.ts'
import { assetKinds } from './declared/words.ts'

const Count = Type.Integer({ minimum: 0 })
const mostListed = 200

const CrownJewel = strictObject({
  id: Uuid,
  name: Type.String({ maxLength: 300 }),
  kind: oneOf(...assetKinds),
  criticality: Type.Integer({ minimum: 1, maximum: 5 }),
  owner_id: nullable(Uuid),
})

export const assetsFact = defineFact({
  name: 'cybertwins.assets',
  description: 'Assets of the twin by state, those without an owner, and the crown jewels, the most critical first.',
  permission: 'cybertwins:read',
  schema: strictObject({
    ...{ total: Count, active: Count, stale: Count, entry_points: Count, without_owner: Count, relations: Count },
    crown_jewels: Type.Array(CrownJewel, { maxItems: mostListed }),
  }),
  read: async ({ tx }) => {
    const counted = await tx.first(sql<{
      total: number
      active: number
      stale: number
      entry_points: number
      without_owner: number
      relations: number
    }>`
      select count(*)::int as total, (count(*) filter (where status in ('active', 'discovered')))::int as active,
        (count(*) filter (where status = 'stale'))::int as stale, (count(*) filter (where entry_point))::int as entry_points,
        (count(*) filter (where owner_id is null))::int as without_owner,
        (select count(*) from cybertwins_relation)::int as relations
      from cybertwins_asset where status <> 'retired'`)
    const jewels = await tx.query(sql<Static<typeof CrownJewel>>`
      select id, name, kind, criticality, owner_id from cybertwins_asset
      where crown_jewel and status <> 'retired' order by criticality desc, id limit ${mostListed}`)
    const none = { total: 0, active: 0, stale: 0, entry_points: 0, without_owner: 0, relations: 0 }
    return { ...(counted ?? none), crown_jewels: [...jewels] }
  },
})

const Reached = strictObject({
  target_id: Uuid,
  name: Type.String({ maxLength: 300 }),
  probability: Type.Number({ minimum: 0, maximum: 1 }),
  low: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'With the interval of measured controls where there are any',
  }),
  high: Type.Number({ minimum: 0, maximum: 1 }),
})
const Proposed = strictObject({
  control: oneOf(...fixControls),
  asset_id: Uuid,
  asset: Type.String({ maxLength: 300 }),
})
const Dangerous = strictObject({
  rule: oneOf(...toxicRules),
  asset_id: Uuid,
  asset: Type.String({ maxLength: 300 }),
})

export const reachabilityFact = defineFact({
  name: 'cybertwins.reachability',
  description:
    'The newest completed analysis of the crown jewels: how probably each is reached, the two changes that lower it most, and toxic combinations. Null before the first one.',
  permission: 'cybertwins:read',
  schema: strictObject({
    analysis: nullable(
      strictObject({
        id: Uuid,
        finished_at: nullable(Timestamp),
        max_reach: nullable(Type.Number({ minimum: 0, maximum: 1 })),
        targets: Type.Array(Reached, { maxItems: 50 }),
        two_changes: Type.Array(Proposed, { maxItems: 2 }),
        reach_after: nullable(Type.Number({ minimum: 0 })),
        toxic: Type.Array(Dangerous, { maxItems: 100 }),
      }),
    ),
  }),
  read: async ({ tx }) => {
    const row = await latestAnalysis(tx)
    const result = row?.result ?? null
    if (row === null || result === null) return { analysis: null }
    return {
      analysis: {
        ...{ id: row.id, finished_at: row.finished_at, max_reach: row.max_reach },
        targets: result.reach.map(({ target, probability, interval, measured }) => ({
          ...{ target_id: target.id, name: target.name, probability, ...(measured ?? interval) },
        })),
        two_changes: (result.two_changes?.changes ?? []).map(({ control, asset }) => ({
          ...{ control, asset_id: asset.id, asset: asset.name },
        })),
        reach_after: result.two_changes?.reach_after ?? null,
        toxic: result.toxic.map(({ rule, asset }) => ({ rule, asset_id: asset.id, asset: asset.name })),
      },
    }
  },
})
