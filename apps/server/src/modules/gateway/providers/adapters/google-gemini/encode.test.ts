import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall, type Part, type Turn } from '../../../call/call.ts'
import { encodeRequest } from './encode.ts'

const turn = { toolCalls: [], toolCallId: null, name: null } as const
const text = (said: string): readonly Part[] => [{ type: 'text', text: said }]
const user = (said: string): Turn => ({ ...turn, role: 'user', parts: text(said) })
const result = (toolCallId: string, said: string): Turn => ({ ...turn, role: 'tool', toolCallId, parts: text(said) })
const asks = (...calls: readonly [id: string, name: string, args: string][]): Turn => ({
  ...turn,
  role: 'assistant',
  parts: [],
  toolCalls: calls.map(([id, name, args]) => ({ id, name, arguments: args })),
})
const call = (turns: readonly Turn[], over: Partial<CanonicalCall> = {}): CanonicalCall => ({
  ...emptyCall,
  turns,
  ...over,
})
const contentsOf = (...turns: readonly Turn[]) => encodeRequest(call(turns), 'gemini-2.5-flash').contents

describe('a conversation', () => {
  test('puts system text apart and names the roles as the vendor does', () => {
    const turns = [
      { ...turn, role: 'system', parts: text('Be brief.') },
      user('Hi'),
      { ...turn, role: 'assistant', parts: text('Hello.') },
      { ...turn, role: 'system', parts: text('Be kind.') },
      user('Bye'),
    ] as const
    expect(encodeRequest(call(turns), 'm')).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Hello.' }] },
        { role: 'user', parts: [{ text: 'Bye' }] },
      ],
    })
  })

  test('pairs results with the functions of their calls, in one content of their own', () => {
    const contents = contentsOf(
      user('Weather?'),
      asks(['a', 'look', '{"in":"Bonn"}'], ['b', 'count', '']),
      result('a', '{"sky":"grey"}'),
      { ...result('b', 'no such thing'), toolError: true },
      user('Thanks'),
    )
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'Weather?' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'look', args: { in: 'Bonn' } } },
          { functionCall: { id: 'b', name: 'count', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'look', response: { sky: 'grey' } } },
          { functionResponse: { id: 'b', name: 'count', response: { error: 'no such thing' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'Thanks' }] },
    ])
  })

  test('leaves out what says nothing, which the vendor refuses', () => {
    const silent = { ...asks(['a', 'look', '{}']), parts: text('') }
    expect(contentsOf(user(''), user('Hi'), silent)).toEqual([
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [{ functionCall: { id: 'a', name: 'look', args: {} } }] },
    ])
  })

  test('says plain results as an output, and shows images of a result beside it', () => {
    const png = { type: 'image', url: 'data:image/png;base64,AAAA', detail: null } as const
    const shown = { ...result('a', ''), parts: [...text('[1]'), png] }
    expect(contentsOf(asks(['a', 'look', '{}']), shown)).toMatchObject([
      {},
      {
        parts: [
          { functionResponse: { name: 'look', response: { output: '[1]' } } },
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        ],
      },
    ])
  })

  test.each([
    [[result('x', 'rain')], /no message before it makes/],
    [[asks(['a', 'f', '[1]'])], /no JSON object/],
    [[{ ...user(''), parts: [{ type: 'image', url: 'data:image/png,AAAA', detail: null }] as const }], /not base64/],
  ])('that cannot be said is refused (%#)', (turns, message) => {
    expect(() => contentsOf(...turns)).toThrow(expect.objectContaining({ kind: 'bad_request' }))
    expect(() => contentsOf(...turns)).toThrow(message)
  })

  test('sends addresses of images with their type where it can be told', () => {
    const image = (url: string): Turn => ({ ...user(''), parts: [{ type: 'image', url, detail: null }] })
    expect(contentsOf(image('https://x.org/a.JPG?v=1'), image('https://x.org/a'))).toMatchObject([
      { parts: [{ fileData: { mimeType: 'image/jpeg', fileUri: 'https://x.org/a.JPG?v=1' } }] },
      { parts: [{ fileData: { fileUri: 'https://x.org/a' } }] },
    ])
  })
})

describe('what is asked of the model', () => {
  const tool = { kind: 'function', name: 'f', description: null, parameters: null, strict: null } as const
  const modeOf = (over: Partial<CanonicalCall>) =>
    encodeRequest(call([user('Hi')], { tools: [tool], ...over }), 'm').toolConfig

  test.each([
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [{ name: 'f' }, { mode: 'ANY', allowedFunctionNames: ['f'] }],
  ] as const)('to call tools: %j', (toolChoice, functionCallingConfig) => {
    expect(modeOf({ toolChoice })).toEqual({ functionCallingConfig })
  })

  test('to call tools by their schemas to the letter', () => {
    expect(modeOf({})).toBe(undefined)
    expect(modeOf({ tools: [{ ...tool, strict: true }] })).toEqual({ functionCallingConfig: { mode: 'VALIDATED' } })
  })

  const thinking = (model: string, reasoning: CanonicalCall['reasoning']) =>
    encodeRequest(call([user('Hi')], { reasoning }), model).generationConfig

  test('to think for so many tokens, or so hard, by its generation', () => {
    expect(thinking('gemini-2.5-flash', { effort: 'none' })).toEqual({
      thinkingConfig: { includeThoughts: false, thinkingBudget: 0 },
    })
    expect(thinking('gemini-3-pro-preview', { effort: 'xhigh' })).toEqual({
      thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' },
    })
    expect(thinking('gemini-3-pro-preview', { effort: 'max' })).toEqual({
      thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' },
    })
    expect(thinking('gemini-3.1-pro', { budgetTokens: 512 })).toEqual({
      thinkingConfig: { includeThoughts: true, thinkingBudget: 512 },
    })
    expect(() => thinking('gemini-3-pro-preview', { effort: 'none' })).toThrow(/always thinks/)
  })
})
