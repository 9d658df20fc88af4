/** An agent as it is declared, stored and shown. */
import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, Slug, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { agentScopes, boundClaims } from '../../iam/api.ts'
import { agentStates, transitions } from './states.ts'
import { capabilities, dataClasses, environments, useKinds } from './words.ts'

const Name = Type.String({ minLength: 1, maxLength: 120 })
const Purpose = Type.String({ minLength: 10, maxLength: 2000 })
const Short = Type.String({ minLength: 1, maxLength: 64 })
const Comment = Type.String({ maxLength: 500 })
export const TierNumber = Type.Integer({ minimum: 1, maximum: 4 })
const Score = Type.Number({ minimum: 0, maximum: 100 })
const pattern = (description: string) => Type.String({ minLength: 1, maxLength: 128, description })

const AllowedModel = strictObject({
  provider: pattern('Name of the provider, or `*`'),
  model: pattern('Name of the model; `*` stands for any characters'),
})
const AllowedTool = strictObject({
  server_slug: pattern('Slug of the MCP server, or `*`; `local` for tools without a server'),
  tool: pattern('Name of the tool; `*` stands for any characters'),
  capability: oneOf(...capabilities),
})

/** The most that a declaration holds of each list. */
export const declarationBounds = { models: 50, tools: 500, destinations: 100 } as const

/** Members whose change needs a review. */
export const reviewed = {
  models: Type.Array(AllowedModel, { maxItems: declarationBounds.models }),
  tools: Type.Array(AllowedTool, { maxItems: declarationBounds.tools }),
  destinations: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    ...{ maxItems: declarationBounds.destinations, uniqueItems: true },
  }),
  data_classes: Type.Array(oneOf(...dataClasses), { minItems: 1, maxItems: 4, uniqueItems: true }),
  autonomy_level: Type.Integer({ minimum: 0, maximum: 5, description: '0 suggests, 5 acts unattended' }),
  untrusted_input: Type.Boolean({ description: 'Reads content of others: web pages, mail, tickets' }),
  expected_calls_per_day: Type.Number({ minimum: 0, maximum: 1_000_000_000 }),
}

/** Members that are changed at once. */
const described = {
  name: Name,
  owner_user_id: Uuid,
  sponsor_user_id: nullable(Uuid),
  purpose: Purpose,
  framework: nullable(Short),
  agent_version: nullable(Short),
  environment: oneOf(...environments),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20, uniqueItems: true }),
}

export const Declaration = strictObject(reviewed)
export type Declaration = Static<typeof Declaration>

const Approval = strictObject({ by: Uuid, at: Timestamp, comment: nullable(Comment) })

/** A declaration that waits for its approval. */
const Review = strictObject({
  declaration: Declaration,
  risk_score: Score,
  risk_tier: TierNumber,
  submitted_by: Uuid,
  submitted_at: Timestamp,
  approvals: Type.Array(Approval, { maxItems: 2 }),
})
export type Review = Static<typeof Review>

const stored = {
  ...described,
  slug: Slug,
  ...reviewed,
  risk_score: Score,
  computed_tier: TierNumber,
  raised_tier: nullable(TierNumber),
  risk_tier: TierNumber,
  status: oneOf(...agentStates),
  status_reason: nullable(Comment),
  review: nullable(Review),
  approved_at: nullable(Timestamp),
  next_review_at: nullable(Timestamp),
  last_seen_at: nullable(Timestamp),
  has_drift: Type.Boolean(),
}

export const AgentRow = strictObject({
  ...resource(stored).properties,
  version: Type.Integer({ minimum: 1 }),
  calls_per_day: nullable(Type.Number({ minimum: 0 })),
  scored_until: nullable(Timestamp),
  /** When an alert was opened because the review was overdue. */
  review_told_at: nullable(Timestamp),
})
export type AgentRow = Static<typeof AgentRow>

export const UseRow = strictObject({
  tenant_id: Uuid,
  agent_id: Uuid,
  kind: oneOf(...useKinds),
  name: Type.String({ maxLength: 520 }),
  calls: Type.Integer({ minimum: 0 }),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
})

const Use = strictObject({
  kind: UseRow.properties.kind,
  name: UseRow.properties.name,
  calls: UseRow.properties.calls,
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  declared: Type.Boolean({ description: 'Whether the approved declaration allows it' }),
})
export type Use = Static<typeof Use>

const Bound = Type.String({ minLength: 1, maxLength: 255 })

