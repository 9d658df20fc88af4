/**
 * Requests vectors from the operator's embedding model. It is dialed only through the guarded egress, every vector has
 * length 1, an answer in another form is an error, and after repeated failures the model is not asked for a while;
 * texts that it refuses do not count as failures. Tested in ../../topics.test.ts.
 */

import type { ScoreTable } from '@parapet/detect'
import type { AbortWatch } from '../../../../kernel/base/abort.ts'
import type { Clock } from '../../../../kernel/base/clock.ts'
import { textOfFile } from '../../../../kernel/config/operator-file.ts'
import type { Egress } from '../../../../kernel/egress/fetch.ts'
import type { EmbeddingsEntry } from './file.ts'

export interface Embedder {
  /** @throws Error if there are no vectors, or the signal's reason */
  vectorsOf(texts: readonly string[], signal: AbortWatch): Promise<readonly Float32Array[]>
}

interface Parts {
  readonly egress: Egress
  readonly clock: Pick<Clock, 'monotonic'>
}

const defaultTimeoutMs = 2000
const defaultBatch = 32
const maxAnswerBytes = 16 * 1_048_576
const failuresUntilRest = 5
const restMs = 30_000

/** @throws Error if the authorization file cannot be read; RangeError if no text would be sent */
export function createEmbedder(parts: Parts, entry: EmbeddingsEntry): Embedder {
  const { headers = {}, authorization_file: path, batch = defaultBatch } = entry
  const allHeaders = path === undefined ? headers : { ...headers, authorization: textOfFile(path).trim() }
  if (!holdsTexts(entry.request)) throw new RangeError(`request holds no "${textsPlaceholder}"`)
  let failures = 0
  let restsUntil = 0
  const ask = async (texts: readonly string[], signal: AbortWatch) =>
    vectorsIn(await post(parts, { entry, headers: allHeaders, texts, signal }), entry, texts.length)
  return {
    vectorsOf: async (texts, signal) => {
      if (parts.clock.monotonic() < restsUntil) throw new Error('The embedding model rests after it failed.')
      const sent = texts.map((text) => text.toWellFormed())
      const batches = Array.from({ length: Math.ceil(sent.length / batch) }, (_, index) =>
        sent.slice(index * batch, (index + 1) * batch),
      )
      try {
        const found = (await Promise.all(batches.map((some) => ask(some, signal)))).flat()
        failures = 0
        return found
      } catch (error) {
        signal.throwIfAborted()
        // A call counts once, however many texts it has; a refusal of its texts says nothing about the model.
        if (!(error instanceof RefusedTexts)) failures += 1
        if (failures >= failuresUntilRest) restsUntil = parts.clock.monotonic() + restMs
        throw error
      }
    },
  }
}

class RefusedTexts extends Error {}

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429

interface Posting {
  readonly entry: EmbeddingsEntry
  readonly headers: Readonly<Record<string, string>>
  readonly texts: readonly string[]
  readonly signal: AbortWatch
}

async function post({ egress }: Parts, { entry, headers, texts, signal }: Posting): Promise<unknown> {
  const ms = entry.timeout_ms ?? defaultTimeoutMs
  const answer = await egress.fetch({
    url: entry.url,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(filled(entry.request, texts)),
    timeouts: { connectMs: ms, firstByteMs: ms, idleMs: ms, totalMs: ms },
    maxBytes: maxAnswerBytes,
    signal,
  })
  const { status } = answer
  if (isRefusal(status)) throw new RefusedTexts(`The embedding model refused the texts with status ${status}.`)
  if (status < 200 || status > 299) throw new Error(`The embedding model answered with status ${status}.`)
  return JSON.parse(new TextDecoder().decode(await answer.bytes())) as unknown
}

const textsPlaceholder = '{{texts}}'

function holdsTexts(template: unknown): boolean {
  if (typeof template !== 'object' || template === null) return template === textsPlaceholder
  return Object.values(template).some(holdsTexts)
}

function filled(template: unknown, texts: readonly string[]): unknown {
  if (template === textsPlaceholder) return texts
  if (Array.isArray(template)) return template.map((one) => filled(one, texts))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, filled(value, texts)]))
}

function vectorsIn(answer: unknown, { vectors: { items, at } }: EmbeddingsEntry, wanted: number) {
  const list = valueAt(answer, items)
  if (!Array.isArray(list) || list.length !== wanted)
    throw new Error('The answer of the embedding model holds another number of vectors.')
  return list.map((item) => unit(valueAt(item, at)))
}

function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((place, name) => {
      const isHere = typeof place === 'object' && place !== null && Object.hasOwn(place, name)
      return isHere ? Reflect.get(place, name) : undefined
    }, value)
}

function unit(vector: unknown): Float32Array {
  const isVector = Array.isArray(vector) && vector.every((one) => typeof one === 'number' && Number.isFinite(one))
  const length = isVector ? Math.hypot(...vector) : 0
  if (!isVector || length === 0) throw new Error('The answer of the embedding model holds something that is no vector.')
  return Float32Array.from(vector, (one) => one / length)
}

export interface TopicModel {
  readonly embedder: Embedder
  /** Maps the cosine of two vectors to the score that thresholds refer to. */
  readonly calibration: ScoreTable
}
