import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnswerEvent } from '../call/call.ts'
import { answerParts, withoutCutTexts } from './answer-texts.ts'
import { type Cut, withoutCuts } from './combine.ts'

const content = '/choices/0/message/content'
const piece = (text: string, choice = 0): AnswerEvent => ({ type: 'text', choice, channel: 'text', text })
const textOf = (events: readonly AnswerEvent[]) =>
  events.map((event) => (event.type === 'text' && event.choice === 0 ? event.text : '')).join('')

test('an answer cut into pieces anywhere loses the same as the whole text', () => {
  const cutsOf = (marks: readonly number[]): readonly Cut[] => {
    const sorted = [...new Set(marks)].toSorted((a, b) => a - b)
    return sorted.flatMap((start, at) => {
      const end = sorted[at + 1]
      return at % 2 === 0 && end !== undefined ? [{ start, end, rule: 'r' }] : []
    })
  }
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(30), { maxLength: 8 }),
      (pieces, marks) => {
        const text = pieces.join('')
        const cuts = cutsOf(marks.filter((mark) => mark <= text.length))
        const left = withoutCutTexts(
          pieces.map((one) => piece(one)),
          new Map([[content, cuts]]),
        )
        expect(textOf(left)).toBe(withoutCuts(text, cuts))
      },
    ),
  )
})

test('other choices, other events and their probabilities stay', () => {
  const logprobs = (choice: number): AnswerEvent => ({ type: 'logprobs', choice, channel: 'text', tokens: [] })
  const events = [piece('secret'), logprobs(0), piece('secret', 1), logprobs(1)]
  const left = withoutCutTexts(events, new Map([[content, [{ start: 0, end: 6, rule: 'r' }]]]))
  expect(left).toEqual([piece('[removed: r]'), piece('secret', 1), logprobs(1)])
})

test('guards read each text whole, and tool calls with their arguments', () => {
  const events: readonly AnswerEvent[] = [
    piece('Hel'),
    { type: 'tool_call', choice: 0, index: 0, id: 'c', name: 'send' },
    piece('lo'),
    { type: 'tool_arguments', choice: 0, index: 0, text: '{"to":1}' },
  ]
  const { texts, toolCalls } = answerParts(events, null)
  expect(texts).toEqual([
    { location: content, text: 'Hello' },
    { location: '/choices/0/message/tool_calls/0/function/arguments', text: '{"to":1}' },
  ])
  expect(toolCalls).toEqual([{ location: '/choices/0/message/tool_calls/0', name: 'send', arguments: '{"to":1}' }])
})
