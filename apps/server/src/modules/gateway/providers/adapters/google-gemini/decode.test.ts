import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyCall } from '../../../call/call.ts'
import { noTokens } from '../../../call/events.ts'
import { eventsOf, frameOf } from '../testing/asking.ts'
import { googleGeminiAdapter as adapter } from './adapter.ts'

const decoded = (answer: unknown) => adapter.decodeAnswer(JSON.stringify(answer), emptyCall)
const said = (parts: readonly object[], finishReason: string | null = 'STOP') => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason === null ? {} : { finishReason }), index: 0 }],
  modelVersion: 'gemini-2.5-flash',
  responseId: 'r-1',
})
const start = { type: 'start', model: 'gemini-2.5-flash', fingerprint: null, id: 'r-1' }

describe('an answer', () => {
  test('with thoughts, calls and counts becomes events', () => {
    const answer = {
      ...said([
        { text: 'Hm.', thought: true },
        { text: 'I look.' },
        { functionCall: { id: 'c-1', name: 'look', args: { in: 'Bonn' } }, thoughtSignature: 'c2ln' },
        { functionCall: { name: 'count' } },
      ]),
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 5,
        toolUsePromptTokenCount: 7,
        totalTokenCount: 132,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 50 },
          { modality: 'IMAGE', tokenCount: 40 },
          { modality: 'AUDIO', tokenCount: 10 },
        ],
      },
    }
    const events = decoded(answer)
    expect(events).toEqual([
      start,
      { type: 'text', choice: 0, channel: 'reasoning', text: 'Hm.' },
      { type: 'text', choice: 0, channel: 'text', text: 'I look.' },
      {
        type: 'reasoning_data',
        choice: 0,
        data: { form: 'anthropic_messages', value: { type: 'thinking', signature: 'google#c2ln' } },
      },
      { type: 'tool_call', choice: 0, index: 0, id: 'c-1', name: 'look' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{"in":"Bonn"}' },
      {
        type: 'tool_call',
        choice: 0,
        index: 1,
        id: expect.stringMatching(/^call_gemini_[0-9a-f]{24}$/),
        name: 'count',
      },
      { type: 'tool_arguments', choice: 0, index: 1, text: '{}' },
      { type: 'finish', choice: 0, reason: 'tool_calls', native: 'STOP' },
      {
        type: 'usage',
        usage: {
          ...noTokens,
          inputTokens: 107,
          cachedTokens: 60,
          inputImageTokens: 40,
          inputAudioTokens: 10,
          outputTokens: 25,
          reasoningTokens: 5,
          source: 'upstream',
        },
      },
    ])
    expect(decoded(answer)).toEqual(events)
  })

  test('of two candidates is one of two choices', () => {
    const one = (index: number, text: string) => ({ index, content: { parts: [{ text }] }, finishReason: 'STOP' })
    const events = decoded({ candidates: [one(0, 'a'), one(1, 'b')] })
    expect(events.filter(({ type }) => type === 'text')).toMatchObject([
      { choice: 0, text: 'a' },
      { choice: 1, text: 'b' },
    ])
    expect(events.filter(({ type }) => type === 'finish')).toMatchObject([{ choice: 0 }, { choice: 1 }])
  })

  test('tells how likely its tokens were', () => {
    const [candidate] = said([{ text: 'a' }]).candidates
    const logprobsResult = {
      chosenCandidates: [{ token: 'a', tokenId: 1, logProbability: -0.1 }],
      topCandidates: [{ candidates: [{ token: 'b', logProbability: -2 }] }],
    }
    expect(decoded({ candidates: [{ ...candidate, logprobsResult }] })).toContainEqual({
      type: 'logprobs',
      choice: 0,
      channel: 'text',
      tokens: [{ token: 'a', logprob: -0.1, bytes: null, top: [{ token: 'b', logprob: -2, bytes: null }] }],
    })
  })

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['SPII', 'content_filter'],
    ['OTHER', 'stop'],
    ['SOMETHING_NEW', 'stop'],
  ])('that ends with %s ends with %s', (native, reason) => {
    expect(decoded(said([{ text: 'a' }], native)).at(-1)).toEqual({ type: 'finish', choice: 0, reason, native })
  })

  test('that ends with a call nobody can read is a failure', () => {
    const answer = said([], 'MALFORMED_FUNCTION_CALL')
    expect(() => decoded(answer)).toThrow(expect.objectContaining({ kind: 'server_error' }))
  })

  test('to a prompt that was not let through is a refusal', () => {
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 4 } }
    expect(() => decoded(blocked)).toThrow(expect.objectContaining({ kind: 'content_filtered' }))
  })

  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"candidates":[]}',
    '{"candidates":[{"content":{"parts":[{"text":1}]},"finishReason":"STOP"}]}',
    '{"candidates":[{"content":{"parts":[{"inlineData":{"data":"AAAA"}}]},"finishReason":"STOP"}]}',
    '{"candidates":[{"content":{"parts":[{"text":"unfinished"}]}}]}',
  ])('%j is none', (body) => {
    expect(() => adapter.decodeAnswer(body, emptyCall)).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })
})

const pieces = [
  said([{ text: 'Hm. ', thought: true }], null),
  said([{ text: 'Grüße ' }], null),
  // Older models say in every piece that they have stopped.
  { ...said([{ text: 'nach Köln 🦊' }]), usageMetadata: { promptTokenCount: 3 } },
  said([{ functionCall: { name: 'look', args: { in: 'Köln' } } }], null),
  {
    ...said([{ text: '', thoughtSignature: 'c2ln' }]),
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 9 },
  },
]
const stream = pieces.map((piece) => `data: ${JSON.stringify(piece)}\r\n\r\n`).join('')

describe('a stream', () => {
  test('comes the same however it is cut', async () => {
    const whole = await eventsOf(adapter, stream, [])
    expect(whole).toEqual([
      start,
      { type: 'text', choice: 0, channel: 'reasoning', text: 'Hm. ' },
      { type: 'text', choice: 0, channel: 'text', text: 'Grüße ' },
      { type: 'text', choice: 0, channel: 'text', text: 'nach Köln 🦊' },
      expect.objectContaining({ type: 'tool_call', name: 'look' }),
      { type: 'tool_arguments', choice: 0, index: 0, text: '{"in":"Köln"}' },
      expect.objectContaining({ type: 'reasoning_data' }),
      { type: 'finish', choice: 0, reason: 'tool_calls', native: 'STOP' },
      { type: 'usage', usage: { ...noTokens, inputTokens: 3, outputTokens: 9, source: 'upstream' } },
    ])
    const length = new TextEncoder().encode(stream).length
    for (let cut = 1; cut < length; cut += 1) expect(await eventsOf(adapter, stream, [cut])).toEqual(whole)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(length), { maxLength: 30 }), async (cuts) => {
        expect(
          await eventsOf(
            adapter,
            stream,
            cuts.toSorted((a, b) => a - b),
          ),
        ).toEqual(whole)
      }),
    )
  })

  test('that ends early is broken, and an error in it is the error it stands for', () => {
    const decoder = adapter.createStreamDecoder(emptyCall)
    decoder.push(frameOf(pieces[0]))
    expect(() => decoder.end()).toThrow(expect.objectContaining({ kind: 'broken' }))
    const busy = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }
    expect(() => decoder.push(frameOf(busy))).toThrow(expect.objectContaining({ kind: 'server_error' }))
    expect(() => decoder.push(frameOf({}))).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })
})
