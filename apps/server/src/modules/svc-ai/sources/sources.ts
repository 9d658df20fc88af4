/** Knowledge sources as callers see them: listed and removed. Making them is in add-source.ts. Tested in sources.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { hold, type Removed, remove } from '../../../kernel/resource/resource.ts'
import { disarmSchedule } from '../../../kernel/schedules/schedules.ts'
import type { Source, SourceFilter, SourceRow } from '../declared/source-schema.ts'
import { sources } from '../declared/source-tables.ts'
import { readableBy } from './acl.ts'
import { sourceResource } from './resource.ts'

export function sourceView(row: SourceRow): Source {
  const { visibility, role_names, user_ids, version: _version, permissions: _permissions, ...rest } = row
  const {
    declared_class: _declared,
    index_version: _index,
    content_sha256: _sha256,
    vector_generation: _,
    ...shown
  } = rest
  return { ...shown, acl: { visibility, role_names, user_ids } }
}

/** Sources that the caller may read or has made; administrators of the module see all of them. */
function seenBy(actor: Actor): SqlPart {
  if (holds(actor.permissions, 'svc-ai:admin')) return sql`true`
  return sql`(created_by = ${actor.userId} or exists (
    select from svc_ai_source source where source.id = svc_ai_source.id and ${readableBy(actor)}))`
}

export interface SourceList {
  readonly page: PageRequest
  readonly filter: SourceFilter
  readonly actor: Actor
}

export async function listSources(tx: Tx, { page, filter, actor }: SourceList): Promise<Page<Versioned<Source>>> {
  const { q, id, kind, status } = filter
  const where = [
    seenBy(actor),
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(q === undefined ? [] : [sql`lower(name) like ${likePrefix(q)}`]),
  ]
  const found = await sources.page(tx, page, join(where, ' and '))
  return { ...found, items: found.items.map((row) => new Versioned(sourceView(row), row.version)) }
}

export interface SourceRemoval {
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
}

/**
 * Removes a source with its documents, chunks and index in one transaction; the uploaded files go at the commit.
 * @throws API-012, API-013, API-032
 */
export async function removeSource(
  kernel: Kernel,
  tx: Tx,
  { actor, id, precondition }: SourceRemoval,
): Promise<Removed> {
  const seen = await tx.first(sql`select id from svc_ai_source where id = ${id} and ${seenBy(actor)}`)
  if (seen === null) throw apiErrors.notFound({ what: sources.noun })
  const held = await hold(tx, sourceResource, { id, precondition })
  const blobs = await tx.query(sql<{ blob_id: string }>`
    select blob_id from svc_ai_document where source_id = ${id} and blob_id is not null`)
  await disarmSchedule(tx, { owner: 'svc-ai', key: id })
  const { classification, documents, chunks, name, kind } = held.row
  const removed = await remove(tx, held, {
    action: 'svc_ai.source.delete',
    before: { name, kind, classification, documents, chunks },
  })
  await releaseBlobs(
    kernel,
    tx,
    blobs.map(({ blob_id: blob }) => blob),
  )
  return removed
}

/** After the rows that named them are gone. */
export async function releaseBlobs(kernel: Kernel, tx: Tx, ids: readonly string[]): Promise<void> {
  for (const id of ids) await kernel.blobs.release(tx, id)
  tx.afterCommit(() => {
    for (const id of ids) kernel.background('svc-ai.discard', kernel.blobs.discard(tx.tenantId, id))
  })
}
