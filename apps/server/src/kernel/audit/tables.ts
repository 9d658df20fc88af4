/**
 * Tables of the audit log: entries are insert-only for every role the program runs as, and each gets its place in the
 * tenant's hash chain a moment later. The pending table names the entries that have no place yet. Tested in verify.test.ts.
 */
import { Type } from 'typebox'
import { table } from '../db/table.ts'

const uuid = Type.String({ format: 'uuid' })
const instant = Type.String({ format: 'date-time' })
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const maybe = <const S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const AuditEntryRow = Type.Object({
  tenant_id: uuid,
  id: uuid,
  at: instant,
  actor_kind: Type.Union([Type.Literal('user'), Type.Literal('api_key'), Type.Literal('system')]),
  user_id: maybe(uuid),
  key_id: maybe(Type.String()),
  role: maybe(Type.String()),
  /** The operator's own tenant when the change was made from another one. */
  home_tenant_id: maybe(uuid),
  action: Type.String(),
  target: Type.String(),
  before: maybe(Type.Unknown({ jsonb: true })),
  after: maybe(Type.Unknown({ jsonb: true })),
  reason: maybe(Type.String()),
  result: Type.Union([Type.Literal('success'), Type.Literal('refused'), Type.Literal('failed')]),
  ip: maybe(Type.String()),
  user_agent: maybe(Type.String()),
  request_id: maybe(Type.String()),
  traceparent: maybe(Type.String()),
})
export type AuditEntryRow = Type.Static<typeof AuditEntryRow>

const kept = {
  category: 'audit',
  basis: 'legal_obligation',
  retention: 'P7Y',
  minimum: 'P366D',
  erasure: 'keep_pseudonymous',
} as const
const nobodys = { ...kept, subject: [], erasure: 'none' } as const

export const auditEntry = table({
  name: 'audit_entry',
  row: AuditEntryRow,
  sorts: ['at'],
  system: true,
  append: true,
  appendOnly: true,
  noun: 'audit entry',
  data: { ...kept, subject: ['user_id'] },
})

/** Personal parts of entries; see personal.ts. Erasing a person removes their rows, and nothing else does. */
export const auditPersonal = table({
  name: 'audit_personal',
  row: Type.Object({
    tenant_id: uuid,
    entry_id: uuid,
    subject_id: uuid,
    salt: Type.String(),
    opened: Type.Record(Type.String(), Type.String(), { jsonb: true }),
  }),
  system: true,
  append: true,
  key: ['entry_id', 'subject_id'],
  data: { ...kept, subject: ['subject_id'], erasure: 'delete' },
})

export const auditPending = table({
  name: 'audit_pending',
  row: Type.Object({ tenant_id: uuid, id: uuid, xid: Type.String() }),
  system: true,
  append: true,
  data: { category: 'audit', subject: [], retention: 'P1D', erasure: 'none' },
})

export const auditSeal = table({
  name: 'audit_seal',
  row: Type.Object({
    tenant_id: uuid,
    seq: Type.Integer({ minimum: 1 }),
    entry_id: uuid,
    prev_hash: sha256,
    hash: sha256,
    sealed_at: instant,
  }),
  system: true,
  appendOnly: true,
  key: ['seq'],
  data: nobodys,
})

/** A place of a chain with the signed note that tells it. */
const signedPlaces = {
  row: Type.Object({
    tenant_id: uuid,
    id: uuid,
    size: Type.Integer({ minimum: 1 }),
    head_hash: sha256,
    note: Type.String(),
    at: instant,
  }),
  system: true,
  appendOnly: true,
  data: nobodys,
} as const

export const auditCheckpoint = table({ name: 'audit_checkpoint', ...signedPlaces })

/** Where the log begins since retention removed what was before; the newest counts, and its signature alone. */
export const auditCut = table({ name: 'audit_cut', ...signedPlaces })

/** How far each place outside has the tenant's checkpoints. */
export const auditDelivery = table({
  name: 'audit_delivery',
  row: Type.Object({
    tenant_id: uuid,
    place: Type.String(),
    size: Type.Integer({ minimum: 0 }),
    claimed_until: maybe(instant),
    tried_at: maybe(instant),
  }),
  system: true,
  key: ['place'],
  data: { category: 'audit', subject: [], retention: 'tenant', erasure: 'none' },
})

export const auditTables = [
  auditEntry,
  auditPersonal,
  auditPending,
  auditSeal,
  auditCheckpoint,
  auditDelivery,
  auditCut,
] as const
