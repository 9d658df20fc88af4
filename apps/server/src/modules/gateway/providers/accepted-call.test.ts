import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall, type Part, type Turn } from '../call/call.ts'
import { acceptedCall, plainSigns } from './accepted-call.ts'

const turn = (role: Turn['role'], given: Partial<Turn> = {}): Turn => ({
  role,
  parts: [],
  toolCalls: [],
  toolCallId: null,
  name: null,
  ...given,
})
const text = (said: string): Part => ({ type: 'text', text: said })
const image: Part = { type: 'image', url: 'data:image/png;base64,AAAA', detail: null }
const tool = (name: string) => ({ kind: 'function', name, description: null, parameters: null, strict: null }) as const

describe('ids of calls', () => {
  const rule = { callIds: { sign: plainSigns, longest: 64 } }
  const sent = (id: string) =>
    acceptedCall(
      {
        ...emptyCall,
        turns: [
          turn('assistant', { toolCalls: [{ id, name: 'f', arguments: '{}' }] }),
          turn('tool', { toolCallId: id, parts: [text('r')] }),
        ],
      },
      rule,
    ).call.turns

  test.each(['functions.alpha:0', 'call|fc_1', 'a/b@c d', `call_${'x'.repeat(80)}`, ''])(
    'such as %s are made acceptable, the same for the call and its result',
    (id) => {
      const [called, result] = sent(id)
      expect(called?.toolCalls[0]?.id).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(result?.toolCallId).toBe(called?.toolCalls[0]?.id)
    },
  )

  test('that are accepted stay as they are', () => {
    expect(sent('call_ok-1')[0]?.toolCalls[0]?.id).toBe('call_ok-1')
  })
})

describe('names of tools', () => {
  const rule = { toolNames: { sign: plainSigns, longest: 64 } }
  const long = `mcp__a_server_with_a_long_name__${'and_a_tool_'.repeat(4)}`
  const asked: CanonicalCall = {
    ...emptyCall,
    tools: [tool(`${long}one`), tool(`${long}two`), tool('files.read'), tool('files_read'), tool('short')],
    toolChoice: { name: `${long}two` },
    turns: [turn('assistant', { toolCalls: [{ id: 'a', name: `${long}one`, arguments: '{}' }] })],
  }
  const { call, restored } = acceptedCall(asked, rule)
  const names = call.tools.map(({ name }) => name)

  test('are shortened to different ones, everywhere alike', () => {
    expect(names.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true)
    expect(new Set(names).size).toBe(5)
    expect(names.slice(3)).toEqual(['files_read', 'short'])
    expect(call.toolChoice).toEqual({ name: names[1] })
    expect(call.turns[0]?.toolCalls[0]?.name).toBe(names[0])
    expect(acceptedCall(asked, rule).call).toEqual(call)
  })

  test("are the caller's own again in the answer", () => {
    const called = (name: string) => ({ type: 'tool_call', choice: 0, index: 0, id: 'x', name }) as const
    for (const [index, name] of names.entries())
      expect(restored(called(name))).toEqual(called(asked.tools[index]?.name ?? ''))
    expect(restored(called('invented'))).toEqual(called('invented'))
  })
})

test('media in results of tools come in one message behind the last result, and places stay known', () => {
  const turns = [
    turn('user', { parts: [text('look')] }),
    turn('assistant', { toolCalls: [] }),
    turn('tool', { toolCallId: 'a', parts: [text('the page'), image] }),
    turn('tool', { toolCallId: 'b', parts: [image] }),
    turn('user', { parts: [text('and?')] }),
  ]
  const { call } = acceptedCall({ ...emptyCall, turns }, { mediaInResults: false })
  expect(call.turns.map(({ role, at }) => [role, at])).toEqual([
    ['user', '/messages/0'],
    ['assistant', '/messages/1'],
    ['tool', '/messages/2'],
    ['tool', '/messages/3'],
    ['user', ''],
    ['user', '/messages/4'],
  ])
  expect(call.turns[2]?.parts).toEqual([text('the page')])
  expect(call.turns[3]?.parts).toEqual([text('The result is in the next message.')])
  expect(call.turns[4]?.parts).toEqual([
    text('Result of the tool call a:'),
    image,
    text('Result of the tool call b:'),
    image,
  ])
})

test('JSON of any form is asked for in words where the vendor wants a schema, behind what the system says', () => {
  const turns = [turn('system', { parts: [text('Be brief.')] }), turn('user', { parts: [text('Hi')] })]
  const asked = { ...emptyCall, format: { type: 'json_object' }, turns } as const
  const { call } = acceptedCall(asked, { jsonObject: false })
  expect(call.format).toBeNull()
  expect(call.turns.map(({ role }) => role)).toEqual(['system', 'system', 'user'])
  expect(JSON.stringify(call.turns[1])).toContain('valid JSON object')
  expect(acceptedCall(asked, {}).call).toMatchObject({ format: { type: 'json_object' } })
})

test('a long name of an end user becomes a digest of it', () => {
  const user = 'user_'.padEnd(150, 'a')
  expect(acceptedCall({ ...emptyCall, user }, { longestUser: 64 }).call.user).toMatch(/^[0-9a-f]{64}$/)
  expect(acceptedCall({ ...emptyCall, user: 'anna' }, { longestUser: 64 }).call.user).toBe('anna')
})
