/**
 * New evidence of people: files, attestations, links and results of other tools. Promises that bytes and record exist
 * together, that a version never takes the place of another, and that nothing is called clean that nobody scanned. Tested
 * in evidence.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { add, hold, resource, write } from '../../../kernel/resource/resource.ts'
import { UnpackError } from '../../../kernel/unpack/port.ts'
import { askForScores } from '../declared/ask-for-scores.ts'
import type { EvidenceRow, NewEvidence } from '../declared/evidence-schema.ts'
import { claims, evidence } from '../declared/evidence-tables.ts'
import { errors } from '../errors/errors.ts'
import { appendRecords } from './chain.ts'
import { fileTypeOf, unpadded } from './file-types.ts'

export const evidenceResource = resource({ table: evidence, kind: 'compliance_evidence' })

const dayMs = 86_400_000
const longestAttestationDays = 365
const mostBytes = 20 * 1_048_576

/** Days that evidence is valid where nobody says. */
const validityDays: Readonly<Record<NewEvidence['kind'], number>> = {
  ...{ check_run: 1, system_export: 90, document: 365, attestation: 365, external_result: 90, link: 90 },
}

export interface Adding {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly input: NewEvidence
}

interface Content {
  readonly sha256: string
  readonly bytes: number
  readonly mediaType: string
  readonly fileName: string | null
  readonly document: string | null
  readonly blobId: string | null
}

/** @throws API-001, API-005, API-013, COMP-007, COMP-012, COMP-014, COMP-015 */
export async function addEvidence(kernel: Kernel, { scope, actor, input }: Adding): Promise<EvidenceRow> {
  if (input.title === undefined) throw required('/title')
  const content = await contentOf(kernel, scope, input)
  const refused = input.sha256 !== undefined && input.sha256 !== content.sha256
  try {
    if (refused) throw errors.digestDiffers({ sha256: content.sha256 })
    return await kernel.db.tenant(scope, (tx) => store(kernel, tx, { actor, input, content }))
  } catch (error) {
    if (content.blobId !== null)
      kernel.background('compliance.discard', kernel.blobs.discard(scope.tenantId, content.blobId))
    throw error
  }
}

const required = (pointer: string) =>
  apiErrors.validation({ what: 'The evidence lacks a field.' }).at([{ detail: 'This is required.', pointer }])

async function contentOf(kernel: Kernel, scope: TenantScope, input: NewEvidence): Promise<Content> {
  const { kind, file, attestation_text: attestation, url } = input
  if (kind === 'attestation') {
    if (attestation === undefined) throw required('/attestation_text')
    return textContent(canonicalJson({ form: 'parapet/attestation/1', title: input.title, text: attestation }))
  }
  if (kind === 'link') {
    if (url === undefined) throw required('/url')
    return textContent(canonicalJson({ form: 'parapet/link/1', url, sha256: input.sha256 ?? null }), input.sha256)
  }
  if (file === undefined) throw required('/file')
  return fileContent(kernel, scope, file)
}

/** @param digest of what a link leads to, as its reader computed it */
function textContent(text: string, digest = sha256(text)): Content {
  const bytes = Buffer.byteLength(text)
  return { sha256: digest, bytes, mediaType: 'application/json', fileName: null, document: text, blobId: null }
}

async function fileContent(
  kernel: Kernel,
  scope: TenantScope,
  { name, content }: NonNullable<NewEvidence['file']>,
): Promise<Content> {
  const bytes = Buffer.from(content, 'base64')
  // Node reads on behind what is no base64, so that what was meant is not what is kept.
  if (unpadded(bytes.toString('base64')) !== unpadded(content))
    throw apiErrors
      .validation({ what: 'The file is not base64.' })
      .at([{ detail: 'This is not base64.', pointer: '/file/content' }])
  if (bytes.byteLength > mostBytes) throw apiErrors.tooLarge({ limit: mostBytes })
  const type = fileTypeOf(name, bytes)
  if (typeof type === 'string') throw errors.fileRefused({ what: type })
  if (type.archive) await refuseUnsafe(kernel, bytes)
  const blob = await kernel.blobs.put(
    scope.tenantId,
    (async function* chunks() {
      yield bytes
    })(),
    { maxBytes: mostBytes },
  )
  return {
    sha256: blob.sha256,
    bytes: blob.bytes,
    mediaType: type.mediaType,
    fileName: name,
    document: null,
    blobId: blob.id,
  }
}

/** @throws COMP-014 for what is unsafe, COMP-012 for what cannot be read */
async function refuseUnsafe({ unpack }: Kernel, bytes: Uint8Array): Promise<void> {
  try {
    await unpack.entries('zip', bytes)
  } catch (error) {
    if (!(error instanceof UnpackError)) throw error
    throw error.kind === 'broken'
      ? errors.fileRefused({ what: error.message })
      : errors.unsafeArchive({ what: error.message })
  }
}

interface Storing {
  readonly actor: Actor
  readonly input: NewEvidence
  readonly content: Content
}

