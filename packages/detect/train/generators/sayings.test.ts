import { describe, expect, test } from 'vitest'
import type { Generator } from '../rows/row.ts'
import { generator as attackPersonaLong } from './attack/persona-long.ts'
import { generator as benignPersonaLong } from './benign/persona-long.ts'
import { generator as benignSayings } from './benign/sayings.ts'
import { sayings } from './sayings/all.ts'

const all: readonly Generator[] = [benignSayings, attackPersonaLong, benignPersonaLong]

describe.each(all.map((generator) => [generator.name, generator] as const))('%s', (_, generator) => {
  const rows = generator.rows()

  test('gives the same rows every time', () => {
    expect(generator.rows()).toEqual(rows)
  })

  test('leaves no text empty', () => {
    expect(rows.filter(({ text }) => text.trim() === '')).toEqual([])
  })

  test('has fewer than one duplicate in fifty rows', () => {
    expect(new Set(rows.map(({ text }) => text)).size).toBeGreaterThan(rows.length * 0.98)
  })
})

test('sayings cover 30 languages with 38 lines or more each', () => {
  const counts = Object.values(sayings).map((lines) => lines.length)
  expect(counts).toHaveLength(30)
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(38)
})

test.each([
  [attackPersonaLong, 1, 'jailbreak-roleplay'],
  [benignPersonaLong, 0, 'roleplay-benign'],
] as const)('long personas are 400 rows of one label and a length like real ones', (generator, label, kind) => {
  const rows = generator.rows()
  expect(rows).toHaveLength(400)
  expect(rows.every((row) => row.label === label && row.kind === kind)).toBe(true)
  expect(rows.filter(({ text }) => /[«»⏎]/.test(text))).toEqual([])
  // Typing noise may take or add a tenth of the 300 to 3,500 characters.
  expect(rows.every(({ text }) => text.length > 250 && text.length < 3900)).toBe(true)
})
