import { expect, test } from 'vitest'
import type { AnswerEvent } from './call.ts'
import { textFilter } from './event-filter.ts'

/** Holds everything back to its end and puts stars in the place of digits. */
const stars = () =>
  textFilter(() => {
    let held = ''
    return {
      push: (text) => {
        held += text
        return ''
      },
      end: () => held.replaceAll(/\d/g, '*'),
    }
  })

function run(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
  const filter = stars()
  return [...events.flatMap((event) => filter.push(event)), ...filter.end()]
}

const tokens = [{ token: '7', logprob: -1, bytes: null, top: [] }]
const said = (text: string): AnswerEvent[] => [
  { type: 'text', choice: 0, channel: 'text', text },
  { type: 'logprobs', choice: 0, channel: 'text', tokens },
  { type: 'finish', choice: 0, reason: 'stop' },
]

test('probabilities follow a text that was left as it is', () => {
  expect(run(said('seven')).map(({ type }) => type)).toEqual(['text', 'logprobs', 'finish'])
})

test('probabilities would spell out what was taken from a text, so they go with it', () => {
  const events = run(said('code 7'))
  expect(events.map(({ type }) => type)).toEqual(['text', 'finish'])
  expect(JSON.stringify(events)).not.toContain('7')
})

test('texts inside what only a vendor understands are read as well', () => {
  const events = run([
    { type: 'annotation', choice: 0, note: { form: 'openai_chat', value: { url: 'x7', at: 7 } } },
    { type: 'extra', of: 'message', choice: 0, form: 'openai_chat', members: { a: ['b8'] } },
    { type: 'answer_extra', form: 'openai_chat', members: { c: '9' } },
    { type: 'raw', event: 'e', item: { form: 'openai_responses', value: 'd1' } },
  ])
  expect(events).toEqual([
    { type: 'annotation', choice: 0, note: { form: 'openai_chat', value: { url: 'x*', at: 7 } } },
    { type: 'extra', of: 'message', choice: 0, form: 'openai_chat', members: { a: ['b*'] } },
    { type: 'answer_extra', form: 'openai_chat', members: { c: '*' } },
    { type: 'raw', event: 'e', item: { form: 'openai_responses', value: 'd*' } },
  ])
})
