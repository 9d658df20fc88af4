/**
 * The sentences of a text that look most like an attack, each with what its passage and its request say: the worst of them
 * is found when rules have spoken too. Promises work linear in what it is given. Tested in places.test.ts.
 */
import type { Span } from './rarity.ts'

/** A sentence with `attack` and `request` logits as everywhere and the highest `attack` logit of a passage around it. */
export interface Place extends Span {
  readonly attack: number
  readonly passage: number
  readonly request: number
}

/** A span with its `attack` logit by rarity. */
export interface Weighed extends Span {
  readonly logit: number
}

/** By how much less than its own logit counts for a sentence what no suspect passage around it confirms. */
const unconfirmed = 2

/** Sentences kept. */
const most = 16

/** What a request weighs beside an attack. */
const requestShare = 0.3

/** Characters that a sentence is taken to be short of: a few words prove little however they sound. */
const doubt = 40

/** Where a logit without evidence lies. */
const neutral = -2

/** A logit drawn toward that of no evidence, the more the shorter its text. */
export function doubted(logit: number, characters: number): number {
  return (logit - neutral) * Math.sqrt(characters / (characters + doubt)) + neutral
}

/** How much a place speaks for an attack before rules are asked. */
export function suspicionOf({ attack, passage, request }: Place): number {
  return attack + passage + requestShare * request
}

export interface Places {
  /** Counts the suspect sentences and passages of a part of the text that begins at `offset`. */
  add(
    found: { readonly sentences: readonly Weighed[]; readonly passages: readonly Weighed[] },
    requestOf: (span: Span) => number,
    offset: number,
  ): void
  /** The most suspect first. */
  list(): readonly Place[]
}

export function createPlaces(): Places {
  let kept: readonly Place[] = []
  return {
    add: ({ sentences, passages }, requestOf, offset) => {
      const judged = sentences.map((span) => {
        const characters = span.end - span.start
        return { ...span, attack: doubted(span.logit, characters), request: doubted(requestOf(span), characters) }
      })
      const best = highest(judged, ({ attack, request }) => attack + requestShare * request)
      const places = best.map(({ start, end, logit, attack, request }) => {
        const passage = passages.reduce(
          (top, other) => (other.start < end && other.end > start ? Math.max(top, other.logit) : top),
          logit - unconfirmed,
        )
        return { start: offset + start, end: offset + end, attack, passage, request }
      })
      kept = highest([...kept, ...places], suspicionOf)
    },
    list: () => kept,
  }
}

function highest<T>(items: readonly T[], weightOf: (item: T) => number): readonly T[] {
  if (items.length <= most) return items.toSorted((a, b) => weightOf(b) - weightOf(a))
  const top: { readonly item: T; readonly value: number }[] = []
  for (const item of items) {
    const value = weightOf(item)
    if (top.length === most && value <= (top[most - 1]?.value ?? 0)) continue
    const at = top.findIndex((other) => value > other.value)
    top.splice(at < 0 ? top.length : at, 0, { item, value })
    if (top.length > most) top.pop()
  }
  return top.map(({ item }) => item)
}
