/**
 * Makes the vectors of a source in the background, after it is ready: lexical search never waits for them. Promises that
 * the old vectors are searched until the new ones are complete, that quarantined chunks and sources above the clearance of
 * the provider are never sent, and that a chunk which a policy refuses keeps its lexical place. Tested in hybrid.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { DeadJob, Notice } from '../../../kernel/notices/notices.ts'
import { holdAll } from '../../../kernel/resource/resource.ts'
import type { SourceRow } from '../declared/source-schema.ts'
import { sources, vectors } from '../declared/source-tables.ts'
import { errors } from '../errors/errors.ts'
import { sealJson } from '../postings/sealing.ts'
import { type BoundModel, boundModel, destinationOf } from '../providers/bindings.ts'
import { jobAsker } from '../providers/job-asker.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { sourceResource } from '../sources/resource.ts'
import { askForVectors, embedKind } from '../vectors/ask-for-vectors.ts'
import { packVectors } from '../vectors/packed.ts'
import { type Batch, chunksAfter, type EmbeddedBatch, embedBatch } from './batches.ts'

type Context = JobContext<SvcAiServices>

export const embedJob: JobDeclaration<SvcAiServices> = {
  kind: embedKind,
  lane: 'long',
  maxAttempts: 3,
  leaseMs: 120_000,
  everyMs: null,
  run: embedSource,
}

interface Begun {
  readonly source: SourceRow
  readonly bound: BoundModel
  /** Of the rows that are about to be written. */
  readonly generation: string
}

async function embedSource(context: Context): Promise<void> {
  const id = String(context.payload.source_id)
  const begun = await begin(context, id)
  if (begun === null) return
  try {
    const made = await embedChunks(context, begun)
    await context.complete((tx) => settle(context, tx, { ...begun, ...made }))
  } catch (error) {
    // Limits and failures of a provider pass: the job is tried again.
    if (!(error instanceof ProblemError) || error.status === 429 || error.status >= 500) throw error
    await context.complete((tx) => noteFault(context, tx, { id, reason: error.message }))
  }
}

async function begin({ kernel, tenantId, transaction }: Context, id: string): Promise<Begun | null> {
  const bound = await boundModel(kernel, { tenantId }, 'embedding')
  if (bound === null) return null
  return transaction(async (tx) => {
    const source = await sources.get(tx, id)
    if (source === null || source.index_version === 0) return null
    // Of an attempt that did not end.
    await tx.execute(sql`
      delete from svc_ai_vector
      where source_id = ${id} and generation is distinct from ${source.vector_generation}::uuid`)
    return { source, bound, generation: kernel.random.uuid() }
  })
}

interface Made {
  /** Null where there was no chunk to embed. */
  readonly model: string | null
  readonly embedded: number
}

async function embedChunks(context: Context, begun: Begun): Promise<Made> {
  const { services, kernel, tenantId } = context
  const { source, bound } = begun
  const { classification, created_by: userId } = source
  if (userId === null)
    throw errors.cannotServe({
      what: 'The person who added the source is gone, in whose name its text would be sent. Add it again.',
    })
  const asker = await jobAsker(context, { userId, kind: embedKind, ceiling: ['svc-ai:write'] })
  const { cleared } = await services.gateway.providerClearance(asker, destinationOf(bound), classification)
  if (!cleared)
    throw errors.cannotServe({ what: `Data of the class ${classification} may not be sent to the embedding model.` })
  let model: string | null = null
  let embedded = 0
  for (let after: string | null = null; ; ) {
    const page: Batch = await chunksAfter(kernel, tenantId, { sourceId: source.id, after })
    after = page.at(-1)?.id ?? null
    if (after === null) return { model, embedded }
    const made = await embedBatch(services, { asker, bound, classification }, page)
    if (made === null) continue
    model ??= made.model
    // Vectors of two models are not comparable: an alias or a route moved in between.
    if (made.model !== model)
      throw errors.cannotServe({ what: `The embedding model changed from ${model} to ${made.model} in between.` })
    await writeRow(context, begun, made)
    embedded += made.ids.length
    await context.progress(Math.min(1, embedded / Math.max(1, source.chunks)))
  }
}

async function writeRow(context: Context, { source, generation }: Begun, { ids, vectors: made }: EmbeddedBatch) {
  const { kernel, tenantId, transaction } = context
  const id = kernel.random.uuid()
  const place = { tenantId, table: 'svc_ai_vector', id }
  const sealed = await sealJson(kernel.tenantKeys, place, packVectors(ids, made))
  const row = { id, tenant_id: tenantId, created_at: kernel.clock.iso(), source_id: source.id, generation, sealed }
  await transaction(async (tx) => {
    // A source that was deleted meanwhile keeps no vector.
    if ((await sources.get(tx, source.id)) !== null) await insertMany(tx, vectors, [row])
  })
}

/** The new vectors take the place of the old ones, unless the source was indexed again meanwhile. */
async function settle({ kernel }: Context, tx: Tx, { source, generation, model, embedded }: Begun & Made) {
  const [held] = await holdAll(tx, sourceResource, { where: sql`id = ${source.id}`, limit: 1 })
  if (held === undefined) return
  const isOld = held.row.index_version !== source.index_version
  const kept = isOld ? held.row.vector_generation : generation
  await tx.execute(sql`
    delete from svc_ai_vector where source_id = ${source.id} and generation is distinct from ${kept}::uuid`)
  if (isOld) return askForVectors(tx, source.id)
  await sources.patch(tx, source.id, {
    ...{ vector_generation: generation, embedding_model: model, embedded_chunks: embedded, embedding_error: null },
    updated_at: kernel.clock.iso(),
  })
}

async function noteFault({ kernel }: Pick<SvcAiServices, 'kernel'>, tx: Tx, { id, reason }: Fault): Promise<void> {
  const [held] = await holdAll(tx, sourceResource, { where: sql`id = ${id}`, limit: 1 })
  if (held === undefined) return
  await sources.patch(tx, id, { embedding_error: reason.slice(0, 500), updated_at: kernel.clock.iso() })
}

interface Fault {
  readonly id: string
  readonly reason: string
}

/** A source whose job failed as often as it may says so, and is searched by its words. */
export function failVectorsWithJob(services: SvcAiServices): Notice<DeadJob> {
  return async (tx, { kind, payload }) => {
    if (kind !== embedKind) return
    const reason = 'The embedding model could not be asked. Bind it again, or index the source again.'
    await noteFault(services, tx, { id: String(payload.source_id), reason })
  }
}
