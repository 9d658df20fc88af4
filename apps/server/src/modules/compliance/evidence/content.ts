/** The content of evidence as a file. Promises that only content with the digest of its record is served. */

import { BlobError } from '../../../kernel/blobs/port.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { TenantScope } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { FileAnswer } from '../../../kernel/module/route.ts'
import type { RecordRow } from '../declared/evidence-schema.ts'
import { breaks, evidence } from '../declared/evidence-tables.ts'
import { errors } from '../errors/errors.ts'
import { integrityFailed } from './events.ts'
import { recordsOf } from './find.ts'

const anyBytes = 'application/octet-stream'

export interface Wanted {
  readonly scope: TenantScope
  readonly evidenceId: string
  /** Number of the version; default the newest. */
  readonly number: number | undefined
  /** Media type that is accepted; `application/octet-stream` for whatever it is. */
  readonly form: string
}

/** @throws API-013, COMP-018, COMP-021, COMP-022 */
export async function evidenceFile(kernel: Kernel, wanted: Wanted): Promise<FileAnswer> {
  const record = await recordWanted(kernel, wanted)
  const { media_type: mediaType } = record.record
  if (wanted.form !== mediaType && wanted.form !== anyBytes)
    throw errors.formatUnavailable({ what: `The content is ${mediaType}. Accept that or ${anyBytes}.` })
  const bytes = await verifiedBytes(kernel, wanted.scope, record)
  await kernel.db.tenant(wanted.scope, (tx) =>
    tx.audit('compliance.evidence.download', {
      target: `compliance_evidence:${record.evidence_id}`,
      after: { number: record.number, sha256: record.record.sha256 },
    }),
  )
  const name = (record.record.file_name ?? `${record.evidence_id}-${record.number}.json`).replaceAll(
    /[^A-Za-z0-9._ -]/g,
    '_',
  )
  return new FileAnswer(
    { contentType: wanted.form, name, bytes: bytes.byteLength, sha256: sha256(bytes) },
    (async function* chunks() {
      yield bytes
    })(),
  )
}

async function recordWanted({ db }: Kernel, { scope, evidenceId, number }: Wanted): Promise<RecordRow> {
  return db.tenant({ ...scope, readOnly: true }, async (tx) => {
    await evidence.need(tx, evidenceId)
    const rows = await recordsOf(tx, evidenceId)
    const row = number === undefined ? rows.at(-1) : rows.find((one) => one.number === number)
    if (row === undefined) throw apiErrors.notFound({ what: 'version' })
    return row
  })
}

/** The content, if it has the digest of its record; a link has that of what it leads to. @throws COMP-018, COMP-021 */
export async function verifiedBytes(kernel: Kernel, scope: TenantScope, record: RecordRow): Promise<Buffer> {
  const bytes = await bytesOf(kernel, scope, record)
  if (record.record.kind === 'link' || sha256(bytes) === record.record.sha256) return bytes
  await noteBreak(kernel, scope, record)
  throw errors.contentChanged()
}

async function noteBreak(
  { db, random, clock }: Kernel,
  scope: TenantScope,
  { seq, evidence_id: id }: RecordRow,
): Promise<void> {
  await db.tenant(scope, async (tx) => {
    await breaks.insert(tx, { id: random.uuid(), tenant_id: tx.tenantId, found_at: clock.iso(), seq })
    await tx.emit(integrityFailed, id, { seq, evidence_id: id })
  })
}

async function bytesOf(
  { db, blobs }: Kernel,
  scope: TenantScope,
  { document, blob_id: id }: RecordRow,
): Promise<Buffer> {
  if (id === null) return Buffer.from(document ?? '')
  try {
    const opened = await db.tenant({ ...scope, readOnly: true }, (tx) => blobs.open(tx, id))
    const chunks: Uint8Array[] = []
    for await (const chunk of opened.read()) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch (error) {
    if (!(error instanceof BlobError)) throw error
    if (error.kind !== 'corrupt') throw errors.storeUnavailable().causedBy(error)
    return Buffer.alloc(0)
  }
}