/** A token of an outside issuer that stands for the agent. */
const TokenMatch = strictObject({
  issuer: Type.String({ minLength: 1, maxLength: 2048, description: 'As the `iss` of the token: an https address' }),
  claim: oneOf(...boundClaims),
  value: Bound,
  audience: Type.String({ minLength: 1, maxLength: 255, description: 'In the `aud` of the token (RFC 8707)' }),
})

export const Credential = strictObject({
  id: Uuid,
  agent_id: Uuid,
  kind: oneOf('api_key', 'jwt'),
  name: nullable(Type.String({ maxLength: 100 })),
  prefix: nullable(Type.String({ maxLength: 64 })),
  match: nullable(TokenMatch),
  scopes: Type.Array(Type.String({ maxLength: 64 })),
  created_at: Timestamp,
  expires_at: nullable(Timestamp),
  last_used_at: nullable(Timestamp),
  status: oneOf('active', 'rotating', 'expired', 'revoked'),
})
export type Credential = Static<typeof Credential>
export const NewCredential = strictObject({
  ...Credential.properties,
  secret: nullable(Type.String({ maxLength: 128, description: 'Of an API key' })),
})
export type NewCredential = Static<typeof NewCredential>

export const AgentSummary = listed(resource(stored))
export const Agent = strictObject({
  ...resource(stored).properties,
  observed: Type.Optional(
    Type.Array(Use, { maxItems: 500, description: 'Seen in traffic, the newest first use first' }),
  ),
  credentials: Type.Optional(Type.Array(Credential)),
})
export type Agent = Static<typeof Agent>

const optional = {
  sponsor_user_id: Type.Optional(described.sponsor_user_id),
  framework: Type.Optional(described.framework),
  agent_version: Type.Optional(described.agent_version),
  tags: Type.Optional(described.tags),
  models: Type.Optional(reviewed.models),
  tools: Type.Optional(reviewed.tools),
  destinations: Type.Optional(reviewed.destinations),
  expected_calls_per_day: Type.Optional(reviewed.expected_calls_per_day),
}

export const CreateAgent = strictObject({
  ...optional,
  name: Name,
  slug: Slug,
  owner_user_id: Uuid,
  purpose: Purpose,
  environment: described.environment,
  data_classes: reviewed.data_classes,
  autonomy_level: reviewed.autonomy_level,
  untrusted_input: reviewed.untrusted_input,
})
export type CreateAgent = Static<typeof CreateAgent>

const AcceptedUse = strictObject({
  kind: UseRow.properties.kind,
  name: Type.String({ minLength: 1, maxLength: 520, description: 'As `observed` of the agent shows it' }),
  capability: Type.Optional(oneOf(...capabilities)),
})
export type AcceptedUse = Static<typeof AcceptedUse>

export const PatchAgent = strictObject({
  ...optional,
  name: Type.Optional(Name),
  owner_user_id: Type.Optional(Uuid),
  purpose: Type.Optional(Purpose),
  environment: Type.Optional(described.environment),
  data_classes: Type.Optional(reviewed.data_classes),
  autonomy_level: Type.Optional(reviewed.autonomy_level),
  untrusted_input: Type.Optional(reviewed.untrusted_input),
  accept_drift: Type.Optional(
    Type.Array(AcceptedUse, {
      ...{ minItems: 1, maxItems: 100 },
      description: 'Uses seen in traffic that the declaration is to allow; they are added to it and reviewed with it',
    }),
  ),
  risk_tier: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 4, description: 'Raises the computed tier; null takes that back' })),
  ),
})
export type PatchAgent = Static<typeof PatchAgent>

export const AgentTransition = strictObject({ transition: oneOf(...transitions), comment: Type.Optional(Comment) })
export type AgentTransition = Static<typeof AgentTransition>

export const CreateCredential = strictObject({
  kind: oneOf('api_key', 'jwt'),
  api_key: Type.Optional(
    strictObject({
      name: Type.String({ minLength: 1, maxLength: 100 }),
      scopes: Type.Optional(Type.Array(oneOf(...agentScopes), { minItems: 1, maxItems: 2, uniqueItems: true })),
    }),
  ),
  match: Type.Optional(TokenMatch),
  expires_at: Type.Optional(Timestamp),
})
export type CreateCredential = Static<typeof CreateCredential>

export const AgentFilter = strictObject({
  status: Type.Optional(stored.status),
  tier: Type.Optional(TierNumber),
  owner_user_id: Type.Optional(Uuid),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  environment: Type.Optional(described.environment),
  drift: Type.Optional(Type.Boolean()),
  review_due: Type.Optional(Type.Boolean()),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
})
export type AgentFilter = Static<typeof AgentFilter>
