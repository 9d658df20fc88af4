/** Share of a system prompt in the letters of a text, given piece by piece. Tested in prompt-leak.test.ts. */
import type { Finding } from '../../base/finding.ts'
import { eachGram } from '../grams/gram-index.ts'
import { squeeze } from '../grams/squeeze.ts'
import { type Cover, createCover, leakFinding } from './prompt-cover.ts'
import { type ShingleSet, shingleNumber } from './prompt-shingles.ts'

const minCoverage = 0.25
const minShingles = 5

export interface LetterTracker {
  feed(piece: string, offset: number): void
  finding(): Finding[]
  coverage(): number
  longest(): number
}

/** Follows runs of the prompt's letters, with any characters between them. */
export function trackLetters(set: ShingleSet): LetterTracker {
  const cover = createCover(set)
  const runs = createRuns()
  let units = new Uint16Array(0)
  let places = new Int32Array(0)
  return {
    feed: (piece, offset) => {
      const next = squeeze(piece, { allScripts: true, offset })
      const all = new Uint16Array(units.length + next.length)
      const where = new Int32Array(all.length)
      all.set(units)
      where.set(places)
      all.set(next.units.subarray(0, next.length), units.length)
      where.set(next.places.subarray(0, next.length), units.length)
      eachGram(all, { length: all.length, size: set.size }, (hash, end) => {
        const number = shingleNumber(set, hash)
        if (number >= 0) {
          cover.add(number)
          runs.grow(where[end - set.size] ?? 0, (where[end - 1] ?? 0) + 1)
        } else runs.close()
      })
      const from = Math.max(0, all.length - set.size + 1)
      units = all.slice(from)
      places = where.slice(from)
    },
    finding: () => lettersFinding(cover, runs.range()),
    coverage: cover.share,
    longest: runs.longest,
  }
}

interface Runs {
  grow(start: number, end: number): void
  close(): void
  longest(): number
  /** From the first run to the last; `start` is -1 without any. */
  range(): { readonly start: number; readonly end: number }
}

function createRuns(): Runs {
  let [first, last, runStart, longest] = [-1, 0, -1, 0]
  return {
    grow: (start, end) => {
      if (runStart < 0) runStart = start
      longest = Math.max(longest, end - runStart)
      if (first < 0) first = runStart
      last = end
    },
    close: () => {
      runStart = -1
    },
    longest: () => longest,
    range: () => ({ start: first, end: last }),
  }
}

function lettersFinding(cover: Cover, { start, end }: { readonly start: number; readonly end: number }): Finding[] {
  const share = cover.share()
  const isTelling = share >= minCoverage && (cover.count() >= minShingles || share === 1)
  if (!isTelling || start < 0) return []
  const score = Math.min(0.95, 0.6 + share / 2)
  const rule = share >= 0.6 ? 'prompt-passage' : 'prompt-coverage'
  const evidence = `${Math.round(share * 100)} % of the system prompt, in pieces`
  return [leakFinding({ start, end, rule, score, evidence })]
}
