import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const Score = Type.Number({ minimum: 0, maximum: 100 })
const Share = Type.Number({ minimum: 0, maximum: 1 })

export const componentNames = [
  ...(['agent_governance', 'guardrail_coverage', 'mcp_hygiene'] as const),
  ...(['detection_response', 'threat_load', 'shadow_ai'] as const),
] as const
export type ComponentName = (typeof componentNames)[number]

/** A number for each component. */
export const ComponentValues = strictObject(
  Object.fromEntries(componentNames.map((name) => [name, Share])) as Record<ComponentName, typeof Share>,
)

export const Component = strictObject({
  name: oneOf(...componentNames),
  weight: Share,
  value: Share,
  has_data: Type.Boolean({ description: 'A component without data has the value 0 and does not count as confidence' }),
  inputs: Type.Record(Type.String({ maxLength: 60 }), Type.Number(), {
    description: 'Numbers that the value is calculated from',
  }),
})
export type Component = Static<typeof Component>

export const capReasons = ['unresolved_critical', 'kill_switch_active'] as const
export const Cap = strictObject({ reason: oneOf(...capReasons), max: Score })
export type Cap = Static<typeof Cap>

const measured = {
  score: Score,
  confidence: Share,
  components: Type.Array(Component, { maxItems: componentNames.length }),
  caps: Type.Array(Cap, { maxItems: capReasons.length }),
}

export const PostureRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  created_at: Timestamp,
  previous: nullable(Score),
  ...measured,
})
export type PostureRow = Static<typeof PostureRow>

export const PosturePoint = strictObject({ at: Timestamp, score: Score, confidence: Share })

export const Posture = strictObject({
  ...measured,
  previous: nullable(Score),
  computed_at: Timestamp,
  history: Type.Array(PosturePoint, { maxItems: 5_000 }),
})
export type Posture = Static<typeof Posture>

export const PostureQuery = strictObject({
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
})
export type PostureQuery = Static<typeof PostureQuery>
