/** Gemini's embeddings towards and from providers. Pure. Tested in gemini.test.ts. */
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, CanonicalCall } from '../../../call/call.ts'
import { UpstreamFault } from '../../fault.ts'
import { parseJson } from '../openai/decode.ts'
import { GeminiEmbeddings } from './schema.ts'
import { readUsage } from './usage.ts'

/** The texts of a call. @throws UpstreamFault for lists of tokens */
export function textsOf({ embed }: CanonicalCall): readonly string[] {
  return (embed?.inputs ?? []).map((input) => {
    if (typeof input === 'string') return input
    throw new UpstreamFault('bad_request', 'This kind of provider embeds texts, not lists of tokens.')
  })
}

/** `path` names the model as the address does. */
export function encodeEmbeddings(call: CanonicalCall, path: string): Record<string, unknown> {
  const dimensions = call.embed?.dimensions ?? null
  return {
    requests: textsOf(call).map((text) => ({
      model: path,
      content: { parts: [{ text }] },
      ...(dimensions === null ? {} : { outputDimensionality: dimensions }),
    })),
  }
}

/** @throws UpstreamFault `invalid` */
export function decodeEmbeddings(text: string): readonly AnswerEvent[] {
  const answer = parseJson(text)
  if (!fits(GeminiEmbeddings, answer)) throw new UpstreamFault('invalid', 'it is no list of embeddings')
  const { embeddings, usageMetadata: usage } = answer
  return [
    { type: 'start', model: '', fingerprint: null },
    ...embeddings.map(({ values }, index) => ({ type: 'embedding', index, vector: values }) as const),
    ...(usage ? [{ type: 'usage', usage: readUsage(usage) } as const] : []),
  ]
}
