/** Chunks of a source in batches, and their vectors. Tested in hybrid.test.ts. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { openJson } from '../postings/sealing.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { type EmbeddedTexts, type Embedding, embedTexts } from './embed-texts.ts'

export interface EmbeddedChunk {
  readonly id: string
  readonly text: string
}
export type Batch = readonly EmbeddedChunk[]

export interface EmbeddedBatch extends EmbeddedTexts {
  readonly ids: readonly string[]
}

const batch = 64

export interface After {
  readonly sourceId: string
  /** Id of the last chunk of the batch before. */
  readonly after: string | null
}

/** The next chunks that are not quarantined, with their headings in front. */
export async function chunksAfter(
  { db, tenantKeys }: Pick<Kernel, 'db' | 'tenantKeys'>,
  tenantId: TenantId,
  { sourceId, after }: After,
): Promise<Batch> {
  const rows = await db.read(
    tenantId,
    sql<{ id: string; sealed: Uint8Array }>`
      select id, sealed from svc_ai_chunk
      where source_id = ${sourceId} and not quarantined and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${batch}`,
  )
  const chunks: EmbeddedChunk[] = []
  for (const { id, sealed } of rows) {
    const place = { tenantId, table: 'svc_ai_chunk', id }
    const content = (await openJson(tenantKeys, place, sealed)) as { text: string; heading_path: string[] }
    chunks.push({ id, text: [content.heading_path.join(' > '), content.text].join('\n').trim() })
  }
  return chunks
}

/**
 * Null where no chunk got a vector. One that a policy refuses is left out; it is still found by its words.
 * @throws as a call of the gateway, other than with 422
 */
export async function embedBatch(
  services: Pick<SvcAiServices, 'gateway'>,
  asking: Omit<Embedding, 'inputs'>,
  chunks: Batch,
): Promise<EmbeddedBatch | null> {
  const ids = chunks.map(({ id }) => id)
  try {
    return { ids, ...(await embedTexts(services, { ...asking, inputs: chunks.map(({ text }) => text) })) }
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 422) throw error
    if (chunks.length === 1) return null
  }
  return joined([
    await embedBatch(services, asking, chunks.slice(0, chunks.length / 2)),
    await embedBatch(services, asking, chunks.slice(chunks.length / 2)),
  ])
}

function joined(parts: readonly (EmbeddedBatch | null)[]): EmbeddedBatch | null {
  const made = parts.filter((part) => part !== null)
  const [first] = made
  if (first === undefined) return null
  // A half that another model made is left out: its chunks are found by their words.
  const same = made.filter(({ model }) => model === first.model)
  return { model: first.model, ids: same.flatMap(({ ids }) => ids), vectors: same.flatMap((part) => part.vectors) }
}
