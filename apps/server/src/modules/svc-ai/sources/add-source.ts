/**
 * Makes a knowledge source, or has one indexed again. Promises that content and rows exist together, that a source names
 * only roles, people and facts that there are and that its maker may read, and that a refused one leaves nothing behind.
 * Tested in sources.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import { change, create, hold, newRow } from '../../../kernel/resource/resource.ts'
import { armSchedule } from '../../../kernel/schedules/schedules.ts'
import type { DocumentRow, NewSource, SourceRow } from '../declared/source-schema.ts'
import { documents } from '../declared/source-tables.ts'
import { errors } from '../errors/errors.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { readableBy } from './acl.ts'
import { aclOf, permissionsOf } from './references.ts'
import { queueSync, sourceResource, syncKind } from './resource.ts'
import { releaseBlobs, sourceView } from './sources.ts'
import { storeContent, type UploadedDocument } from './uploaded.ts'

export interface Adding {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly input: NewSource
}

/** @throws API-001, API-005, API-013, API-030, SVC-001, SVC-011, SVC-012, SVC-013, SVC-015 */
export async function addSource(services: SvcAiServices, { scope, actor, input }: Adding): Promise<SourceRow> {
  const { kernel } = services
  const content = await storeContent(kernel, scope.tenantId, input)
  try {
    return await kernel.db.tenant(scope, (tx) =>
      input.resync === true
        ? resync(services, tx, { actor, input, content })
        : createSource(services, tx, { actor, input, content }),
    )
  } catch (error) {
    for (const { blobId } of content ?? [])
      if (blobId !== null) kernel.background('svc-ai.discard', kernel.blobs.discard(scope.tenantId, blobId))
    throw error
  }
}

interface Wish extends Pick<Adding, 'actor' | 'input'> {
  /** Null where a source is indexed again with the content that it has. */
  readonly content: readonly UploadedDocument[] | null
}

async function createSource(services: SvcAiServices, tx: Tx, { actor, input, content }: Wish): Promise<SourceRow> {
  const { kernel } = services
  const declared = input.classification ?? 'internal'
  const row: SourceRow = {
    ...newRow(kernel, tx),
    ...{ name: input.name, kind: input.kind, config: configOf(input) },
    ...(await aclOf(services, tx, input.acl ?? { visibility: 'tenant' })),
    permissions: permissionsOf(services, actor, input.facts ?? []),
    ...{ declared_class: declared, classification: declared, language: input.language ?? 'auto' },
    ...{ refresh_cron: input.refresh_cron ?? null, status: 'queued', error: null, last_sync_at: null },
    ...{ documents: 0, chunks: 0, quarantined_chunks: 0, characters: 0, index_version: 0, content_sha256: null },
    ...{ embedding_model: null, embedding_error: null, embedded_chunks: 0, vector_generation: null },
    created_by: actor.userId,
  }
  await create(tx, sourceResource, row, { action: 'svc_ai.source.create', after: sourceView })
  await addDocuments(services, tx, row, content ?? [])
  await schedule(services, tx, row)
  await queueSync(tx, row.id)
  return row
}

async function resync(services: SvcAiServices, tx: Tx, { actor, input, content }: Wish): Promise<SourceRow> {
  const { kernel } = services
  const named = sql`id = (
    select source.id from svc_ai_source source
    where lower(source.name) = lower(${input.name}) and (source.created_by = ${actor.userId} or ${readableBy(actor)}))`
  const found = await tx.first(sql<Pick<SourceRow, 'id'>>`select id from svc_ai_source where ${named}`)
  if (found === null)
    throw errors
      .unknownReference({ what: `There is no knowledge source named "${input.name}".` })
      .at([{ detail: 'names no source', pointer: '/name' }])
  const held = await hold(tx, sourceResource, { id: found.id, precondition: anyVersion })
  if (held.row.kind !== input.kind)
    throw errors
      .unknownReference({ what: `The source "${held.row.name}" is of the kind ${held.row.kind}.` })
      .at([{ detail: 'is not the kind of the source', pointer: '/kind' }])
  if (held.row.status !== 'ready' && held.row.status !== 'failed') throw errors.sourceBusy({ status: held.row.status })
  const row = await change(kernel, tx, held, {
    action: 'svc_ai.source.create',
    changes: {
      status: 'queued',
      ...(content === null ? {} : { config: configOf(input) }),
      ...(input.facts === undefined ? {} : { permissions: permissionsOf(services, actor, input.facts) }),
      ...(input.acl === undefined ? {} : await aclOf(services, tx, input.acl)),
      ...(input.classification === undefined ? {} : { declared_class: input.classification, content_sha256: null }),
      ...(input.language === undefined ? {} : { language: input.language, content_sha256: null }),
      ...(input.refresh_cron === undefined ? {} : { refresh_cron: input.refresh_cron }),
    },
    before: sourceView(held.row),
    after: sourceView,
  })
  if (content !== null) {
    await removePending(services, tx, row.id)
    await addDocuments(services, tx, row, content)
  }
  if (input.refresh_cron !== undefined) await schedule(services, tx, row)
  await queueSync(tx, row.id)
  return row
}

const configOf = ({ url, facts }: NewSource): SourceRow['config'] => ({
  ...(url === undefined ? {} : { url }),
  ...(facts === undefined ? {} : { facts }),
})

async function addDocuments(
  { kernel }: SvcAiServices,
  tx: Tx,
  { id }: SourceRow,
  content: readonly UploadedDocument[],
): Promise<void> {
  const rows = content.map(
    ({ title, mediaType, blobId }, position): DocumentRow => ({
      ...{ id: kernel.random.uuid(), tenant_id: tx.tenantId, created_at: kernel.clock.iso(), source_id: id },
      ...{ position, title, media_type: mediaType, blob_id: blobId, pending: true, characters: 0 },
    }),
  )
  await insertMany(tx, documents, rows)
}

/** Of an attempt that failed. */
async function removePending({ kernel }: SvcAiServices, tx: Tx, sourceId: string): Promise<void> {
  const removed = await tx.query(sql<{ blob_id: string | null }>`
    delete from svc_ai_document where source_id = ${sourceId} and pending returning blob_id`)
  await releaseBlobs(
    kernel,
    tx,
    removed.flatMap(({ blob_id: blob }) => (blob === null ? [] : [blob])),
  )
}

async function schedule({ kernel, iam }: SvcAiServices, tx: Tx, { id, refresh_cron: cron }: SourceRow): Promise<void> {
  if (cron === null) return
  await armSchedule(kernel, tx, {
    ...{ owner: 'svc-ai', key: id, kind: syncKind, payload: { source_id: id } },
    timing: { cron, timeZone: await iam.timeZone(tx) },
    pointers: { cron: '/refresh_cron', timeZone: '/refresh_cron' },
  })
}
