/**
 * A completed assessment as a file, written from its sealed snapshot: OSCAL assessment results, plan of action and
 * milestones, a table, a tagged PDF, or the bundle for auditors. Tested in assessments.test.ts.
 */
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { pdfOf } from '../../../kernel/documents/pdf/pdf.ts'
import { csvLine } from '../../../kernel/http/body/csv.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { FileAnswer } from '../../../kernel/module/route.ts'
import type { RecordRow } from '../declared/evidence-schema.ts'
import { records } from '../declared/evidence-tables.ts'
import { errors } from '../errors/errors.ts'
import { assessmentDocument } from './document.ts'
import { oscalPoam, oscalResults } from './oscal-results.ts'
import type { AssessmentFormat, AssessmentRow } from './schema.ts'
import { type Snapshot, sealedSnapshot } from './snapshot.ts'

export const oscalType = 'application/oscal+json'
export const bundleType = 'application/vnd.parapet.bundle+json'
const pdfType = 'application/pdf'
export const fileTypes = [oscalType, bundleType, 'text/csv', pdfType] as const
type FileType = (typeof fileTypes)[number]

const typeOf: Readonly<Record<AssessmentFormat, FileType>> = {
  'oscal-ar': oscalType,
  'oscal-poam': oscalType,
  csv: 'text/csv',
  pdf: pdfType,
  bundle: bundleType,
}
const defaults: Readonly<Record<FileType, AssessmentFormat>> = {
  [oscalType]: 'oscal-ar',
  [bundleType]: 'bundle',
  'text/csv': 'csv',
  [pdfType]: 'pdf',
}

export interface Export {
  readonly scope: TenantScope
  readonly row: AssessmentRow
  readonly form: FileType
  readonly format: AssessmentFormat | undefined
}

/** @throws COMP-022 */
export async function exportAssessment(
  kernel: Kernel,
  { scope, row, form, format: asked }: Export,
): Promise<FileAnswer> {
  const format = asked ?? defaults[form]
  if (typeOf[format] !== form) throw errors.formatUnavailable({ what: `${format} is ${typeOf[format]}. Accept that.` })
  const { snapshot, chain } = await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => ({
    snapshot: await sealedSnapshot(tx, row),
    chain: format === 'bundle' ? await chainOf(tx) : [],
  }))
  if (snapshot === null)
    throw errors.formatUnavailable({
      what: `The assessment is ${row.status}. Exports are written when it is completed.`,
    })
  if (format === 'pdf') return bytesOf(row, form, 'pdf', await pdfOf(assessmentDocument(snapshot)))
  if (format === 'csv') return fileOf(row, form, 'csv', tableOf(snapshot))
  if (format === 'oscal-ar') return fileOf(row, form, 'oscal-ar.json', JSON.stringify(oscalResults(kernel, snapshot)))
  if (format === 'oscal-poam') return fileOf(row, form, 'oscal-poam.json', JSON.stringify(oscalPoam(kernel, snapshot)))
  return fileOf(row, form, 'bundle.json', JSON.stringify(await bundleOf(kernel, snapshot, chain)))
}

const fileOf = (row: AssessmentRow, contentType: string, ending: string, text: string): FileAnswer =>
  bytesOf(row, contentType, ending, Buffer.from(text))

function bytesOf({ id }: AssessmentRow, contentType: string, ending: string, bytes: Uint8Array): FileAnswer {
  return new FileAnswer(
    { contentType, name: `assessment-${id}.${ending}`, bytes: bytes.byteLength, sha256: sha256(bytes) },
    (async function* chunks() {
      yield bytes
    })(),
  )
}

function tableOf({ frameworks, results }: Snapshot): string {
  const keys = new Map(frameworks.map(({ id, key }) => [id, key]))
  return [
    csvLine(['framework', 'ref', 'title', 'weight', 'result', 'share', 'grading', 'source', 'evidence', 'note']),
    ...results.map((one) =>
      csvLine([
        ...[keys.get(one.framework_id) ?? '', one.ref, one.title, one.weight, one.result, one.share, one.grading],
        ...[one.source, one.evidence.map(({ evidence_id: id }) => id).join(' '), one.note],
      ]),
    ),
  ].join('')
}

const mostRecords = 100_000

const chainOf = (tx: Tx): Promise<readonly RecordRow[]> =>
  tx.query(sql<RecordRow>`select ${records.columns} from compliance_record order by seq limit ${mostRecords}`)

/** The snapshot, the whole chain with its signatures, our own documents, and the keys: all that is needed offline. */
async function bundleOf(
  { signingKeys, clock }: Kernel,
  snapshot: Snapshot,
  chain: readonly RecordRow[],
): Promise<object> {
  const relied = new Set(snapshot.results.flatMap((one) => one.evidence.map(({ evidence_id: id }) => id)))
  const manifest = {
    form: 'parapet/bundle/1',
    tenant_id: snapshot.tenant_id,
    assessment_id: snapshot.assessment.id,
    made_at: clock.iso(),
    snapshot_sha256: sha256(canonicalJson(snapshot)),
    chain_size: chain.length,
    chain_head: chain.at(-1)?.hash ?? null,
  }
  const { kid, signature } = await signingKeys.sign('export', Buffer.from(canonicalJson(manifest)))
  return {
    manifest,
    signature: { kid, value: Buffer.from(signature).toString('base64url') },
    keys: signingKeys.jwks('export').keys,
    snapshot,
    chain: chain.map(({ seq, record, kid: key, signature: signed, prev_hash, hash }) => ({
      ...{ seq, record, kid: key, signature: signed, prev_hash, hash },
    })),
    documents: Object.fromEntries(
      chain.flatMap(({ evidence_id: id, record, document }) =>
        document !== null && relied.has(id) ? [[record.sha256, document]] : [],
      ),
    ),
  }
}
