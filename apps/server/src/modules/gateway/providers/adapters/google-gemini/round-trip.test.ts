import { describe, expect, test } from 'vitest'
import { collectAnswer } from '../../../call/answer.ts'
import { emptyCall, type Opaque, type Part, type Turn } from '../../../call/call.ts'
import { encodeTurn as encodeForAnthropic } from '../anthropic/encode-blocks.ts'
import { encodeTurn as encodeForBedrock } from '../aws-bedrock/encode-blocks.ts'
import { decodeAnswer } from './decode.ts'
import { encodeRequest } from './encode.ts'

const none = { toolCallId: null, name: null } as const

/** The assistant's turn as a caller gives it back that keeps thinking. */
function turnOf(parts: readonly object[]): Turn {
  const answer = { candidates: [{ content: { parts }, finishReason: 'STOP' }] }
  const [choice] = collectAnswer(decodeAnswer(JSON.stringify(answer))).choices
  if (choice === undefined) throw new Error('no choice')
  const thought = choice.reasoningData.map((data): Part => ({ type: 'reasoning', text: choice.reasoning ?? '', data }))
  const said = choice.text === null ? [] : [{ type: 'text', text: choice.text } as const]
  return { ...none, role: 'assistant', parts: [...thought, ...said], toolCalls: choice.toolCalls }
}

const sent = (turn: Turn, model = 'gemini-3-pro-preview') =>
  encodeRequest({ ...emptyCall, turns: [turn] }, model).contents

describe('what the model said comes back to it', () => {
  test('with the signature on the first of its calls', () => {
    const calls = [
      { functionCall: { id: 'a', name: 'look', args: { in: 'Bonn' } }, thoughtSignature: 'c2ln' },
      { functionCall: { id: 'b', name: 'look', args: { in: 'Ulm' } } },
    ]
    expect(sent(turnOf(calls))).toEqual([{ role: 'model', parts: calls }])
  })

  test('with the signature on its last words', () => {
    const parts = [
      { text: 'Hm.', thought: true },
      { text: 'Rain.', thoughtSignature: 'c2ln' },
    ]
    expect(sent(turnOf(parts))).toEqual([{ role: 'model', parts }])
    expect(sent(turnOf([{ text: '', thoughtSignature: 'c2ln' }]))).toMatchObject([
      { parts: [{ text: '', thoughtSignature: 'c2ln' }] },
    ])
  })

  test('without an id that it did not give', () => {
    expect(sent(turnOf([{ functionCall: { name: 'look' } }]), 'gemini-2.5-pro')).toEqual([
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
    ])
  })
})

const made: Turn = { ...none, role: 'assistant', parts: [], toolCalls: [{ id: 'x', name: 'f', arguments: '{}' }] }

test('a call whose signature was lost has the word for that, where the model wants one', () => {
  const call = { functionCall: { id: 'x', name: 'f', args: {} } }
  const parts = [{ ...call, thoughtSignature: 'skip_thought_signature_validator' }]
  expect(sent(made)).toEqual([{ role: 'model', parts }])
  expect(sent(made, 'gemini-2.5-pro')).toEqual([{ role: 'model', parts: [call] }])
})

test('no vendor gets the signature of another', () => {
  const part = (signature: string): Part => {
    const data: Opaque = { form: 'anthropic_messages', value: { type: 'thinking', signature } }
    return { type: 'reasoning', text: 'Hm.', data }
  }
  const turn = (signature: string): Turn => ({ ...made, parts: [part(signature)] })
  expect(encodeForAnthropic(turn('google#c2ln'))).toMatchObject([{ type: 'tool_use' }])
  expect(encodeForBedrock(turn('google#c2ln'))).toMatchObject([{ toolUse: {} }])
  expect(sent(turn('c2ln'), 'gemini-2.5-pro')).toEqual([
    { role: 'model', parts: [{ text: 'Hm.', thought: true }, { functionCall: { id: 'x', name: 'f', args: {} } }] },
  ])
})
