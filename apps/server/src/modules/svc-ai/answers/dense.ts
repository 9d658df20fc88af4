/**
 * Ranks chunks by the likeness of their vectors to that of the question. The question becomes a vector through the gateway,
 * as a call of its person; where that cannot be, `auto` searches by words alone and says why. Tested in hybrid.test.ts.
 */
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Asker } from '../../gateway/api.ts'
import type { LexicalReason, RetrievalMode } from '../declared/retrieval-words.ts'
import type { SourceRow } from '../declared/source-schema.ts'
import { embedTexts } from '../embeddings/embed-texts.ts'
import { errors } from '../errors/errors.ts'
import { boundModel } from '../providers/bindings.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import type { EmbeddedSource } from '../vectors/vector-indexes.ts'

export interface Dense {
  /** Chunks, nearest first; null where vectors were not searched. */
  readonly ranking: readonly string[] | null
  readonly reason: LexicalReason | null
}

export interface DenseAsked {
  readonly asker: Asker
  readonly text: string
  readonly mode: RetrievalMode
  readonly sources: readonly Pick<SourceRow, 'id' | 'embedding_model' | 'vector_generation'>[]
  readonly top: number
}

const lexical = (reason: LexicalReason): Dense => ({ ranking: null, reason })

/** @throws where the mode is `hybrid`: SVC-022, and as a call of the gateway */
export async function denseRanking(
  services: Pick<SvcAiServices, 'kernel' | 'gateway' | 'vectors'>,
  { asker, text, mode, sources, top }: DenseAsked,
): Promise<Dense> {
  if (mode === 'lexical') return lexical('asked')
  const { tenantId } = asker.actor
  const bound = await boundModel(services.kernel, { tenantId }, 'embedding')
  if (bound === null) {
    if (mode === 'hybrid') throw errors.embeddingUnbound()
    return lexical('no_embedding_model')
  }
  const embedded = sources.filter(({ vector_generation: generation }) => generation !== null)
  if (embedded.length === 0) return lexical('not_embedded')
  const asked = { asker, bound, inputs: [text], classification: 'public' as const }
  const made = await embedTexts(services, asked).catch((error: unknown) => {
    if (mode === 'hybrid' || !(error instanceof ProblemError)) throw error
    return null
  })
  const vector = made?.vectors[0]
  if (made === null || vector === undefined) return lexical('embedding_refused')
  const comparable = embedded.flatMap(
    ({ id, embedding_model: model, vector_generation: generation }): EmbeddedSource[] =>
      generation === null || model !== made.model ? [] : [{ id, vector_generation: generation }],
  )
  if (comparable.length === 0) return lexical('not_embedded')
  const matches = await services.vectors.nearest({ tenantId, sources: comparable, vector, top })
  return { ranking: matches.map(({ id }) => id), reason: null }
}
