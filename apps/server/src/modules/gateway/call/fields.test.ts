import { describe, expect, test } from 'vitest'
import { openAiAdapter } from '../providers/adapters/openai/apis/adapter.ts'
import { type CanonicalCall, emptyCall } from './call.ts'
import { callFields, type FieldTable, fitCall } from './fields.ts'

const turn = { toolCalls: [], toolCallId: null, name: null } as const
const cacheControl = { ttl: null } as const
const url = { kind: 'url', url: 'https://example.org/x' } as const
const data = { kind: 'data', data: 'AAAA' } as const

/** Uses every field there is. */
const full: CanonicalCall = {
  ...emptyCall,
  turns: [
    {
      ...turn,
      role: 'user',
      name: 'anna',
      parts: [
        { type: 'text', text: 'a', cacheControl },
        { type: 'image', url: 'https://example.org/a.png', detail: 'high' },
        { type: 'audio', source: data, mime: 'audio/wav' },
        { type: 'audio', source: url, mime: 'audio/wav' },
        { type: 'file', source: data, name: 'a', mime: null, text: null },
        { type: 'file', source: url, name: null, mime: null, text: null },
      ],
    },
    { ...turn, role: 'tool', toolCallId: 'c', toolError: true, parts: [{ type: 'text', text: 'no' }] },
    { ...turn, role: 'assistant', at: '/input/4', parts: [{ type: 'reasoning', text: 'b', data: null }] },
  ],
  tools: [{ kind: 'function', name: 'f', description: null, parameters: null, strict: true }],
  toolChoice: 'required',
  format: { type: 'json_object' },
  temperature: 1,
  topP: 1,
  seed: 1,
  stop: ['x'],
  choices: 2,
  maxTokens: 1,
  topK: 1,
  frequencyPenalty: 1,
  presencePenalty: 1,
  logprobs: true,
  topLogprobs: 1,
  parallelToolCalls: false,
  reasoning: { effort: 'low' },
  user: 'u',
  store: false,
  serviceTier: 's',
  metadata: { team: 'blue' },
}

const native = Object.fromEntries(callFields.map((name) => [name, 'native'])) as FieldTable
const without = (field: keyof FieldTable): FieldTable => ({ ...native, [field]: 'unsupported' })
const callOf = (field: keyof FieldTable): CanonicalCall =>
  field === '/reasoning/budget_tokens' ? { ...full, reasoning: { budgetTokens: 9 } } : full

const asked = callFields.filter((field) => field !== '/messages')
const content = asked.filter((field) => /(?:image_url|audio|audio_url|file|file_url|^\/tools)$/.test(field))
const droppable = asked.filter((field) => !content.includes(field))

describe('a field a provider does not take', () => {
  test.each(asked)('%s is refused by its place', (field) => {
    const { refused, dropped, call } = fitCall(callOf(field), { fields: without(field), forms: [] }, false)
    expect(refused.length).toBeGreaterThan(0)
    expect([dropped, call]).toEqual([[], callOf(field)])
  })

  test.each(droppable)('%s is left out where the policy says so, and told', (field) => {
    const takes = { fields: without(field), forms: [] }
    const { refused, dropped, call } = fitCall(callOf(field), takes, true)
    expect([refused, dropped.length > 0]).toEqual([[], true])
    expect(fitCall(call, takes, false)).toEqual({ call, dropped: [], refused: [] })
  })

  test.each(content)('%s is what the call is about and never left out', (field) => {
    expect(fitCall(full, { fields: without(field), forms: [] }, true).refused.length).toBeGreaterThan(0)
  })

  test('is not in the way of a call that does not use it', () => {
    const none = Object.fromEntries(callFields.map((name) => [name, 'unsupported'])) as FieldTable
    const plain = { ...emptyCall, turns: [{ ...turn, role: 'user', parts: [{ type: 'text', text: 'a' }] }] } as const
    expect(fitCall(plain, { fields: none, forms: [] }, false)).toEqual({ call: plain, dropped: [], refused: [] })
  })
})

test('the place is the one in the body the call was read from', () => {
  const takes = { fields: without('/messages/content/reasoning'), forms: [] }
  expect(fitCall(full, takes, false).refused).toEqual(['/input/4/content'])
})

test('what is a vendor’s own is taken by its form, and refused or left out by others', () => {
  const own: CanonicalCall = {
    ...emptyCall,
    turns: [
      {
        ...turn,
        role: 'user',
        parts: [
          { type: 'file', source: { kind: 'id', id: 'f', form: 'openai_chat' }, name: null, mime: null, text: null },
        ],
      },
    ],
    tools: [{ kind: 'opaque', name: 'w', form: 'openai_chat', value: {} }],
    extra: [{ form: 'openai_chat', at: '/prediction', value: 1 }],
  }
  expect(fitCall(own, openAiAdapter, false).refused).toEqual([])
  const other = { fields: native, forms: ['anthropic_messages'] } as const
  expect(fitCall(own, other, false).refused).toEqual(['/tools/0', '/messages/0/content', '/prediction'])
  const dropped = fitCall(own, other, true)
  expect(dropped).toMatchObject({ dropped: ['/tools/0', '/prediction'], refused: ['/messages/0/content'] })
  expect(dropped.call).toMatchObject({ tools: [], extra: [] })
})

test.each(['background', 'inference_geo'])('%s is never left out, and is no use where it is not understood', (name) => {
  const call = { ...emptyCall, extra: [{ at: `/${name}`, value: true, form: 'openai_responses' as const }] }
  for (const drop of [true, false])
    expect(fitCall(call, { fields: openAiAdapter.fields, forms: [] }, drop).refused).toContain(`/${name}`)
})

test('an answer that a vendor would keep is asked for of none, also where the vendor knows the word', () => {
  const call = { ...emptyCall, extra: [{ at: '/background', value: true, form: 'openai_responses' as const }] }
  expect(fitCall(call, { fields: openAiAdapter.fields, forms: ['openai_responses'] }, true).refused).toEqual([
    '/background',
  ])
})
