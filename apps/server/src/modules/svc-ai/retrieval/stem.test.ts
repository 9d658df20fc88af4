import { expect, test } from 'vitest'
import { stemOf } from './stem.ts'

test.each([
  ...([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['cats', 'cat'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
  ] as const),
  ...([
    ['motoring', 'motor'],
    ['sing', 'sing'],
    ['conflated', 'conflat'],
    ['hopping', 'hop'],
    ['falling', 'fall'],
  ] as const),
  ...([
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['rational', 'ration'],
  ] as const),
  ...([
    ['digitizer', 'digit'],
    ['vietnamization', 'vietnam'],
    ['sensibiliti', 'sensibl'],
    ['triplicate', 'triplic'],
  ] as const),
  ...([
    ['electrical', 'electr'],
    ['goodness', 'good'],
    ['adjustment', 'adjust'],
    ['adoption', 'adopt'],
  ] as const),
  ...([
    ['replacement', 'replac'],
    ['probate', 'probat'],
    ['rate', 'rate'],
    ['controlling', 'control'],
    ['is', 'is'],
  ] as const),
])('the stem of %s is %s, as Porter’s examples say', (word, stem) => {
  expect(stemOf(word)).toBe(stem)
})
