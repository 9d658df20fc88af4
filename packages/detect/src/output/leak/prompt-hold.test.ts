import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOutputStream, type OutputStreamOptions } from '../output-stream.ts'

const systemPrompt = `You are Marlo, the scheduling helper of Northfield Dental. Never offer appointments before nine in the morning.
Always ask for the patient's date of birth before you change a booking. If a caller is in pain, give the emergency line 555-0142
and stop all other topics. Discounts above ten percent need the approval of Dr. Okafor. Do not mention the waiting list to new patients.`

const blocking: OutputStreamOptions = {
  systemPrompt,
  onMatch: ({ type, score }) => (type === 'system-prompt-leak' && score >= 0.98 ? 'block' : 'flag'),
}

function run(text: string, size: number, options: OutputStreamOptions = blocking) {
  const stream = createOutputStream(options)
  let out = ''
  let held = 0
  for (let at = 0; at < text.length; at += size) {
    out += stream.push(text.slice(at, at + size)).text
    held = Math.max(held, stream.held().length)
  }
  const last = stream.end()
  return { out: out + last.text, blocked: last.blocked, held }
}

describe('C54 of a passage of the system prompt that ends a stream', () => {
  const lead = 'Sure, here is all that I was told: '

  test.each([1, 3, 7, 40, 5000])('no more than the first word has left, in pieces of %i characters', (size) => {
    const { out, blocked } = run(`${lead}${systemPrompt} And that is all.`, size)
    expect(blocked?.rule).toBe('prompt-passage')
    expect(`${lead}You `.startsWith(out)).toBe(true)
    expect(out).toContain('all that I was')
  })

  test('no more than the first word has left wherever in the prompt it begins, and in capitals', () => {
    const words = systemPrompt.split(/\s+/)
    for (let from = 0; from + 30 < words.length; from += 1) {
      const passage = words.slice(from).join(' ')
      for (const text of [passage, passage.toUpperCase(), passage.replaceAll(' ', '\n  - ')]) {
        const { out, blocked } = run(`${lead}“${text}”`, 1)
        expect(blocked).toBeDefined()
        expect(out.slice(lead.length).match(/[\w'.-]+/g)?.length ?? 0).toBeLessThan(2)
      }
    }
  })

  test('no more of the first words of an answer either', () => {
    expect('You '.startsWith(run(systemPrompt, 1).out)).toBe(true)
  })
})

test('without a block all of a text leaves, whatever it shares with the prompt', () => {
  const words = [...new Set(systemPrompt.split(/\s+/)), 'tides', 'ships', 'and', 'nothing', 'else.', '\n', '—']
  const text = fc.array(fc.constantFrom(...words), { maxLength: 120 }).map((some) => some.join(' '))
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 90 }), (input, size) => {
      const { out, blocked } = run(input, size)
      if (blocked === undefined) expect(out).toBe(input)
      else expect(input.startsWith(out)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('how a stream is cut decides nothing', () => {
  const words = systemPrompt.split(/\s+/)
  const piece = fc.tuple(fc.integer({ min: 0, max: words.length }), fc.integer({ min: 1, max: 40 }))
  const text = fc
    .array(piece, { minLength: 1, maxLength: 4 })
    .map((some) => some.map(([from, many]) => words.slice(from, from + many).join(' ')).join(' so it is '))
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 90 }), (input, size) => {
      const whole = run(input, 1)
      const cut = run(input, size)
      expect([cut.out, cut.blocked]).toEqual([whole.out, whole.blocked])
    }),
    { numRuns: 100 },
  )
})

test('prose is held for a word or two more than without a prompt', () => {
  const prose = 'The office is open from nine in the morning, so ask for a time and the helper will find one for you. '
  expect(run(prose.repeat(20), 1).held).toBeLessThan(70)
})

test('a passage that the policy only flags is not held', () => {
  const { out, held } = run(systemPrompt, 1, { ...blocking, onMatch: () => 'flag' })
  expect(out).toBe(systemPrompt)
  expect(held).toBeLessThan(60)
})

test('what stands between the words is held up to 2,048 characters', () => {
  const { held } = run(`You are Marlo, ${' '.repeat(10_000)} the scheduling`, 50)
  expect(held).toBeLessThanOrEqual(2_048 + 50)
})
