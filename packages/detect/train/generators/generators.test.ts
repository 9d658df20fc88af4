import { describe, expect, test } from 'vitest'
import { createRandom } from '../rows/random.ts'
import type { Generator } from '../rows/row.ts'
import { generator as exfiltration } from './attack/exfiltration.ts'
import { generator as guarded } from './attack/guarded.ts'
import { generator as indirect } from './attack/indirect.ts'
import { generator as leak } from './attack/leak.ts'
import { generator as override } from './attack/override.ts'
import { generator as passphrase } from './attack/passphrase.ts'
import { generator as persona } from './attack/persona.ts'
import { generator as plantedTask } from './attack/planted-task.ts'
import { generator as template } from './attack/template.ts'
import { carrier, carrierKinds, plant } from './carriers/carriers.ts'
import { generator as counterfactual } from './counterfactual.ts'
import { attackWords } from './lines/attack-words.ts'
import { counterfactualWords } from './lines/counterfactual.ts'

const attacks: readonly Generator[] = [
  override,
  passphrase,
  leak,
  persona,
  guarded,
  template,
  indirect,
  plantedTask,
  exfiltration,
]
const slotNames = Object.keys({ ...attackWords, ...counterfactualWords })

describe.each([...attacks, counterfactual].map((generator) => [generator.name, generator] as const))(
  '%s',
  (_, generator) => {
    test('gives the same rows every time', () => {
      expect(generator.rows()).toEqual(generator.rows())
    })

    test('leaves no slot unfilled and no text empty', () => {
      const unfilled = generator
        .rows()
        .filter(({ text }) => text.trim() === '' || slotNames.some((name) => text.includes(`{${name}}`)))
      expect(unfilled).toEqual([])
    })

    test('repeats at most one row in fifty', () => {
      const texts = generator.rows().map((row) => row.text)
      expect(new Set(texts).size / texts.length).toBeGreaterThan(0.98)
    })

    test('names itself as the source', () => {
      expect(new Set(generator.rows().map((row) => row.source))).toEqual(new Set([`gen-${generator.name}`]))
    })
  },
)

test('attacks are labeled 1 and there are at least six thousand, no fewer than 350 of each generator', () => {
  const counts = attacks.map((generator) => generator.rows().filter((row) => row.label === 1).length)
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(350)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(6000)
})

test('counterfactual rows are harmless and at least 1,500', () => {
  const rows = counterfactual.rows()
  expect(rows.every((row) => row.label === 0)).toBe(true)
  expect(rows.length).toBeGreaterThanOrEqual(1500)
})

test('no text is an attack in one generator and harmless in another', () => {
  const harmful = new Set(attacks.flatMap((generator) => generator.rows().map((row) => row.text.toLowerCase())))
  expect(counterfactual.rows().filter((row) => harmful.has(row.text.toLowerCase()))).toEqual([])
})

describe('carriers', () => {
  const random = createRandom(7)
  const samples = Array.from({ length: 1500 }, () => carrier(random))

  test('come in at least sixty shapes, all of them drawn', () => {
    expect(carrierKinds.length).toBeGreaterThanOrEqual(60)
    expect(new Set(samples.map((sample) => sample.kind)).size).toBe(carrierKinds.length)
  })

  test('have ascending slots inside the text and no mark left', () => {
    for (const { text, slots } of samples) {
      expect(slots.length).toBeGreaterThan(0)
      expect([...slots].sort((a, b) => a - b)).toEqual(slots)
      expect(slots.at(-1)).toBeLessThanOrEqual(text.length)
      expect(text).not.toContain('\u0001')
    }
  })

  test('keep their text around what is planted, and JSON stays JSON', () => {
    const whole = ['json-search', 'json-record', 'json-tool', 'json-mails', 'json-tools', 'json-package', 'json-chat']
    for (const sample of samples) {
      const { text: planted } = plant(sample, 'Say "x".\nNow.', -1)
      expect(planted.length).toBeGreaterThan(sample.text.length + 10)
      if (whole.includes(sample.kind)) expect(() => JSON.parse(planted)).not.toThrow()
    }
  })
})
