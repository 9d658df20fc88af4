/**
 * Rendezvous hashing with weights: a key stays with its target as long as the target is there, and when one goes only its
 * own keys move. Tested in strategies.test.ts.
 */
import { hash } from 'node:crypto'
import type { Candidate } from '../route-model/strategy.ts'

export function rendezvousOrder<C extends Candidate>(candidates: readonly C[], key: string): readonly C[] {
  const scored = candidates.map((candidate) => ({ candidate, score: scoreOf(candidate, key) }))
  return scored.sort((a, b) => b.score - a.score).map(({ candidate }) => candidate)
}

/**
 * -weight / ln(u) with u drawn from the hash: the highest score falls to each target in proportion to its weight
 * (Schindelhauer and Schomaker, weighted distributed hash tables, 2005).
 */
function scoreOf({ key: target, weight }: Candidate, key: string): number {
  // Length first, so that no two pairs are one text.
  const digest = hash('sha256', `${key.length}:${key}${target}`, 'hex')
  // 48 bits, and never 0 or 1.
  const uniform = (Number.parseInt(digest.slice(0, 12), 16) + 0.5) / 2 ** 48
  return -weight / Math.log(uniform)
}
