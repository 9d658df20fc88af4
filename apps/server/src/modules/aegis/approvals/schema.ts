/** An approval as it is stored, shown and decided. */
import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { approvalStatuses, decisions, waitForms } from './states.ts'

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 })
const Comment = Type.String({ maxLength: 500 })
const Label = Type.String({ minLength: 1, maxLength: 300 })

/** The longest preview in characters; of a longer one the beginning is kept. */
export const longestPreview = 16_384

const Decision = strictObject({ by: Uuid, decision: oneOf(...decisions), comment: nullable(Comment), at: Timestamp })

export const BoundGuardrail = strictObject({ guardrail_id: Uuid, version: Type.Integer({ minimum: 1 }) })

const stored = {
  agent_id: Uuid,
  session_id: nullable(Uuid),
  user_id: nullable(Uuid),
  server: Type.String({ minLength: 1, maxLength: 256 }),
  tool: Type.String({ minLength: 1, maxLength: 256 }),
  args_preview: Type.String({
    maxLength: longestPreview,
    description: 'The arguments as JSON, without personal data and secrets',
  }),
  preview_sha256: Digest,
  args_sha256: Type.String({ ...Digest, description: 'SHA-256 of the canonical arguments (RFC 8785)' }),
  guardrails: Type.Array(BoundGuardrail, { maxItems: 100 }),
  pin_sha256: nullable(Digest),
  labels: Type.Array(Label, { maxItems: 200 }),
  risk_tier: Type.Integer({ minimum: 1, maximum: 4 }),
  required_approvals: Type.Integer({ minimum: 1, maximum: 3 }),
  approver_roles: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20 }),
  decisions: Type.Array(Decision, { maxItems: 4 }),
  wait_form: oneOf(...waitForms),
  status: oneOf(...approvalStatuses),
  expires_at: Timestamp,
  usable_until: nullable(Timestamp),
  decided_at: nullable(Timestamp),
  consumed_at: nullable(Timestamp),
}

export const ApprovalRow = strictObject({
  ...resource(stored).properties,
  version: Type.Integer({ minimum: 1 }),
  /** Of the call alone, so that a repetition finds its approval. */
  call_digest: Digest,
  /** Of the call and of all that was in force when it was held. */
  binding: Digest,
  /** When time alone changes it; null for never. */
  due_at: nullable(Timestamp),
})
export type ApprovalRow = Static<typeof ApprovalRow>

export const Approval = resource(stored)
export type Approval = Static<typeof Approval>
export const ListedApproval = listed(Approval)

export const ApprovalFilter = strictObject({
  status: Type.Optional(oneOf(...approvalStatuses)),
  approver: Type.Optional(
    Type.String({ enum: ['me'], maxLength: 2, description: 'Pending ones that the caller may decide' }),
  ),
  agent_id: Type.Optional(Uuid),
  older_than_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 31_536_000 })),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of a tool or server name' })),
})
export type ApprovalFilter = Static<typeof ApprovalFilter>

export const ApprovalDecision = strictObject({
  decision: oneOf(...decisions),
  comment: Type.Optional(Comment),
  args_sha256: Type.String({ ...Digest, description: 'Of the approval, as the person has seen it' }),
})
export type ApprovalDecision = Static<typeof ApprovalDecision>

export function approvalView(row: ApprovalRow): Approval {
  const { version: _version, call_digest: _call, binding: _binding, due_at: _due, ...shown } = row
  return shown
}
