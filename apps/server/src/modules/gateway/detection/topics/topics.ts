/**
 * Topics of texts: their similarity, by the operator's embedding model, to the description and the examples of each
 * topic. The model gets only texts redacted by the policy, each text is sent once, and a missing answer never counts as
 * consent. Tested in ../../topics.test.ts.
 */

import type { AbortWatch } from '../../../../kernel/base/abort.ts'
import { sha256 } from '../../../../kernel/crypto/digest.ts'
import type { WithLife } from '../../admission/call-life.ts'
import type { WithFacts } from '../../call/facts.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { PolicyDocument } from '../../policy/document.ts'
import type { Side } from '../../words/policy-words.ts'
import type { TopicModel } from '../classifiers/embedder.ts'
import { piecesOf } from './pieces.ts'

export type Topic = PolicyDocument['content']['topics'][number]

export interface AboutText {
  readonly location: string
  readonly text: string
}

export interface TopicHit {
  readonly topic: Topic
  readonly location: string
}

export interface Topics {
  /** Null if the texts exceed the limit. @throws Error if no result is available, or the signal's reason */
  find(
    state: WithFacts & WithLife & WithPlan,
    texts: readonly AboutText[],
    side: Side,
  ): Promise<readonly TopicHit[] | null>
}

/** Pieces of all texts of a call or answer. */
const mostPieces = 256
/** Vectors that are remembered; one is a few kilobytes. */
const mostKnown = 4000

export function topicsFor({ plan: { policy } }: WithPlan, side: Side): readonly Topic[] {
  return policy.effective.content.topics.filter(({ on, action }) => on.includes(side) && action !== 'allow')
}

export function createTopics(model: TopicModel | null): Topics {
  const known = new Map<string, Float32Array>()
  return {
    find: async (state, texts, side) => {
      const topics = topicsFor(state, side)
      const pieces = texts.map(({ text }) => piecesOf(text))
      if (topics.length === 0 || pieces.every(({ length }) => length === 0)) return []
      if (model === null) throw new Error('This installation has no model that tells what a text is about')
      if (pieces.reduce((sum, { length }) => sum + length, 0) > mostPieces) return null
      const of = { tenantId: state.facts.tenantId, signal: state.life.abort, model, known }
      const vectors = await vectorsOf([...new Set([...topics.flatMap(wordsOf), ...pieces.flat()])], of)
      const near = (topic: Topic, piece: string): boolean =>
        wordsOf(topic).some((words) => model.calibration.scoreOf(cosine(vectors, words, piece)) >= topic.threshold)
      return texts.flatMap(({ location }, index) =>
        topics
          .filter((topic) => pieces[index]?.some((piece) => near(topic, piece)))
          .map((topic) => ({ topic, location })),
      )
    },
  }
}

/** Texts that represent a topic; similarity to any of them is sufficient. */
export function wordsOf({ description, examples }: Pick<Topic, 'description' | 'examples'>): readonly string[] {
  return [description, ...examples].map((words) => words.trim()).filter((words) => words !== '')
}

/** For vectors of length 1; vectors that point away count as the greatest distance. */
function cosine(vectors: ReadonlyMap<string, Float32Array>, one: string, other: string): number {
  const [a, b] = [vectors.get(one), vectors.get(other)]
  if (a === undefined || b === undefined || a.length !== b.length) throw new Error('Two vectors cannot be compared')
  const dot = a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
  return Math.min(1, Math.max(0, dot))
}

interface Asking {
  readonly tenantId: string
  readonly signal: AbortWatch
  readonly model: TopicModel
  readonly known: Map<string, Float32Array>
}

/** The response time must not reveal to a tenant which texts another tenant sent. */
async function vectorsOf(texts: readonly string[], { tenantId, signal, model, known }: Asking) {
  const keyOf = (text: string): string => sha256(`${tenantId}\n${text}`, 'base64url')
  const missing = texts.filter((text) => !known.has(keyOf(text)))
  const found = new Map(texts.flatMap((text) => [[text, known.get(keyOf(text))] as const]))
  const fresh = missing.length === 0 ? [] : await model.embedder.vectorsOf(missing, signal)
  for (const [index, text] of missing.entries()) {
    const vector = fresh[index]
    if (vector === undefined) throw new Error('The embedding model left a text out')
    found.set(text, vector)
    known.set(keyOf(text), vector)
  }
  for (const key of known.keys()) {
    if (known.size <= mostKnown) break
    known.delete(key)
  }
  return new Map([...found].flatMap(([text, vector]) => (vector === undefined ? [] : [[text, vector] as const])))
}
