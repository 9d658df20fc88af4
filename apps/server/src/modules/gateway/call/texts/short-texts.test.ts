import { expect, test } from 'vitest'
import type { AnswerEvent } from '../call.ts'
import { withShortTexts } from './short-texts.ts'

function shown(event: AnswerEvent) {
  const seen: [location: string, text: string][] = []
  const after = withShortTexts(event, ({ location }) => ({
    push: (text) => {
      seen.push([location, text])
      return text.replaceAll(/jane@example\.org/g, '⟦OUT_EMAIL_1⟧')
    },
    end: () => '',
  }))
  return { seen, after }
}

const called = (id: string, name = 'look'): AnswerEvent => ({ type: 'tool_call', choice: 1, index: 2, id, name })
const sealed = (value: object): AnswerEvent => ({
  type: 'reasoning_data',
  choice: 0,
  data: { form: 'anthropic_messages', value },
})

test.each<[string, AnswerEvent]>([
  ['an id of its vendor', called('call_SnPbqFnStr7wGlcMhvC5tZ2c')],
  ['a model', { type: 'start', model: 'meta-llama/Llama-3.3-70B-Instruct', fingerprint: 'fp_44709d6fcb', id: 'x' }],
  ['a dated model', { type: 'start', model: 'gpt-4o-2024-08-06', fingerprint: null }],
  ['a seal', sealed({ type: 'thinking', signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk' })],
  ['an end', { type: 'finish', choice: 0, reason: 'stop' }],
])('%s needs no look', (_what, event) => {
  expect(shown(event)).toEqual({ seen: [], after: event })
})

test('an id that says something is looked at, and what is left of it is one', () => {
  const { seen, after } = shown(called('jane@example.org'))
  expect(seen).toEqual([['/choices/1/message/tool_calls/2/id', 'jane@example.org']])
  expect(after).toEqual(called('_OUT_EMAIL_1_'))
})

test('the names of an answer and of its model are looked at where they are none', () => {
  const start: AnswerEvent = {
    type: 'start',
    model: 'jane@example.org',
    fingerprint: 'of jane@example.org',
    id: 'an id',
  }
  expect(shown(start).seen.map(([location]) => location)).toEqual(['/id', '/model', '/system_fingerprint'])
  expect(shown(start).after).toMatchObject({ model: '⟦OUT_EMAIL_1⟧', fingerprint: 'of ⟦OUT_EMAIL_1⟧', id: 'an id' })
  const key = 'sk-proj-abcdefghijkLMN0123456789abcdefghijkLMN'
  expect(shown({ type: 'start', model: key, fingerprint: null }).seen).toEqual([['/model', key]])
})

test('the text an answer stopped at is looked at', () => {
  const stopped: AnswerEvent = { type: 'finish', choice: 0, reason: 'stop', stopSequence: 'to jane@example.org' }
  expect(shown(stopped).after).toMatchObject({ stopSequence: 'to ⟦OUT_EMAIL_1⟧' })
})

test('what is no seal is looked at, and goes as a whole where something is taken out', () => {
  const harmless = sealed({ type: 'thinking', signature: 'not sealed' })
  expect(shown(harmless)).toMatchObject({ after: harmless })
  expect(shown(harmless).seen.map(([, text]) => text)).toContain('not sealed')
  expect(shown(sealed({ type: 'thinking', signature: 'jane@example.org' })).after).toBeNull()
})

test('a reason that is no word is left out, because there is one of ours', () => {
  const ended = (native: string): AnswerEvent => ({ type: 'finish', choice: 0, reason: 'stop', native })
  expect(shown(ended('pause_turn')).after).toEqual(ended('pause_turn'))
  expect(shown(ended('because jane@example.org said so')).after).toEqual({ type: 'finish', choice: 0, reason: 'stop' })
})
