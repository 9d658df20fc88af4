/**
 * The sentences of a text that look most like an attack, each with the scores of its passage and its request: the worst
 * of them is found when rules have spoken too. Promises work linear in its input. Tested in places.test.ts.
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

/** Weight of a request beside an attack. */
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
  const kept = createTop<Place>()
  return {
    add: ({ sentences, passages }, requestOf, offset) => {
      const best = createTop<Weighed & { readonly request: number }>()
      for (const span of sentences) {
        const characters = span.end - span.start
        const request = doubted(requestOf(span), characters)
        const weight = doubted(span.logit, characters) + requestShare * request
        if (best.admits(weight)) best.put(weight, { ...span, request })
      }
      for (const { start, end, logit, request } of best.list()) {
        let passage = logit - unconfirmed
        for (const other of passages)
          if (other.start < end && other.end > start) passage = Math.max(passage, other.logit)
        const place = {
          start: offset + start,
          end: offset + end,
          attack: doubted(logit, end - start),
          passage,
          request,
        }
        const weight = suspicionOf(place)
        if (kept.admits(weight)) kept.put(weight, place)
      }
    },
    list: () => kept.list(),
  }
}

interface Top<T> {
  /** Whether something of this weight would be kept. */
  admits(weight: number): boolean
  put(weight: number, item: T): void
  /** The heaviest first; of equals the earlier. */
  list(): readonly T[]
}

function createTop<T>(): Top<T> {
  const top: { readonly item: T; readonly weight: number }[] = []
  return {
    admits: (weight) => top.length < most || weight > (top[most - 1]?.weight ?? 0),
    put: (weight, item) => {
      const at = top.findIndex((other) => weight > other.weight)
      top.splice(at < 0 ? top.length : at, 0, { item, weight })
      if (top.length > most) top.pop()
    },
    list: () => top.map(({ item }) => item),
  }
}
