/** Embeddings of Google's cloud towards and from providers. Pure. Tested in vertex.test.ts. */
import Type from 'typebox'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, CanonicalCall } from '../../../call/call.ts'
import { countedTokens } from '../../../call/events.ts'
import { UpstreamFault } from '../../fault.ts'
import { textsOf } from '../google-gemini/embed.ts'
import { parseJson } from '../openai/decode.ts'

export function encodeEmbeddings(call: CanonicalCall): Record<string, unknown> {
  const dimensions = call.embed?.dimensions ?? null
  return {
    instances: textsOf(call).map((content) => ({ content })),
    // A text that is too long is refused, not cut.
    parameters: { autoTruncate: false, ...(dimensions === null ? {} : { outputDimensionality: dimensions }) },
  }
}

const Predictions = Type.Object({
  predictions: Type.Array(
    Type.Object({
      embeddings: Type.Object({
        values: Type.Array(Type.Number()),
        statistics: Type.Optional(
          Type.Object({ token_count: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000_000 })) }),
        ),
      }),
    }),
    { maxItems: 2048 },
  ),
})

/** @throws UpstreamFault `invalid` */
export function decodeEmbeddings(text: string): readonly AnswerEvent[] {
  const answer = parseJson(text)
  if (!fits(Predictions, answer)) throw new UpstreamFault('invalid', 'it is no list of embeddings')
  const counts = answer.predictions.map(({ embeddings }) => embeddings.statistics?.token_count ?? null)
  const inputTokens = counts.reduce<number>((sum, count) => sum + Math.ceil(count ?? 0), 0)
  const usage = countedTokens('upstream', { inputTokens, outputTokens: 0 })
  return [
    { type: 'start', model: '', fingerprint: null },
    ...answer.predictions.map(
      ({ embeddings }, index) => ({ type: 'embedding', index, vector: embeddings.values }) as const,
    ),
    ...(counts.includes(null) ? [] : [{ type: 'usage', usage } as const]),
  ]
}
