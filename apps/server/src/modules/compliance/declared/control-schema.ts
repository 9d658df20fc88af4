import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { evidenceKinds, gradings, results } from '../scoring/words.ts'

export const implementationStatuses = [
  'not_started',
  'planned',
  'partial',
  'implemented',
  'alternative',
  'not_applicable',
] as const

const Ref = Type.String({ maxLength: 250 })
const Share = Type.Number({ minimum: 0, maximum: 1 })
const Param = strictObject({
  id: Ref,
  label: Type.String({ maxLength: 1000 }),
  values: Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 50 }),
})
const Remediation = strictObject({
  id: Uuid,
  title: Type.String({ minLength: 1, maxLength: 200 }),
  owner_user_id: nullable(Uuid),
  due_at: nullable(Timestamp),
  effort_days: nullable(Type.Number({ minimum: 0, maximum: 10_000 })),
  status: oneOf('open', 'done', 'cancelled'),
})
export type Remediation = Static<typeof Remediation>

const Decision = strictObject({
  mapping_ids: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 2 }),
  state: oneOf('accepted', 'rejected'),
})

const fields = {
  framework_id: Uuid,
  position: Type.Integer({ minimum: 0 }),
  ref: Ref,
  parent_ref: nullable(Ref),
  group_ref: nullable(Ref),
  title: Type.String({ maxLength: 500 }),
  statement: nullable(Type.String({ maxLength: 20_000 })),
  guidance: nullable(Type.String({ maxLength: 20_000 })),
  withdrawn: Type.Boolean(),
  needs_review: Type.Boolean({
    description: 'Looks like a left-over of an earlier edition; not scored until reviewed',
  }),
  weight: Type.Integer({ minimum: 1, maximum: 3 }),
  params: Type.Array(Param),
  applicable: Type.Boolean(),
  justification: nullable(Type.String({ maxLength: 4000 })),
  implementation_status: oneOf(...implementationStatuses),
  implementation_note: nullable(Type.String({ maxLength: 4000 })),
  owner_user_id: nullable(Uuid),
  maturity_claimed: nullable(Type.Integer({ minimum: 0, maximum: 5 })),
  grading: nullable(oneOf(...gradings)),
  due_at: nullable(Timestamp),
  remediation: Type.Array(Remediation, { maxItems: 50 }),
}

export const ControlRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...fields,
  result: oneOf(...results),
  result_share: nullable(Share),
  result_at: nullable(Timestamp),
  assessment_id: nullable(Uuid),
  decisions: Type.Array(Decision, { maxItems: 200 }),
})
export type ControlRow = Static<typeof ControlRow>

const CheckState = strictObject({
  check_id: Type.String({ maxLength: 100 }),
  title: Type.String({ maxLength: 200 }),
  part: Type.Boolean({ description: 'Supports a part of the control' }),
  outcome: nullable(oneOf('pass', 'fail', 'error', 'not_evaluated')),
  run_at: nullable(Timestamp),
  evidence_id: nullable(Uuid),
})

const live = {
  result: oneOf(...results),
  result_source: nullable(oneOf('assessment', 'check')),
  score: nullable(Share),
  score_terms: strictObject({ v: Share, e: Share, alpha: Share }),
  evidence_state: oneOf('missing', 'expiring', 'current', 'expired'),
  evidence_count: Type.Integer({ minimum: 0 }),
}

const {
  statement: _statement,
  guidance: _guidance,
  params: _params,
  remediation: _remediation,
  ...listedFields
} = fields
export const ListedControl = listed(
  resource({
    ...listedFields,
    ...live,
    priority: nullable(Type.Number({ minimum: 0, description: 'Of a gap: weight, distance, urgency and leverage' })),
    lower_bound: nullable(Share),
  }),
)
export type ListedControl = Static<typeof ListedControl>

const Inherited = strictObject({
  path: Type.Array(Type.String({ maxLength: 400 })),
  mapping_ids: Type.Array(Type.String({ maxLength: 100 })),
  relation: Type.String({ maxLength: 20 }),
  outcome: oneOf('satisfied', 'partially_satisfied', 'not_satisfied'),
  k: Share,
  assumed: Type.Boolean(),
  confidence: Share,
  state: oneOf('suggested', 'accepted', 'rejected'),
})
const LinkedEvidence = strictObject({
  evidence_id: Uuid,
  kind: oneOf(...evidenceKinds),
  title: Type.String({ maxLength: 200 }),
  part: Type.Boolean(),
  freshness: Share,
  strength: Share,
  valid_until: Timestamp,
})

export const Control = resource({
  ...fields,
  ...live,
  maturity_effective: nullable(Type.Integer({ minimum: 0, maximum: 5 })),
  maturity_reason: nullable(Type.String({ maxLength: 200 })),
  checks: Type.Array(CheckState),
  evidence: Type.Array(LinkedEvidence),
  inherited: Type.Array(Inherited),
  lower_bound: nullable(Share),
  upper_bound: nullable(Share),
  conflict: Type.Boolean({ description: 'Satisfied by one source and not satisfied by another' }),
  notice: Type.String({ maxLength: 200 }),
})
export type Control = Static<typeof Control>

export const ControlFilter = strictObject({
  framework_id: Type.Optional(Uuid),
  ref: Type.Optional(Type.String({ minLength: 1, maxLength: 250 })),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  implementation_status: Type.Optional(oneOf(...implementationStatuses)),
  owner_user_id: Type.Optional(Uuid),
  applicable: Type.Optional(Type.Boolean()),
  due_before: Type.Optional(Timestamp),
  withdrawn: Type.Optional(Type.Boolean({ description: 'Default false' })),
})
export type ControlFilter = Static<typeof ControlFilter>

const patch = {
  weight: fields.weight,
  applicable: Type.Boolean(),
  needs_review: Type.Boolean(),
  justification: fields.justification,
  implementation_status: fields.implementation_status,
  implementation_note: fields.implementation_note,
  owner_user_id: fields.owner_user_id,
  maturity_claimed: fields.maturity_claimed,
  due_at: fields.due_at,
  params: Type.Array(strictObject({ id: Param.properties.id, values: Param.properties.values }), { maxItems: 500 }),
  remediation: Type.Array(
    strictObject({
      id: Type.Optional(Uuid),
      title: Remediation.properties.title,
      owner_user_id: Type.Optional(nullable(Uuid)),
      due_at: Type.Optional(nullable(Timestamp)),
      effort_days: Type.Optional(Remediation.properties.effort_days),
      status: Type.Optional(Remediation.properties.status),
    }),
    { maxItems: 50 },
  ),
  evidence_links: strictObject({
    add: Type.Optional(
      Type.Array(
        strictObject({
          evidence_id: Uuid,
          part: Type.Optional(Type.Boolean()),
          note: Type.Optional(Type.String({ maxLength: 1000 })),
        }),
        { maxItems: 100 },
      ),
    ),
    remove: Type.Optional(Type.Array(Uuid, { maxItems: 100 })),
  }),
  inherited_decisions: Type.Array(Decision, { maxItems: 200 }),
}

export const PatchControl = strictObject({
  ...(Object.fromEntries(Object.entries(patch).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof typeof patch]: ReturnType<typeof Type.Optional<(typeof patch)[K]>>
  }),
  confirm_token: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type PatchControl = Static<typeof PatchControl>
