import { describe, expect, it } from 'vitest'
import { createPlaces, doubted, suspicionOf, type Weighed } from './places.ts'

const at = (start: number, logit: number, length = 100): Weighed => ({ start, end: start + length, logit })
const silent = (): number => -2

describe('places', () => {
  it('keep the sixteen most suspect sentences over all parts of a text, the worst first', () => {
    const places = createPlaces()
    const sentences = Array.from({ length: 40 }, (_, i) => at(i * 100, (i * 7) % 40))
    places.add({ sentences: sentences.slice(0, 20), passages: [] }, silent, 0)
    places.add(
      { sentences: sentences.slice(20).map(({ start, ...rest }) => ({ ...rest, start })), passages: [] },
      silent,
      0,
    )
    const kept = places.list()
    const worst = sentences.toSorted((a, b) => b.logit - a.logit).slice(0, 16)
    expect(kept.map(({ start }) => start)).toEqual(worst.map(({ start }) => start))
    expect(kept.map(suspicionOf)).toEqual(kept.map(suspicionOf).toSorted((a, b) => b - a))
  })

  it('give a sentence the worst passage that overlaps it, and less than its own logit where none does', () => {
    const places = createPlaces()
    const passages = [at(0, 1, 150), at(50, 3, 150), at(400, 9, 150)]
    places.add({ sentences: [at(100, 2), at(1_000, 2)], passages }, silent, 64)
    expect(places.list().map(({ start, passage }) => [start, passage])).toEqual([
      [164, 3],
      [1_064, 0],
    ])
  })

  it('trust a few words less than a long sentence, and nothing at all not more for being long', () => {
    expect(doubted(4, 20)).toBeLessThan(doubted(4, 200))
    expect(doubted(4, 200)).toBeLessThan(4)
    expect(doubted(-2, 20)).toBe(doubted(-2, 400))
  })

  it('count a request beside the attack', () => {
    const requestOf = ({ start }: { readonly start: number }): number => (start === 0 ? 5 : -2)
    const places = createPlaces()
    places.add({ sentences: [at(200, 1), at(0, 1)], passages: [] }, requestOf, 0)
    expect(places.list()[0]?.start).toBe(0)
  })
})
