/** Analyses of attack paths as they are asked for, stored and shown. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Share } from './asset-schema.ts'
import { assetKinds, attackerProfiles, relationKinds, runStatuses } from './words.ts'

export const Seed = Type.String({ pattern: '^\\d{1,19}$', maxLength: 19, description: 'Whole number below 10^19' })

const WhatIf = strictObject({
  op: oneOf('remove_asset', 'harden_asset', 'harden_relation', 'add_relation', 'guardrail'),
  asset_id: Type.Optional(Uuid),
  source_id: Type.Optional(Uuid),
  target_id: Type.Optional(Uuid),
  kind: Type.Optional(oneOf(...relationKinds)),
  probability: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Of `harden_relation` and `add_relation`: its new probability',
    }),
  ),
  factor: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Of `harden_asset`: factor on all steps into it' }),
  ),
  efficacy: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Of `guardrail`: share of injections that it stops' }),
  ),
})
export type WhatIf = Static<typeof WhatIf>

export const orders = ['probability', 'effort', 'steps'] as const

export const NewAnalysis = strictObject({
  graph_id: Type.Optional(Uuid),
  source_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 1000 })),
  target_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 50 })),
  profile: Type.Optional(oneOf(...attackerProfiles)),
  horizon_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
  k: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Paths to each target; default 10' })),
  order_by: Type.Optional(oneOf(...orders)),
  max_overlap: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Largest share of a path that an earlier one may contain' }),
  ),
  costs: Type.Optional(
    Type.Array(
      strictObject({
        asset_id: Uuid,
        cost: Type.Number({ minimum: 0, maximum: 1_000_000_000, description: 'Of isolating the asset; default 1' }),
      }),
      { maxItems: 1000 },
    ),
  ),
  budget: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1_000_000_000, description: 'Also chooses the best changes within it' }),
  ),
  blast_radius_of: Type.Optional(Uuid),
  what_if: Type.Optional(Type.Array(WhatIf, { maxItems: 20 })),
  worlds: Type.Optional(Type.Integer({ minimum: 1024, maximum: 1_000_000, description: 'Simulated where not exact' })),
  seed: Type.Optional(Seed),
  cancel: Type.Optional(Uuid),
})
export type NewAnalysis = Static<typeof NewAnalysis>

/** Inputs with their defaults. */
export const AnalysisInputs = strictObject({
  source_ids: nullable(Type.Array(Uuid)),
  target_ids: nullable(Type.Array(Uuid)),
  profile: oneOf(...attackerProfiles),
  horizon_days: Type.Integer(),
  k: Type.Integer(),
  order_by: oneOf(...orders),
  max_overlap: nullable(Share),
  costs: Type.Array(strictObject({ asset_id: Uuid, cost: Type.Number() })),
  budget: nullable(Type.Number()),
  blast_radius_of: nullable(Uuid),
  what_if: Type.Array(WhatIf),
  worlds: Type.Integer(),
})
export type AnalysisInputs = Static<typeof AnalysisInputs>

export const NodeRef = strictObject({ id: Uuid, name: Type.String(), kind: oneOf(...assetKinds) })
export type NodeRef = Static<typeof NodeRef>
const Interval = strictObject({ low: Share, high: Share })

export const Step = strictObject({
  from: NodeRef,
  to: NodeRef,
  relation_id: Uuid,
  kind: oneOf(...relationKinds),
  technique: Type.String(),
  probability: Share,
  interval: Interval,
  basis: oneOf('override', 'vulnerabilities', 'measured', 'default'),
  hours: Type.Number(),
})
export type Step = Static<typeof Step>

const Path = strictObject({
  target: NodeRef,
  probability: Share,
  hours: Type.Number(),
  steps: Type.Array(Step),
  together: Type.Boolean({ description: 'Crosses relations that count only together; the others are not listed' }),
})
export type AttackPath = Static<typeof Path>

export const Reach = strictObject({
  target: NodeRef,
  probability: Share,
  method: oneOf('exact', 'simulated'),
  interval: Interval,
  measured: nullable(
    strictObject(
      { low: Share, high: Share },
      {
        description: 'With the ends of the 95 % intervals of measured controls; null where none was measured',
      },
    ),
  ),
})
export type Reach = Static<typeof Reach>

const Choke = strictObject({
  node: NodeRef,
  on_every_path: Type.Boolean(),
  reach_without: Share,
  loss: Type.Number({ description: 'Reach probability that is lost without it' }),
  path_share: Type.Number({ description: 'Share of the probability of the listed paths that runs through it' }),
})
export type Choke = Static<typeof Choke>

