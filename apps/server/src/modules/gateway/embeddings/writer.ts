/**
 * A list of embeddings in OpenAI's form. Vectors have the requested encoding, whichever the provider sends. Tested in
 * sdk-embeddings.test.ts.
 */

import { collectAnswer } from '../call/answer.ts'
import { numbersOf } from '../call/embedded-numbers.ts'
import type { AnswerWriter } from '../dialects/dialect.ts'
import type { RawBody } from '../dialects/openai/chat-members.ts'
import { embeddingUsage } from '../dialects/openai/usage.ts'
import { rawHeaders } from '../dialects/raw.ts'

export const embeddingsWriter: AnswerWriter<RawBody> = {
  whole: ({ state }, events) => {
    const { model, embeddings } = collectAnswer(events)
    const asBase64 = state.plan.call.embed?.encoding === 'base64'
    const data = embeddings.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: asBase64 ? base64Of(vector) : numbersOf(vector),
    }))
    return { object: 'list', data, model: model || (state.attempts.served?.model ?? ''), usage: embeddingUsage(state) }
  },
  headers: rawHeaders,
  errorHeaders: rawHeaders,
  stream: () => ({ push: () => [], end: () => [], fail: () => [], keepAlive: '' }),
}

const bytesOfNumber = 4

/** Little-endian 32-bit floats, as in this form. */
function base64Of(vector: readonly number[] | string): string {
  if (typeof vector === 'string') return vector
  const bytes = Buffer.alloc(vector.length * bytesOfNumber)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * bytesOfNumber)
  return bytes.toString('base64')
}
