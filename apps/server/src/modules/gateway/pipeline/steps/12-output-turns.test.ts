import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/base/clock.ts'
import { plainAsked } from '../../call/asked.ts'
import { type AnswerEvent, emptyCall } from '../../call/call.ts'
import { joinPieces, pieceLength, piecesOf } from '../../call/texts/answer-turns.ts'
import { compilePolicies } from '../../policy/compile.ts'
import { complete } from '../../policy/defaults.ts'
import { beginCall } from '../begin.ts'
import { outputInspection } from './12-output-inspection.ts'

const said = (text: string): AnswerEvent => ({ type: 'text', choice: 0, channel: 'text', text })
const textOf = (events: Iterable<AnswerEvent>): string =>
  [...events].map((event) => ('text' in event ? event.text : '')).join('')

test('pieces of a text are the text, and no character is cut in two', () => {
  const texts = fc.array(fc.constantFrom('a', '😀', ' word', '\ud83d'), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 400 }), (parts, times) => {
      const text = parts.join('').repeat(times)
      const pieces = [...piecesOf(said(text))]
      expect(textOf(pieces)).toBe(text)
      expect(joinPieces(pieces)).toEqual([said(text)])
      for (const piece of pieces) expect(textOf([piece]).length).toBeLessThanOrEqual(pieceLength)
      if (text.isWellFormed()) expect(pieces.every((piece) => textOf([piece]).isWellFormed())).toBe(true)
    }),
  )
})

/** Inspects an answer under a clock on which every look takes long, and counts the turns of others in between. */
async function inspect(text: string) {
  const clock = systemClock()
  let now = 0
  const slow = { ...clock, monotonic: () => (now += 20) }
  const random = { uuid: () => '' } as Parameters<typeof beginCall>[0]['random']
  const caller = { actor: { userId: 'u' }, info: { header: () => undefined } } as unknown as Parameters<
    typeof beginCall
  >[1]
  const asked = { ...plainAsked, operation: 'chat', dialect: 'parapet', stream: false, read: () => emptyCall } as const
  const state = beginCall({ clock, random }, caller, asked)
  const policy = compilePolicies([
    { id: 'p', name: 'p', version: 1, sha256: '', document: complete({}), bindings: [{ kind: 'tenant' }] },
  ])
  const flow = { kind: 'whole', events: [said(text), { type: 'finish', choice: 0, reason: 'stop' }] } as const
  state.write({ plan: { policy }, answer: { flow } })
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await outputInspection({ kernel: { clock: slow } }).run(state)
  isDone = true
  const { flow: left } = state.answer
  return { text: left?.kind === 'whole' ? textOf(left.events) : '', turns }
}

test('a large answer gives others their turn and is what it would be in one go', async () => {
  const row = '12 Main Street, Springfield, IL 62704, anna@example.org; '
  const many = Math.ceil((20 * pieceLength) / row.length)
  const { text, turns } = await inspect(row.repeat(many))
  expect(text).toBe(row.replace('anna@example.org', '⟦OUT_EMAIL_1⟧').repeat(many))
  expect(turns).toBeGreaterThanOrEqual(20)
})