export const fixControls = [
  ...['injection_guardrail', 'tool_approval', 'least_privilege', 'egress_allowlist', 'patch', 'second_factor'],
  ...['segmentation', 'secret_vault', 'signed_tool_definitions', 'supplier_review'],
] as const

const Fix = strictObject({
  control: oneOf(...fixControls),
  asset: NodeRef,
  cost: Type.Number(),
  efficacy: Share,
  basis: oneOf('measured', 'assumed'),
  relation_ids: Type.Array(Uuid),
  reach_after: Type.Number({ description: 'Summed reach probability of the targets with this change alone' }),
  paths_closed: Type.Integer({ minimum: 0, description: 'Listed paths that use a step which it changes' }),
})
export type Fix = Static<typeof Fix>

const ChangeSet = strictObject({
  changes: Type.Array(Fix),
  cost: Type.Number(),
  reach_before: Type.Number({ description: 'Summed over the targets' }),
  reach_after: Type.Number(),
  method: oneOf('exact', 'greedy'),
  gap: Type.Number({ description: 'How much lower it could be at best' }),
})
export type ChangeSet = Static<typeof ChangeSet>

const Cut = strictObject({ target: NodeRef, cost: nullable(Type.Number()), nodes: Type.Array(NodeRef) })

const Blast = strictObject({
  of: NodeRef,
  reached: Type.Array(strictObject({ node: NodeRef, probability: Share, criticality: Type.Integer() })),
})

export const toxicRules = [
  ...['untrusted_content_private_data_egress', 'destructive_tool_without_approval', 'server_writes_tool'],
  ...['model_writable', 'agent_holds_secret'],
] as const
const Toxic = strictObject({
  rule: oneOf(...toxicRules),
  severity: oneOf('high', 'critical'),
  asset: NodeRef,
  because: Type.Array(NodeRef),
  advice: Type.String(),
})
export type Toxic = Static<typeof Toxic>

const Tried = strictObject({
  op: WhatIf.properties.op,
  reach: Type.Array(strictObject({ target: NodeRef, before: Share, after: Share })),
})

export const AnalysisResult = strictObject({
  model: Type.String({ description: 'Version of the model of edge probabilities' }),
  nodes: Type.Integer(),
  edges: Type.Integer(),
  reach: Type.Array(Reach),
  paths: Type.Array(Path),
  choke_points: Type.Array(Choke),
  cuts: Type.Array(Cut),
  two_changes: nullable(ChangeSet),
  within_budget: nullable(ChangeSet),
  fixes: Type.Array(Fix),
  fixes_scope: oneOf('whole', 'best_paths'),
  blast_radius: nullable(Blast),
  toxic: Type.Array(Toxic),
  what_if: Type.Array(Tried),
  risk: Type.Array(
    strictObject({
      target: NodeRef,
      vulnerability: strictObject({
        type: oneOf('pert'),
        low: Share,
        mode: Share,
        high: Share,
      }),
      hours_to_compromise: nullable(Type.Number()),
    }),
    { description: 'The node `vulnerability` of a FAIR model, as `POST /risk/fair/analyses` takes it' },
  ),
})
export type AnalysisResult = Static<typeof AnalysisResult>

const stored = {
  graph_id: Uuid,
  scope: oneOf('crown_jewels', 'chosen'),
  inputs: AnalysisInputs,
  seed: Seed,
  status: oneOf(...runStatuses),
  result: nullable(AnalysisResult),
  failure: nullable(Type.String({ maxLength: 500 })),
  max_reach: nullable(Share),
  created_by: nullable(Uuid),
  started_at: nullable(Timestamp),
  finished_at: nullable(Timestamp),
}
export const AnalysisRow = strictObject(resource(stored).properties)
export type AnalysisRow = Static<typeof AnalysisRow>

const { result: _result, max_reach: _max, ...shown } = stored
const { paths, choke_points, cuts, blast_radius, toxic, what_if, ...always } = AnalysisResult.properties
export const Analysis = strictObject({
  ...resource(shown).properties,
  result: nullable(
    strictObject({
      ...always,
      paths: Type.Optional(paths),
      choke_points: Type.Optional(choke_points),
      cuts: Type.Optional(cuts),
      blast_radius: Type.Optional(blast_radius),
      toxic: Type.Optional(toxic),
      what_if: Type.Optional(what_if),
    }),
  ),
})
export type Analysis = Static<typeof Analysis>
