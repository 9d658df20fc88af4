import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall, type Part, type Turn } from '../../../call/call.ts'
import { encodeRequest } from './encode.ts'

const turn = { toolCalls: [], toolCallId: null, name: null } as const
const text = (said: string): readonly Part[] => [{ type: 'text', text: said }]
const user = (said: string): Turn => ({ ...turn, role: 'user', parts: text(said) })
const asks: Turn = { ...turn, role: 'assistant', parts: [], toolCalls: [{ id: 'a', name: 'look', arguments: '' }] }
const result: Turn = { ...turn, role: 'tool', toolCallId: 'a', parts: text('rain') }
const tool = { kind: 'function', name: 'look', description: null, parameters: null, strict: true } as const
const sent = (over: Partial<CanonicalCall>, model = 'm') =>
  encodeRequest({ ...emptyCall, turns: [user('Hi')], ...over }, model)

describe('a conversation', () => {
  test('puts system text apart, lets roles take turns and marks what is to be cached', () => {
    const turns: readonly Turn[] = [
      { ...turn, role: 'system', parts: [{ type: 'text', text: 'Be brief.', cacheControl: { ttl: null } }] },
      user('Weather?'),
      asks,
      { ...result, toolError: true },
      user('And?'),
    ]
    expect(sent({ turns, tools: [{ ...tool, cacheControl: { ttl: '5m' } }], toolChoice: 'required' })).toEqual({
      system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }],
      messages: [
        { role: 'user', content: [{ text: 'Weather?' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'look', input: {} } }] },
        {
          role: 'user',
          content: [{ toolResult: { toolUseId: 'a', content: [{ text: 'rain' }], status: 'error' } }, { text: 'And?' }],
        },
      ],
      toolConfig: {
        tools: [
          { toolSpec: { name: 'look', inputSchema: { json: { type: 'object', properties: {} } }, strict: true } },
          { cachePoint: { type: 'default', ttl: '5m' } },
        ],
        toolChoice: { any: {} },
      },
    })
  })

  test('leaves out what says nothing, which the vendor refuses', () => {
    const silent = { ...asks, parts: text('') }
    const { messages } = sent({ turns: [user(''), user('Hi'), silent, { ...result, parts: text('') }] })
    expect(messages).toEqual([
      { role: 'user', content: [{ text: 'Hi' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'look', input: {} } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [] } }] },
    ])
  })

  test('shows no tools where none shall be called, unless some were', () => {
    expect(sent({ tools: [tool], toolChoice: 'none' }).toolConfig).toBe(undefined)
    expect(() => sent({ turns: [user('Hi'), asks, result], tools: [tool], toolChoice: 'none' })).toThrow(/kept from/)
  })

  test('gives documents names that the vendor takes', () => {
    const file = { type: 'file', mime: 'text/csv', text: null, source: { kind: 'data', data: 'YQ==' } } as const
    const named = (name: string | null) => ({ turns: [{ ...user(''), parts: [{ ...file, name }] }] })
    expect(sent(named('q3  "final".csv')).messages).toMatchObject([
      { content: [{ document: { format: 'csv', name: 'q3 -final-csv', source: { bytes: 'YQ==' } } }] },
    ])
    expect(sent(named(null)).messages).toMatchObject([{ content: [{ document: { name: 'document' } }] }])
  })

  // "Messages can't contain duplicate document names." A caller that continues a conversation sends its files again.
  test('gives every document a name of its own, the same in every call of the conversation', () => {
    const file = { type: 'file', mime: 'text/csv', text: null, source: { kind: 'data', data: 'YQ==' } } as const
    const names = ['q3.csv', null, 'q3.csv', null, 'Q3-CSV', 'x'.repeat(300), 'x'.repeat(200)]
    const turns = names.flatMap((name, index) => [
      { ...user(''), parts: [{ ...file, name }] },
      { ...asks, toolCalls: [{ id: `${index}`, name: 'look', arguments: '' }] },
    ])
    const last: Turn = { ...result, parts: [{ ...file, name: 'q3.csv' }] }
    const found = [
      ...JSON.stringify(sent({ turns: [...turns, last] }).messages).matchAll(/"format":"csv","name":"([^"]*)"/g),
    ]
    const said = found.map(([, name]) => name)
    const long = 'x'.repeat(200)
    expect(said).toEqual([
      ...['q3-csv', 'document', 'q3-csv-2', 'document-2', 'Q3-CSV-3', long, `${'x'.repeat(198)}-2`, 'q3-csv-4'],
    ])
  })

  test.each([
    { type: 'image', url: 'https://example.org/a.png', detail: null },
    { type: 'image', url: 'data:image/tiff;base64,AAAA', detail: null },
    { type: 'file', mime: 'application/zip', name: null, text: null, source: { kind: 'data', data: '' } },
  ] as const)('that cannot be said is refused (%#)', (part) => {
    const turns = [{ ...user(''), parts: [part] }]
    expect(() => sent({ turns })).toThrow(expect.objectContaining({ kind: 'bad_request' }))
  })
})

describe('what only some models understand', () => {
  const fields = (model: string, over: Partial<CanonicalCall>) => sent(over, model).additionalModelRequestFields
  const claude = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'
  const nova = 'us.amazon.nova-2-lite-v1:0'

  test.each([
    [claude, { topK: 7 }, { top_k: 7 }],
    [nova, { topK: 7 }, { inferenceConfig: { topK: 7 } }],
    ['cohere.command-r-v1:0', { topK: 7 }, { k: 7 }],
    [claude, { reasoning: { effort: 'minimal' } }, { output_config: { effort: 'low' } }],
    [claude, { reasoning: { effort: 'none' } }, { thinking: { type: 'disabled' } }],
    [claude, { reasoning: { budgetTokens: 2000 } }, { thinking: { type: 'enabled', budget_tokens: 2000 } }],
    [claude, { reasoning: { effort: 'max' } }, { output_config: { effort: 'max' } }],
    [nova, { reasoning: { effort: 'max' } }, { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } }],
    [nova, { reasoning: { effort: 'xhigh' } }, { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } }],
    [nova, { reasoning: { effort: 'none' } }, { reasoningConfig: { type: 'disabled' } }],
    ['openai.gpt-oss-120b-1:0', { reasoning: { effort: 'low' } }, { reasoning_effort: 'low' }],
  ] as const)('is said to %s in its own words (%j)', (model, over, expected) => {
    expect(fields(model, over)).toEqual(expected)
  })

  test('is refused where there are no words for it', () => {
    expect(() => fields(nova, { reasoning: { budgetTokens: 2000 } })).toThrow(/effort, not a budget/)
    expect(() => sent({ serviceTier: 'gold' })).toThrow(/no service tier gold/)
    expect(sent({ serviceTier: 'priority' }).serviceTier).toEqual({ type: 'priority' })
  })
})
