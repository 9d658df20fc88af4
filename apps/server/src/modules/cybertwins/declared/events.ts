import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { NodeRef, Step } from './analysis-schema.ts'
import { Share } from './asset-schema.ts'
import { ImportCounts } from './relation-schema.ts'
import { assetKinds, importFormats } from './words.ts'

const Duration = Type.Integer({ minimum: 0 })

export const assetChanged = defineEvent({
  channel: 'cybertwins.asset.changed',
  type: 'AssetChanged',
  summary: 'An asset of the twin was created, updated, retired, or not seen for too long.',
  schema: strictObject({
    asset_id: Uuid,
    kind: oneOf(...assetKinds),
    change: oneOf('created', 'updated', 'stale', 'retired'),
    source: Type.String({ maxLength: 63 }),
  }),
  retentionDays: 30,
})

export const importCompleted = defineEvent({
  channel: 'cybertwins.import.completed',
  type: 'ImportCompleted',
  summary: 'An import into the twin was stored.',
  schema: strictObject({ import_id: Uuid, format: oneOf(...importFormats), counts: ImportCounts }),
  retentionDays: 90,
})

export const analysisCompleted = defineEvent({
  channel: 'cybertwins.analysis.completed',
  type: 'AnalysisCompleted',
  summary: 'An analysis of attack paths was completed.',
  schema: strictObject({
    analysis_id: Uuid,
    graph_id: Uuid,
    scope: oneOf('crown_jewels', 'chosen'),
    targets: Type.Integer({ minimum: 0 }),
    worst_target: nullable(NodeRef),
    max_reach_probability: Share,
    previous: nullable(Share),
    choke_points: Type.Array(NodeRef, { maxItems: 3 }),
    toxic: Type.Integer({ minimum: 0 }),
    duration_ms: Duration,
  }),
  retentionDays: 365,
})

export const pathDiscovered = defineEvent({
  channel: 'cybertwins.path.discovered',
  type: 'PathDiscovered',
  summary: 'A new path to a crown jewel is more probable than the tenant’s threshold.',
  schema: strictObject({
    analysis_id: Uuid,
    target: NodeRef,
    probability: Share,
    steps: Type.Array(Step, { maxItems: 100 }),
    new_relation_ids: Type.Array(Uuid, { maxItems: 100 }),
    cause: strictObject({
      trigger: Type.String({ maxLength: 20 }),
      import_id: nullable(Uuid),
    }),
  }),
  retentionDays: 365,
})

export const campaignCompleted = defineEvent({
  channel: 'cybertwins.campaign.completed',
  type: 'CampaignCompleted',
  summary: 'A campaign ended: completed, failed or cancelled.',
  schema: strictObject({
    campaign_id: Uuid,
    status: oneOf('completed', 'failed', 'cancelled'),
    p_goal: nullable(Share),
    ttc_p50_hours: nullable(Type.Number({ minimum: 0 })),
    p_detected: nullable(Share),
    duration_ms: Duration,
  }),
  retentionDays: 90,
})
