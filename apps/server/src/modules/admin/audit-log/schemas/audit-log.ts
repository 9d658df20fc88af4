import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 })
const Seq = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** Whose log: the caller's tenant's, or the installation's own, which operators may read. */
const Scope = oneOf('tenant', 'platform')

export const AuditFilter = strictObject({
  scope: Type.Optional(Scope),
  actor_id: Type.Optional(Uuid),
  actor_kind: Type.Optional(oneOf('user', 'api_key', 'system')),
  key_id: Type.Optional(text(100)),
  action: Type.Optional(text(100)),
  target: Type.Optional(text(500)),
  result: Type.Optional(oneOf('success', 'refused', 'failed')),
  ip: Type.Optional(text(45)),
  request_id: Type.Optional(text(100)),
  q: Type.Optional(text(200)),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
})
export type AuditFilter = Static<typeof AuditFilter>

/** An entry by the names it is sealed under, so that its hash can be computed from the answer, and then its seal. */
export const AuditEntry = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  at: Timestamp,
  actor_kind: oneOf('user', 'api_key', 'system'),
  user_id: nullable(Uuid),
  key_id: nullable(Type.String()),
  role: nullable(Type.String()),
  home_tenant_id: nullable(Uuid),
  action: Type.String(),
  target: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
  reason: nullable(Type.String()),
  result: oneOf('success', 'refused', 'failed'),
  ip: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  request_id: nullable(Type.String()),
  traceparent: nullable(Type.String()),
  personal: Type.Array(strictObject({ salt: Type.String(), members: Type.Array(Type.String()) }), {
    description:
      'JSON pointers to what is said about a person. The entry is sealed with `personal:` and a commitment in their place, which the salt proves; once the person is erased, it is all there is.',
  }),
  withheld: Type.Boolean({
    description: 'Whether `before` and `after` are left out, because reading that module takes a permission.',
  }),
  seq: nullable(Seq),
  prev_hash: nullable(Sha256),
  entry_hash: nullable(Sha256),
  sealed_at: nullable(Timestamp),
})
export type AuditEntry = Static<typeof AuditEntry>

export const VerifyAudit = strictObject({
  scope: Type.Optional(Scope),
  from_seq: Type.Optional(Seq),
  to_seq: Type.Optional(Seq),
  checkpoints: Type.Optional(
    Type.Array(text(1_000), { maxItems: 100, description: 'Signed notes that were kept outside, word for word.' }),
  ),
})
export type VerifyAudit = Static<typeof VerifyAudit>

const Key = strictObject({ kid: Type.String(), x: Type.String({ description: 'Ed25519 public key, base64url.' }) })

export const AuditVerdict = strictObject({
  status: oneOf('completed', 'queued'),
  job_id: nullable(Uuid),
  verified: nullable(Type.Boolean()),
  entries: Type.Integer({ minimum: 0 }),
  first_bad_seq: nullable(Seq),
  reason: nullable(oneOf('hash', 'link', 'gap', 'truncated', 'rewritten', 'unsealed')),
  head: nullable(strictObject({ size: Type.Integer({ minimum: 0 }), hash: Sha256 })),
  checkpoint_used: nullable(Seq),
  cut: nullable(
    strictObject({
      size: Seq,
      hash: Sha256,
      note: Type.String({
        description:
          'Signed: this is the last entry that retention removed, and the log begins behind it. The script that verifies an export takes it as `--cut`.',
      }),
    }),
  ),
  checkpoint_keys: Type.Array(Key),
})
export type AuditVerdict = Static<typeof AuditVerdict>
