import { describe, expect, test } from 'vitest'
import { samplePlaces, sampleSize, undetectedPrevalence } from './sampling.ts'
import { chanceOf, judge } from './verdicts.ts'

describe('a sample', () => {
  test('has the size that its risk asks for', () => {
    expect(sampleSize({ targetPrevalence: 0.01, confidence: 0.95 })).toBe(299)
    expect(sampleSize({ targetPrevalence: 0.001, confidence: 0.95 })).toBe(2_995)
  })

  test('says which prevalence it leaves open, and none where all rows were read', () => {
    expect(undetectedPrevalence({ n: 299, population: 1e6, confidence: 0.95 })).toBeCloseTo(0.00997, 5)
    expect(undetectedPrevalence({ n: 50, population: 50, confidence: 0.95 })).toBe(0)
    expect(0.99 ** 50).toBeCloseTo(0.605, 3)
  })

  test('is the same for the same seed, in order and without repetition, and every place is as likely', () => {
    expect(samplePlaces(10_000, 299, 7)).toEqual(samplePlaces(10_000, 299, 7))
    const counts = new Array<number>(20).fill(0)
    for (let seed = 0; seed < 4_000; seed += 1)
      for (const place of samplePlaces(20, 5, seed)) counts[place] = (counts[place] ?? 0) + 1
    // 1,000 expected for each; five standard errors are 137.
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(137)
  })
})

describe('the judgment of a column', () => {
  test('has the Wilson interval of the literature', () => {
    const { wilson, verdict } = judge({ category: 'email', hits: 285, checked: 0 }, 300, null)
    expect([...wilson].map((value) => value.toFixed(4))).toEqual(['0.9192', '0.9695'])
    expect(verdict).toBe('is')
    expect(judge({ category: 'email', hits: 0, checked: 0 }, 300, null).wilson[1].toFixed(4)).toBe('0.0126')
  })

  test('takes a hit with check digits for proof, and chance for chance', () => {
    expect(judge({ category: 'payment_card', hits: 1, checked: 1 }, 299, null).verdict).toBe('contains')
    expect(judge({ category: 'person_name', hits: 1, checked: 0 }, 299, null).verdict).toBe('none_seen')
    expect(judge({ category: 'person_name', hits: 1, checked: 0 }, 299, 'notes').verdict).toBe('none_seen')
    expect(judge({ category: 'person_name', hits: 1, checked: 0 }, 299, 'lastName').verdict).toBe('contains')
    expect(judge({ category: 'person_name', hits: 12, checked: 0 }, 299, null).verdict).toBe('contains')
  })

  test('computes the tail of the binomial distribution', () => {
    const q = 0.005
    const tail = 1 - (1 - q) ** 10 - 10 * q * (1 - q) ** 9
    expect(chanceOf(2, 10)).toBeCloseTo(tail, 12)
    expect(chanceOf(0, 10)).toBe(1)
  })
})
