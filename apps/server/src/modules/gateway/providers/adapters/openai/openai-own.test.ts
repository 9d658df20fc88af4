import { describe, expect, test } from 'vitest'
import { type AnswerEvent, type CanonicalCall, emptyCall } from '../../../call/call.ts'
import { noTokens } from '../../../call/events.ts'
import { decodeAnswer } from './decode.ts'
import { decodeEmbeddings, encodeEmbeddings } from './embeddings.ts'
import { encodeRequest } from './encode.ts'

const openAi = { maxTokensField: 'max_completion_tokens', knowsStore: true, knowsDeveloper: true } as const
const same = { form: 'openai_chat' } as const
const user = { role: 'user', toolCalls: [], toolCallId: null, name: null } as const

describe('what only this vendor understands', () => {
  test('goes back to where it stood, and only to a party of its form', () => {
    const asked: CanonicalCall = {
      ...emptyCall,
      ...same,
      turns: [{ ...user, parts: [{ type: 'text', text: 'Hi' }] }],
      tools: [{ kind: 'opaque', name: 'search', form: 'openai_chat', value: { type: 'search', depth: 2 } }],
      extra: [
        { form: 'openai_chat', at: '/messages/0/content/0/tone', value: { mood: 'kind' } },
        { form: 'openai_chat', at: '/prediction', value: null },
        { form: 'anthropic_messages', at: '/thinking', value: 1 },
      ],
    }
    expect(encodeRequest(asked, { model: 'm', stream: false }, openAi)).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', tone: { mood: 'kind' } }] }],
      tools: [{ type: 'search', depth: 2 }],
      prediction: null,
    })
  })

  test('is never lost on the way', () => {
    const lost = { ...emptyCall, ...same, extra: [{ form: 'openai_chat', at: '/messages/3/x', value: 1 }] } as const
    expect(() => encodeRequest(lost, { model: 'm', stream: false }, openAi)).toThrow('/messages/3/x')
  })

  test('is told to callers of the same form alone', () => {
    const text = JSON.stringify({
      service_tier: 'flex',
      choices: [{ index: 0, message: { content: 'a', annotations: [1] }, finish_reason: 'stop', matched: 7 }],
    })
    const of = (events: readonly AnswerEvent[]) => events.filter(({ type }) => type.endsWith('extra'))
    expect(of(decodeAnswer(text, emptyCall))).toEqual([])
    expect(of(decodeAnswer(text, same))).toEqual([
      { type: 'answer_extra', form: 'openai_chat', members: { service_tier: 'flex' } },
      { type: 'extra', of: 'choice', choice: 0, form: 'openai_chat', members: { matched: 7 } },
      { type: 'extra', of: 'message', choice: 0, form: 'openai_chat', members: { annotations: [1] } },
    ])
  })
})

describe('embeddings', () => {
  test('are asked for and read', () => {
    const embed = { inputs: ['a', [1, 2]], dimensions: 3, encoding: 'float' } as const
    expect(encodeEmbeddings({ ...emptyCall, embed }, 'm')).toEqual({
      model: 'm',
      input: ['a', [1, 2]],
      dimensions: 3,
      encoding_format: 'float',
    })
    const answer = { data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 2 } }
    expect(decodeEmbeddings(JSON.stringify(answer))).toEqual([
      { type: 'start', model: '', fingerprint: null },
      { type: 'embedding', index: 0, vector: [0.5] },
      { type: 'usage', usage: { ...noTokens, inputTokens: 2, outputTokens: 0, source: 'upstream' } },
    ])
    expect(() => decodeEmbeddings('{}')).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })
})

describe('probabilities and reasons', () => {
  test('are kept', () => {
    const logprobs = {
      content: [{ token: 'a', logprob: -0.5, bytes: [97], top_logprobs: [{ token: 'b', logprob: -2 }] }],
    }
    const text = JSON.stringify({
      choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'function_call', logprobs }],
    })
    const events = decodeAnswer(text, emptyCall)
    const tokens = [{ token: 'a', logprob: -0.5, bytes: [97], top: [{ token: 'b', logprob: -2, bytes: null }] }]
    expect(events[2]).toEqual({ type: 'logprobs', choice: 0, channel: 'text', tokens })
    expect(events[3]).toEqual({ type: 'finish', choice: 0, reason: 'tool_calls', native: 'function_call' })
  })
})