async function store(kernel: Kernel, tx: Tx, { actor, input, content }: Storing): Promise<EvidenceRow> {
  const made = validityOf(kernel, input)
  const before = input.evidence_id
  const row =
    before === undefined
      ? await addFirst(kernel, tx, { actor, input, content, made })
      : await addVersion(kernel, tx, { id: before, input, content, made })
  await link(kernel, tx, row.id, input.claims ?? [])
  await askForScores(kernel.clock, tx, { kind: 'evidence', id: row.id })
  const [record] = await appendRecords(kernel, tx, [
    {
      record: {
        ...{ evidence_id: row.id, number: row.versions, kind: row.kind, title: row.title, check_id: null },
        ...{ source_ref: row.source_ref, sha256: content.sha256, bytes: content.bytes, media_type: content.mediaType },
        ...{ file_name: content.fileName, scan: 'not_scanned', collected_at: made.at, valid_until: row.valid_until },
        actor_id: actor.userId,
      },
      document: content.document,
      blobId: content.blobId,
    },
  ])
  await tx.audit('compliance.evidence.create', {
    target: `compliance_evidence:${row.id}`,
    after: {
      kind: row.kind,
      number: row.versions,
      sha256: content.sha256,
      chain: { seq: record?.seq, hash: record?.hash },
    },
  })
  return row
}

interface Made {
  readonly at: string
  readonly until: string
}

/** @throws API-001 for an attestation that is to be valid for more than a year */
function validityOf({ clock }: Kernel, { kind, valid_until: until }: NewEvidence): Made {
  const now = clock.now()
  const days = kind === 'attestation' ? longestAttestationDays : 3650
  if (until !== undefined && (Date.parse(until) <= now || Date.parse(until) > now + days * dayMs))
    throw apiErrors
      .validation({ what: 'The validity is out of range.' })
      .at([{ detail: `must be within the next ${days} days`, pointer: '/valid_until' }])
  return { at: clock.iso(), until: until ?? new Date(now + validityDays[kind] * dayMs).toISOString() }
}

interface First extends Storing {
  readonly made: Made
}

async function addFirst({ random }: Kernel, tx: Tx, { actor, input, content, made }: First): Promise<EvidenceRow> {
  const row: EvidenceRow = {
    ...{ id: random.uuid(), tenant_id: tx.tenantId, version: 1, created_at: made.at, updated_at: made.at },
    ...{ kind: input.kind, title: input.title ?? '', description: input.description ?? null, status: 'accepted' },
    ...{ check_id: null, source_ref: input.source_ref ?? null, url: input.url ?? null, collected_at: made.at },
    ...{ valid_from: made.at, valid_until: made.until, versions: 1, sha256: content.sha256, warned_days: null },
    ...{ period_start: input.period_start ?? null, period_end: input.period_end ?? null, created_by: actor.userId },
    ...{ reviewed_by: null, reviewed_at: null },
  }
  await add(tx, evidenceResource, row)
  return row
}

interface Next extends Omit<First, 'actor'> {
  readonly id: string
}

/** @throws API-013, COMP-007 for evidence of another kind */
async function addVersion(kernel: Kernel, tx: Tx, { id, input, content, made }: Next): Promise<EvidenceRow> {
  const held = await hold(tx, evidenceResource, { id, precondition: anyVersion })
  if (held.row.kind !== input.kind || held.row.kind === 'check_run')
    throw errors.illegalMove({
      what: `A version of ${held.row.kind} evidence is of the same kind, and check runs have one.`,
    })
  return write(kernel, tx, held, {
    ...{ title: input.title ?? held.row.title, versions: held.row.versions + 1, sha256: content.sha256 },
    ...{ status: 'accepted', collected_at: made.at, valid_from: made.at, valid_until: made.until, warned_days: null },
    ...{ reviewed_by: null, reviewed_at: null },
  })
}

type Claimed = NonNullable<NewEvidence['claims']>

/** @throws API-001 for a control that is not there */
async function link({ random, clock }: Kernel, tx: Tx, evidenceId: string, claimed: Claimed): Promise<void> {
  if (claimed.length === 0) return
  const ids = claimed.map((one) => one.control_id)
  const known = new Set(
    (await tx.query(sql<{ id: string }>`select id from compliance_control where id = any(${ids}::uuid[])`)).map(
      ({ id }) => id,
    ),
  )
  const unknown = ids.findIndex((id) => !known.has(id))
  if (unknown >= 0)
    throw apiErrors
      .validation({ what: 'The body names a control that does not exist.' })
      .at([{ detail: 'There is no such control.', pointer: `/claims/${unknown}/control_id` }])
  await tx.execute(sql`
    delete from compliance_claim where evidence_id = ${evidenceId} and control_id = any(${ids}::uuid[])`)
  await insertMany(
    tx,
    claims,
    [...new Map(claimed.map((one) => [one.control_id, one])).values()].map(
      ({ control_id, part = false, note = null }) => ({
        ...{ id: random.uuid(), tenant_id: tx.tenantId, created_at: clock.iso() },
        ...{ evidence_id: evidenceId, control_id, part, note },
      }),
    ),
  )
}
