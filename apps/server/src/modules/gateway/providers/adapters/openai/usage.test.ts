import { describe, expect, test } from 'vitest'
import { type AnswerEvent, emptyCall } from '../../../call/call.ts'
import { createStreamDecoder, decodeAnswer } from './decode.ts'
import { decodeResponse } from './responses/decode.ts'

const choices = [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }]
const usageIn = (events: readonly AnswerEvent[]) => events.find((event) => event.type === 'usage')?.usage

describe('counts of a chat answer', () => {
  // Unknown counts as LiteLLM's proxy and other proxies write them.
  const unsaid = {
    prompt_tokens: 3,
    completion_tokens: 2,
    total_tokens: 5,
    prompt_tokens_details: { cached_tokens: null, audio_tokens: null },
    completion_tokens_details: { reasoning_tokens: null, audio_tokens: null },
  }

  test('that are null are none, and the answer is no less an answer', () => {
    const answer = decodeAnswer(JSON.stringify({ model: 'm', choices, usage: unsaid }), emptyCall)
    expect(usageIn(answer)).toMatchObject({ inputTokens: 3, outputTokens: 2, cachedTokens: 0, reasoningTokens: 0 })
    const { push } = createStreamDecoder(emptyCall)
    const chunk = push({ event: null, data: JSON.stringify({ choices: [], usage: unsaid }) })
    expect(usageIn(chunk)).toMatchObject({ inputTokens: 3, outputTokens: 2, outputAudioTokens: 0 })
  })

  test('are left to be counted here where there is no count of the prompt', () => {
    const usage = { prompt_tokens: null, completion_tokens: null }
    expect(usageIn(decodeAnswer(JSON.stringify({ choices, usage }), emptyCall))).toBe(undefined)
  })

  test.each([
    [{ prompt_tokens: -3, completion_tokens: 2 }],
    [{ prompt_tokens: 1e300, completion_tokens: 2 }],
    [{ prompt_tokens: 3, completion_tokens: 1.5 }],
    [{ prompt_tokens: '3', completion_tokens: '2' }],
    [{ prompt_tokens: 3, completion_tokens: null }],
    [{ prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: -3 } }],
    ['none'],
    [[3, 2]],
  ])('as %j are none, and the answer is no less an answer', (usage) => {
    for (const form of [null, 'openai_chat'] as const) {
      const answer = decodeAnswer(JSON.stringify({ model: 'm', choices, usage }), { ...emptyCall, form })
      expect(answer).toContainEqual({ type: 'text', choice: 0, channel: 'text', text: 'Hi' })
      expect(usageIn(answer)).toBe(undefined)
      const { push } = createStreamDecoder({ ...emptyCall, form })
      expect(usageIn(push({ event: null, data: JSON.stringify({ choices: [], usage }) }))).toBe(undefined)
    }
    const body = { status: 'completed', output: [], usage: { input_tokens: 3, output_tokens: -2 } }
    expect(usageIn(decodeResponse(JSON.stringify(body)))).toBe(undefined)
  })

  // https://developers.openai.com/api/docs/guides/prompt-caching: a part of the prompt, at a price of its own.
  test('say what was written to the cache', () => {
    const usage = {
      ...unsaid,
      prompt_tokens: 2600,
      prompt_tokens_details: { cached_tokens: 2000, cache_write_tokens: 400 },
    }
    expect(usageIn(decodeAnswer(JSON.stringify({ choices, usage }), emptyCall))).toMatchObject({
      inputTokens: 2600,
      cachedTokens: 2000,
      cacheWrite5mTokens: 400,
    })
  })
})

test('counts of a response say what was written to the cache', () => {
  const usage = {
    input_tokens: 18_014,
    output_tokens: 2,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 18_011 },
    output_tokens_details: { reasoning_tokens: null },
  }
  expect(usageIn(decodeResponse(JSON.stringify({ status: 'completed', output: [], usage })))).toMatchObject({
    inputTokens: 18_014,
    cacheWrite5mTokens: 18_011,
    reasoningTokens: 0,
  })
})
