/**
 * Indexes a source in the background: content, text, scan, postings, then everything in one commit. Promises that the old
 * version answers until the new one is complete, that unchanged content is not indexed again, and that a source that
 * cannot be read says why. Its version, which `If-Match` is compared with, is for changes by people. Tested in
 * sources.test.ts.
 */
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { DeadJob, Notice } from '../../../kernel/notices/notices.ts'
import { holdAll } from '../../../kernel/resource/resource.ts'
import { UnpackError } from '../../../kernel/unpack/port.ts'
import { prepareDocument } from '../chunking/prepare-task.ts'
import type { DocumentRow, SourceRow } from '../declared/source-schema.ts'
import { documents, sources } from '../declared/source-tables.ts'
import { sourceFailed } from '../events/events.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { type Content, contentOf, SourceFault } from './fetch.ts'
import { sourceResource, syncKind } from './resource.ts'
import { type ReadyDocument, sealDocument, storeDocuments } from './store-documents.ts'

type Context = JobContext<SvcAiServices>

export const syncJob: JobDeclaration<SvcAiServices> = {
  kind: syncKind,
  lane: 'long',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: null,
  run: syncSource,
}

/** Form of the index: another one has every source indexed again at its next refresh. */
const indexForm = 1
/** Of one source, over all its documents. */
const mostCharacters = 20_000_000

async function syncSource(context: Context): Promise<void> {
  const id = String(context.payload.source_id)
  const begun = await begin(context, id)
  if (begun === null) return
  try {
    await index(context, begun)
  } catch (error) {
    if (!(error instanceof SourceFault) && !(error instanceof UnpackError)) throw error
    await context.complete((tx) => failSource(context.services, tx, id, error.message))
  }
}

interface Begun {
  readonly source: SourceRow
  /** To be indexed: those that wait to take the place of the others, or all. */
  readonly rows: readonly DocumentRow[]
  readonly replaces: boolean
}

function begin({ transaction, kernel }: Context, id: string): Promise<Begun | null> {
  return transaction(async (tx) => {
    const [held] = await holdAll(tx, sourceResource, { where: sql`id = ${id}`, limit: 1 })
    if (held === undefined) return null
    await sources.patch(tx, id, { status: 'fetching', updated_at: kernel.clock.iso() })
    const rows = await tx.query(sql<DocumentRow>`
      select ${documents.columns} from svc_ai_document where source_id = ${id} order by position, id`)
    const pending = rows.filter((row) => row.pending)
    return { source: held.row, rows: pending.length > 0 ? pending : rows, replaces: pending.length > 0 }
  })
}

async function index(context: Context, begun: Begun): Promise<void> {
  const { source, rows } = begun
  const contents: { readonly row: DocumentRow; readonly content: Content }[] = []
  for (const row of rows) contents.push({ row, content: await contentOf(context, source, row) })
  const sha256 = canonicalHash({ indexForm, of: contents.map(({ row, content }) => [row.title, content.sha256]) })
  if (sha256 === source.content_sha256 && source.index_version > 0 && !begun.replaces)
    return context.complete((tx) => unchanged(context, tx, source.id))
  await context.transaction((tx) => setStatus(context.services, tx, source.id, 'indexing'))
  const ready: ReadyDocument[] = []
  let characters = 0
  for (const { row, content } of contents) {
    const document = await prepared(context, source, { row, content })
    characters += document.characters
    if (characters > mostCharacters)
      throw new SourceFault(`The documents hold more than ${mostCharacters} characters of text.`)
    ready.push(await sealDocument(context.kernel, context.tenantId, { row, document }))
  }
  await context.complete((tx) => storeDocuments(context.services, tx, { sourceId: source.id, ready, sha256 }))
}

async function prepared(
  { thread }: Context,
  { language }: SourceRow,
  { row, content }: { readonly row: DocumentRow; readonly content: Content },
) {
  const pieces = await content.pieces().catch((error: unknown) => {
    throw error instanceof UnpackError ? new SourceFault(`${row.title}: ${error.message}`) : error
  })
  return thread(prepareDocument, { title: row.title, pieces, markdown: content.markdown, language })
}

async function unchanged({ kernel, services }: Context, tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`update svc_ai_source set last_sync_at = ${kernel.clock.iso()} where id = ${id}`)
  await setStatus(services, tx, id, 'ready')
}

async function setStatus({ kernel }: SvcAiServices, tx: Tx, id: string, status: 'indexing' | 'ready'): Promise<void> {
  const [held] = await holdAll(tx, sourceResource, { where: sql`id = ${id}`, limit: 1 })
  if (held !== undefined) await sources.patch(tx, id, { status, error: null, updated_at: kernel.clock.iso() })
}

async function failSource({ kernel }: SvcAiServices, tx: Tx, id: string, reason: string): Promise<void> {
  const [held] = await holdAll(tx, sourceResource, { where: sql`id = ${id}`, limit: 1 })
  if (held === undefined) return
  const error = reason.slice(0, 500)
  await sources.patch(tx, id, { status: 'failed', error, updated_at: kernel.clock.iso() })
  await tx.emit(sourceFailed, id, { source_id: id, name: held.row.name, error })
}

/** A source whose job failed as often as it may has failed itself. */
export function failWithJob(services: SvcAiServices): Notice<DeadJob> {
  return async (tx, { kind, payload }) => {
    if (kind === syncKind)
      await failSource(services, tx, String(payload.source_id), 'The source could not be indexed. Try again.')
  }
}
