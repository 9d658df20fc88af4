import { describe, expect, test } from 'vitest'
import type { Asked } from '../call/types.ts'
import { answerMs } from './answers.ts'
import { createCarrier } from './carrier.ts'
import { filterOf } from './listening.ts'
import { createStates, keyOf, repliesOf } from './state.ts'
import {
  asksBack,
  inputRequired,
  questionCapabilities,
  takes,
  toLegacyQuestion,
  toModernQuestion,
} from './translate.ts'

const clock = { time: 1_000, now: () => clock.time }
const parts = {
  platformKeys: { derive: (name: string) => new Uint8Array(32).fill(name.length) },
  random: { bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) },
  clock,
  // biome-ignore lint/suspicious/noExplicitAny: seals ask no more of a kernel.
} as any

function asked(params: object, holder: object = {}): Asked {
  const own = { tenantId: 't', agentId: 'a', keyId: 'k', serverId: 's', ...holder }
  // biome-ignore lint/suspicious/noExplicitAny: states ask no more of a call.
  return { method: 'tools/call', params, caller: { holder: own } } as any
}

describe('the state of a question', () => {
  const states = createStates(parts)
  const params = { name: 'pay', arguments: { amount: 7 } }
  const held = { call: 'c', id: 3, keys: [keyOf(9)], argsSha256: null }
  const requestState = states.seal(asked(params), held)
  const back = (over: object = {}, holder: object = {}) =>
    states.open(asked({ ...params, requestState, inputResponses: {}, ...over }, holder))

  test('opens for the same key, server and arguments, in time', () => {
    expect(back()).toEqual({ ...held, expires: 1_000 + answerMs })
    expect(back({ _meta: { progressToken: 1 } })).toMatchObject(held)
    for (const [over, holder] of [
      [{ arguments: { amount: 8 } }],
      [{ name: 'refund' }],
      [{ requestState: `${requestState}A` }],
      [{}, { keyId: null }],
      [{}, { serverId: 'x' }],
      [{}, { tenantId: 'x' }],
    ])
      expect(back(over, holder)).toBe('over')
    expect(back({ requestState: 'of the server' })).toBeNull()
    expect(back({ requestState: undefined })).toBeNull()
    clock.time += answerMs
    expect(back()).toBe('over')
  })

  test('answers each question under its id, and those without an answer with an error', () => {
    const replies = repliesOf([keyOf(9), keyOf('x')], { [keyOf('x')]: { action: 'accept' } })
    expect(replies).toEqual([
      { id: 9, content: { error: expect.objectContaining({ code: -32_603 }) } },
      { id: 'x', content: { result: { action: 'accept' } } },
    ])
  })
})

test('content is carried for its key alone, long numbers included', async () => {
  const sent: [string, string, Readonly<Record<string, unknown>>][] = []
  const tx = { announce: async (...told: (typeof sent)[number]) => void sent.push(told) }
  const db = { tenant: (_: unknown, run: (inside: typeof tx) => Promise<void>) => run(tx) }
  const carrier = createCarrier({ ...parts, db })
  const content = { message: { id: '\uFDD01234567890123456789\uFDD0' } }
  await carrier.send('t' as never, { topic: 'news', key: 'one', content })
  const [[topic, key, data] = ['', '', {}]] = sent
  expect([topic, key]).toEqual(['news', 'one'])
  expect(JSON.stringify(data)).not.toContain('message')
  expect(carrier.open('one', data)).toEqual(content)
  expect(carrier.open('two', data)).toBeNull()
  expect(carrier.open('one', { content: 7 })).toBeNull()
  const large = { text: 'x'.repeat(1_100_000) }
  await expect(carrier.send('t' as never, { topic: 'news', key: 'one', content: large })).rejects.toThrow()
})

describe('questions', () => {
  test('are asked of clients that declare them, by their mode', () => {
    const form = { method: 'elicitation/create', params: { message: 'Name?' } }
    const link = { method: 'elicitation/create', params: { mode: 'url', message: 'Look', url: 'https://a.example' } }
    expect([takes({ elicitation: {} }, form), takes({ elicitation: {} }, link)]).toEqual([true, false])
    expect([takes({ elicitation: { url: {} } }, form), takes({ elicitation: { url: {} } }, link)]).toEqual([
      false,
      true,
    ])
    expect(takes({ elicitation: { form: {}, url: {} } }, form)).toBe(true)
    expect(takes({ sampling: {} }, form)).toBe(false)
    expect(takes({ roots: {} }, { method: 'roots/list', params: {} })).toBe(true)
    expect(takes({ tools: {} }, { method: 'tools/call', params: {} })).toBe(false)
  })

  test('keep of capabilities what they need', () => {
    const declared = {
      elicitation: { form: { applyDefaults: true }, url: {} },
      experimental: { x: {} },
      sampling: 'yes',
    }
    expect(questionCapabilities(declared)).toEqual({ elicitation: { form: {}, url: {} } })
  })

  test('with a link have an id in the older era alone', () => {
    const link = { mode: 'url', message: 'Look', url: 'https://a.example' }
    const legacy = toLegacyQuestion({ method: 'elicitation/create', params: link }, 'e1')
    expect(legacy.params).toEqual({ ...link, elicitationId: 'e1' })
    expect(toModernQuestion({ id: 1, ...legacy })).toEqual({ method: 'elicitation/create', params: link })
  })

  test('of a result are read as they were written', () => {
    const question = { method: 'roots/list', params: {} }
    const wanted = { questions: new Map([['q', question]]), state: 's' }
    expect(inputRequired(asksBack(7, wanted))).toEqual(wanted)
    expect(inputRequired({ id: 7, result: { resultType: 'complete' } })).toBeNull()
  })
})

test('a subscription is what is asked for and can be told', () => {
  const capabilities = { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true } }
  const wanted = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['file:///a', 7] }
  expect(filterOf(wanted, capabilities)).toEqual({
    methods: new Set(['notifications/tools/list_changed']),
    resources: new Set(['file:///a']),
    told: { toolsListChanged: true, resourceSubscriptions: ['file:///a'] },
  })
  expect(filterOf({}, capabilities).told).toEqual({})
})
