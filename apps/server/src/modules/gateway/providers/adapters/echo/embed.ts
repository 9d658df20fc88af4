/**
 * Vectors without a model: signed feature hashing of words and character trigrams (Weinberger et al. 2009), of length 1.
 * Texts that share words are near each other, which is enough to see a semantic search work; it knows no meaning. Tested
 * in embeddings/sdk-embeddings.test.ts.
 */
import { createHash } from 'node:crypto'
import type { AnswerEvent, EmbeddingInput } from '../../../call/call.ts'
import { countedTokens } from '../../../call/events.ts'
import { tokensOf } from '../../../call/tokens.ts'
import { UpstreamFault } from '../../fault.ts'
import { embeddingModel } from './echo.ts'

export const echoDimensions = 256

/** Vectors of all inputs. @throws UpstreamFault for lists of tokens, which it has no words for */
export async function* echoEmbeddings({ inputs, dimensions }: EmbeddingInput): AsyncGenerator<AnswerEvent> {
  yield { type: 'start', model: embeddingModel, fingerprint: null }
  let characters = 0
  for (const [index, input] of inputs.entries()) {
    if (typeof input !== 'string')
      throw new UpstreamFault('bad_request', 'The demo provider reads texts, no lists of tokens.')
    characters += input.length
    yield { type: 'embedding', index, vector: hashedVector(input, dimensions ?? echoDimensions) }
  }
  const inputTokens = tokensOf(characters)
  yield { type: 'usage', usage: countedTokens('estimated', { inputTokens, outputTokens: 0 }) }
}

const gramLength = 3
/** A shared word says more than a shared piece of one. */
const wordWeight = 2

export function hashedVector(text: string, dimensions: number = echoDimensions): readonly number[] {
  const sums = new Float64Array(dimensions)
  for (const { feature, weight } of featuresOf(text)) {
    const digest = createHash('sha256').update(feature).digest()
    const place = digest.readUInt32LE(0) % dimensions
    const sign = (digest[4] ?? 0) % 2 === 0 ? 1 : -1
    sums[place] = (sums[place] ?? 0) + sign * weight
  }
  const length = Math.hypot(...sums)
  // As 32-bit floats, so that both encodings of the wire say the same.
  return [...sums].map((value) => Math.fround(length === 0 ? 0 : value / length))
}

interface Feature {
  readonly feature: string
  readonly weight: number
}

function featuresOf(text: string): readonly Feature[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return words.flatMap((word) => [
    { feature: `word:${word}`, weight: wordWeight },
    ...gramsOf(` ${word} `).map((gram) => ({ feature: `gram:${gram}`, weight: 1 })),
  ])
}

function gramsOf(text: string): readonly string[] {
  const characters = [...text]
  return Array.from({ length: Math.max(0, characters.length - gramLength + 1) }, (_, at) =>
    characters.slice(at, at + gramLength).join(''),
  )
}
