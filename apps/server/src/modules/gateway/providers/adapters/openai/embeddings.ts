/** OpenAI's embeddings towards and from providers. Pure. Tested in openai-own.test.ts. */
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, CanonicalCall } from '../../../call/call.ts'
import { UpstreamFault } from '../../fault.ts'
import { parseJson } from './decode.ts'
import { putBack, withoutNulls } from './encode.ts'
import { OpenAiEmbeddings } from './schema.ts'
import { usageOfVectors } from './usage.ts'

export function encodeEmbeddings(call: CanonicalCall, model: string): Record<string, unknown> {
  const body = withoutNulls({
    model,
    input: call.embed?.inputs ?? [],
    dimensions: call.embed?.dimensions ?? null,
    encoding_format: call.embed?.encoding ?? null,
    user: call.user,
  })
  putBack(body, call, 'openai_embeddings')
  return body
}

/** @throws UpstreamFault `invalid` */
export function decodeEmbeddings(text: string): readonly AnswerEvent[] {
  const answer = parseJson(text)
  if (!fits(OpenAiEmbeddings, answer)) throw new UpstreamFault('invalid', 'it is no list of embeddings')
  return [
    { type: 'start', model: answer.model ?? '', fingerprint: null },
    ...answer.data.map(({ index, embedding }) => ({ type: 'embedding', index, vector: embedding }) as const),
    ...usageOfVectors(answer.usage),
  ]
}
