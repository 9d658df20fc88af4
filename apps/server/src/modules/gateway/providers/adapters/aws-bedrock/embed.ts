/**
 * Embeddings of Bedrock, which every vendor's models there have in a form of their own: Amazon's Titan takes one text,
 * Cohere a list. Pure. Tested in embed.test.ts.
 */
import Type from 'typebox'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, CanonicalCall } from '../../../call/call.ts'
import { countedTokens } from '../../../call/events.ts'
import { UpstreamFault } from '../../fault.ts'
import { encodeEmbeddings as encodeCohere } from '../cohere/embed.ts'
import { textsOf } from '../google-gemini/embed.ts'
import { parseJson } from '../openai/decode.ts'

export function encodeEmbeddings(call: CanonicalCall, model: string): Record<string, unknown> {
  if (model.includes('cohere.embed')) {
    // The model stands in the address.
    const { model: _, ...body } = encodeCohere(
      { ...call, embed: call.embed && { ...call.embed, encoding: null } },
      model,
    )
    return body
  }
  if (!model.includes('amazon.titan-embed'))
    throw new UpstreamFault('bad_request', 'Of this kind of provider, models of Titan and Cohere embed here.')
  const [text = '', ...more] = textsOf(call)
  if (more.length > 0) throw new UpstreamFault('bad_request', 'This model embeds one text at a time.')
  const dimensions = call.embed?.dimensions ?? null
  return { inputText: text, ...(dimensions === null ? {} : { dimensions }) }
}

const Vector = Type.Array(Type.Number())
const Vectors = Type.Array(Vector, { maxItems: 2048 })
const count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const Titan = Type.Object({ embedding: Vector, inputTextTokenCount: Type.Optional(count) })
const Cohere = Type.Object({ embeddings: Type.Union([Vectors, Type.Object({ float: Vectors })]) })

/** @throws UpstreamFault `invalid` */
export function decodeEmbeddings(text: string): readonly AnswerEvent[] {
  const answer = parseJson(text)
  const start = { type: 'start', model: '', fingerprint: null } as const
  if (fits(Titan, answer)) {
    const { embedding: vector, inputTextTokenCount: read } = answer
    const usage = countedTokens('upstream', { inputTokens: read ?? 0, outputTokens: 0 })
    const counted = read === undefined ? [] : [{ type: 'usage', usage } as const]
    return [start, { type: 'embedding', index: 0, vector }, ...counted]
  }
  if (!fits(Cohere, answer)) throw new UpstreamFault('invalid', 'it is no list of embeddings')
  const vectors = 'float' in answer.embeddings ? answer.embeddings.float : answer.embeddings
  return [start, ...vectors.map((vector, index) => ({ type: 'embedding', index, vector }) as const)]
}
