/** Cohere's embeddings (v2) towards and from providers. Pure. Tested in cohere.test.ts. */
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, CanonicalCall } from '../../../call/call.ts'
import { UpstreamFault } from '../../fault.ts'
import { parseJson } from '../openai/decode.ts'
import { withoutNulls } from '../openai/encode.ts'
import { readUsage } from './decode.ts'
import { CohereEmbeddings } from './schema.ts'

/**
 * The vendor requires the purpose of the vectors. Callers do not give one, and this is the purpose for building an
 * index.
 */
const purpose = 'search_document'

export function encodeEmbeddings({ embed }: CanonicalCall, model: string): Record<string, unknown> {
  const texts = embed?.inputs ?? []
  if (texts.some((input) => typeof input !== 'string'))
    throw new UpstreamFault('bad_request', 'This kind of provider embeds texts, not lists of tokens.')
  return withoutNulls({
    model,
    texts,
    input_type: purpose,
    embedding_types: [embed?.encoding ?? 'float'],
    output_dimension: embed?.dimensions ?? null,
    // A text that is too long is refused, not cut.
    truncate: 'NONE',
  })
}

/** @throws UpstreamFault `invalid` */
export function decodeEmbeddings(text: string): readonly AnswerEvent[] {
  const answer = parseJson(text)
  if (!fits(CohereEmbeddings, answer)) throw new UpstreamFault('invalid', 'it is no list of embeddings')
  const { embeddings, meta } = answer
  const vectors: readonly (readonly number[] | string)[] = embeddings.float ?? embeddings.base64 ?? []
  return [
    { type: 'start', model: '', fingerprint: null },
    ...vectors.map((vector, index) => ({ type: 'embedding', index, vector }) as const),
    ...(meta?.billed_units ? [{ type: 'usage', usage: readUsage(meta) } as const] : []),
  ]
}
