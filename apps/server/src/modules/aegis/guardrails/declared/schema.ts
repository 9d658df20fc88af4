/** A guardrail as it is written, stored and shown. */
import Type, { type Static } from 'typebox'
import {
  listed,
  mergePatch,
  nullable,
  oneOf,
  resource,
  Slug,
  strictObject,
  Timestamp,
  Uuid,
} from '../../../../kernel/schema/types.ts'
import { dataClasses, environments } from '../../agents/words.ts'
import { Check } from './checks-schema.ts'
import { errorRules, guardrailActions, guardrailKinds, guardrailStatuses } from './words.ts'

const Name = Type.String({ minLength: 1, maxLength: 120 })
const Description = nullable(Type.String({ maxLength: 2_000 }))
const Short = Type.String({ minLength: 1, maxLength: 64 })
const Tag = Type.String({ minLength: 2, maxLength: 64 })
const Names = (maxLength: number) => Type.Array(Type.String({ minLength: 1, maxLength }), { maxItems: 200 })

export const Target = strictObject({
  agent_ids: Type.Optional(Type.Array(Uuid, { maxItems: 200 })),
  tags: Type.Optional(Names(64)),
  tiers: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 4 }), { maxItems: 4 })),
  environments: Type.Optional(Type.Array(oneOf(...environments), { maxItems: 3 })),
  server_slugs: Type.Optional(Names(64)),
  tools: Type.Optional(Names(300)),
  data_classes: Type.Optional(Type.Array(oneOf(...dataClasses), { maxItems: 4 })),
})
export type Target = Static<typeof Target>

const Hold = strictObject({
  approver_roles: Type.Optional(Type.Array(Short, { maxItems: 20 })),
  min_approvers: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  timeout_seconds: Type.Optional(Type.Integer({ minimum: 30, maximum: 86_400 })),
})

export const ActionConfig = strictObject({
  pointer: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'JSON Pointer into the arguments; of `transform`' }),
  ),
  value: Type.Optional(
    Type.Union(
      [Type.String({ maxLength: 4_096 }), Type.Number({ minimum: -1e15, maximum: 1e15 }), Type.Boolean(), Type.Null()],
      {
        description: 'Takes the place of the value at the pointer',
      },
    ),
  ),
  hold: Type.Optional(Hold),
})
export type ActionConfig = Static<typeof ActionConfig>

/** Members that make a version. */
const versioned = {
  target: Target,
  checks: Type.Array(Check, { minItems: 1, maxItems: 20 }),
  action: oneOf(...guardrailActions),
  action_config: ActionConfig,
  on_error: oneOf(...errorRules),
  message: nullable(Type.String({ maxLength: 300, description: 'Told to the caller where the guardrail blocks' })),
  tags: Type.Array(Tag, { maxItems: 20 }),
}

export const Definition = strictObject(versioned)
export type Definition = Static<typeof Definition>
export const definitionMembers = Object.keys(versioned) as readonly (keyof Definition)[]

export const AutoRollback = strictObject({
  max_denial_ratio: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Blocked of evaluated calls since the rollout' }),
  ),
  max_p99_us: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  min_evaluations: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Default: 100' })),
})
export type AutoRollback = Static<typeof AutoRollback>

const VersionNumber = Type.Integer({ minimum: 1 })
const Percent = Type.Number({ minimum: 0, maximum: 100 })

const described = {
  name: Name,
  slug: Slug,
  description: Description,
  kind: oneOf(...guardrailKinds),
  priority: Type.Integer({ minimum: 0, maximum: 1_000 }),
}

const rollout = {
  status: oneOf(...guardrailStatuses),
  latest_version: VersionNumber,
  live_version: nullable(VersionNumber),
  base_version: nullable(VersionNumber),
  rollout_percent: Percent,
  rolled_out_at: nullable(Timestamp),
  auto_rollback: nullable(AutoRollback),
}

export const GuardrailRow = strictObject({
  ...resource({ ...described, ...rollout, ...versioned }).properties,
  version: Type.Integer({ minimum: 1 }),
})
export type GuardrailRow = Static<typeof GuardrailRow>

export const VersionRow = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  guardrail_id: Uuid,
  number: VersionNumber,
  definition: Definition,
  created_by: Uuid,
  created_at: Timestamp,
})
export type VersionRow = Static<typeof VersionRow>

const Analysis = strictObject({
  expressions: Type.Integer({ minimum: 0 }),
  nodes: Type.Integer({ minimum: 0 }),
  depth: Type.Integer({ minimum: 0 }),
  cost_class: oneOf('low', 'medium', 'high'),
  fields: Type.Array(Type.String({ maxLength: 64 })),
  unused_fields: Type.Array(Type.String({ maxLength: 64 })),
})
export type Analysis = Static<typeof Analysis>

const Version = strictObject({ number: VersionNumber, definition: Definition, created_by: Uuid, created_at: Timestamp })
const Difference = strictObject({
  member: Type.String({ maxLength: 64 }),
  live: Type.String({ description: 'As JSON' }),
  latest: Type.String({ description: 'As JSON' }),
})

const shown = { ...described, ...rollout, ...versioned }
export const ListedGuardrail = listed(resource(shown))
export const Guardrail = strictObject({
  ...resource(shown).properties,
  analysis: Type.Optional(Analysis),
  versions: Type.Optional(Type.Array(Version, { description: 'The newest 100, the newest first' })),
  diff: Type.Optional(
    Type.Array(Difference, { description: 'Members of the newest version that differ from the live one' }),
  ),
})
export type Guardrail = Static<typeof Guardrail>

export const CreateGuardrail = strictObject({
  name: Name,
  slug: Type.Optional(Slug),
  description: Type.Optional(Description),
  kind: described.kind,
  priority: Type.Optional(described.priority),
  target: Type.Optional(Target),
  checks: versioned.checks,
  action: versioned.action,
  action_config: Type.Optional(ActionConfig),
  on_error: Type.Optional(versioned.on_error),
  message: Type.Optional(versioned.message),
  tags: Type.Optional(versioned.tags),
})
export type CreateGuardrail = Static<typeof CreateGuardrail>

export const PatchGuardrail = mergePatch({
  name: Name,
  description: Type.String({ maxLength: 2_000 }),
  priority: described.priority,
  ...versioned,
  message: Type.String({ maxLength: 300 }),
})
export type PatchGuardrail = Static<typeof PatchGuardrail>

export const Rollout = strictObject({
  mode: oneOf('monitor', 'enforce', 'disable', 'rollback'),
  percent: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, description: 'Share of sessions in which it is enforced; default 100' }),
  ),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Default: the newest; of a rollback the one before',
    }),
  ),
  auto_rollback: Type.Optional(nullable(AutoRollback)),
})
export type Rollout = Static<typeof Rollout>

export const GuardrailFilter = strictObject({
  kind: Type.Optional(described.kind),
  status: Type.Optional(rollout.status),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  agent_id: Type.Optional(Uuid),
  server: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of the name or slug' })),
})
export type GuardrailFilter = Static<typeof GuardrailFilter>
