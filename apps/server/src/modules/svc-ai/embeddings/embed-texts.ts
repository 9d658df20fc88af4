/**
 * Vectors of texts, made by the model that is bound to the role `embedding`, through the gateway: its policies, budgets,
 * kill switches and log hold for them as for every call. Tested in hybrid.test.ts.
 */
import type { Asker } from '../../gateway/api.ts'
import type { DataClass } from '../chunking/scan-words.ts'
import { errors } from '../errors/errors.ts'
import { type BoundModel, destinationOf } from '../providers/bindings.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'

export interface Embedding {
  readonly asker: Asker
  readonly bound: BoundModel
  readonly inputs: readonly string[]
  readonly classification: DataClass
}

export interface EmbeddedTexts {
  /** Provider and model that made them: only vectors of one model are comparable. */
  readonly model: string
  /** One for each input. */
  readonly vectors: readonly Float32Array[]
}

const mostDimension = 8_192

/** @throws SVC-017 where the answer is no list of vectors, and as a call of the gateway */
export async function embedTexts(
  { gateway }: Pick<SvcAiServices, 'gateway'>,
  { asker, bound, inputs, classification }: Embedding,
): Promise<EmbeddedTexts> {
  const { provider, model, vectors } = await gateway.embed(asker, {
    ...destinationOf(bound),
    inputs,
    metadata: { tag: 'svc-ai', classification },
  })
  const dimension = vectors[0]?.length ?? 0
  const usable =
    vectors.length === inputs.length &&
    dimension >= 1 &&
    dimension <= mostDimension &&
    vectors.every((vector) => vector.length === dimension && vector.every(Number.isFinite))
  if (!usable)
    throw errors.cannotServe({ what: `The model ${model} did not answer with one vector of numbers for each text.` })
  return { model: `${provider}/${model}`, vectors: vectors.map((vector) => Float32Array.from(vector)) }
}
