/** Calls and answers that are as much work as they may be, in the form of OpenAI's chat completions. */
import { adversaries } from '../../packages/detect/test/adversarial.ts'

/** Where the text of a case stands. */
export type Shape = 'one text' | 'tool arguments' | 'many blocks'

export interface StallCase {
  readonly name: string
  readonly shape: Shape
  /** A text of exactly so many UTF-16 units. */
  readonly text: (length: number) => string
}

const repeated = (unit: string) => (length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

const adversary = (name: string): StallCase => {
  const found = adversaries.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no text ${name}`)
  return { name, shape: 'one text', text: found.text }
}

const streets = repeated('12 Main Street, Springfield, IL 62704, anna@example.org; ')

/** JSON in JSON: brackets as deep as they go, then data. */
const nested = (length: number): string => {
  const rows = repeated('{"a":[{"b":"12 Main Street","c":[1,2,3]}]},')(Math.max(0, length - 140)).replace(/[^}]*$/, '')
  const json = `${'['.repeat(64)}${rows}1${']'.repeat(64)}`
  return json + ' '.repeat(Math.max(0, length - json.length))
}

export const stallCases: readonly StallCase[] = [
  { name: 'streets and e-mail', shape: 'one text', text: streets },
  { name: 'prose', shape: 'one text', text: repeated('The committee agreed on the plan and thanked everybody. ') },
  ...[
    'addresses that all differ',
    'streets that all differ',
    'names after labels that all differ',
    'numbers that all differ',
    'base64 pieces',
    'base64 of base64',
    'sentences that all differ',
  ].map(adversary),
  ...['"4111 1111 1111 1111 "', '"a@"', '"1 "', '"[["'].flatMap((name) =>
    adversaries.some((one) => one.name === name) ? [adversary(name)] : [],
  ),
  { name: 'one long token', shape: 'one text', text: repeated('a') },
  { name: 'zero-width', shape: 'one text', text: repeated('i\u200bg\u200cn\u200d') },
  { name: 'quotes and backslashes', shape: 'one text', text: repeated('\\"\n') },
  { name: 'nested JSON', shape: 'one text', text: nested },
  { name: 'tool arguments, streets', shape: 'tool arguments', text: streets },
  { name: 'tool arguments, nested JSON', shape: 'tool arguments', text: nested },
  { name: '20,000 blocks', shape: 'many blocks', text: repeated('12 Main Street, Springfield; ') },
]

const blocks = 20_000
/** Characters of one event of a stream. */
const eventLength = 4_096

function* cut(text: string, length: number): Generator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

const tool = { type: 'function', function: { name: 'note', parameters: { type: 'object' } } }

/** The body of a call whose text has so many characters. */
export function callBody({ shape, text }: StallCase, length: number, stream: boolean): string {
  const base = { model: 'mock-1', stream }
  if (shape === 'many blocks') {
    // Each block has a form of some 30 characters around its text.
    const parts = [...cut(text(Math.max(blocks, length - blocks * 34)), Math.max(1, Math.floor(length / blocks) - 34))]
    const content = parts.slice(0, blocks).map((one) => ({ type: 'text', text: one }))
    return JSON.stringify({ ...base, messages: [{ role: 'user', content }] })
  }
  if (shape === 'tool arguments') {
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'note', arguments: JSON.stringify({ a: text(length) }) },
    }
    const turns = [
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'Done.' },
    ]
    return JSON.stringify({ ...base, messages: turns, tools: [tool] })
  }
  return JSON.stringify({ ...base, messages: [{ role: 'user', content: text(length) }] })
}

const envelope = { id: 'chatcmpl-mock', created: 1_760_000_000, model: 'mock-1' }
const usage = { prompt_tokens: 12, completion_tokens: 12, total_tokens: 24 }
const callOf = (index: number, args: string) => ({
  ...{ index, id: `c${index}`, type: 'function' },
  function: { name: 'note', arguments: args },
})

/** The body of an answer whose text has so many characters. */
export function wholeAnswer({ shape, text }: StallCase, length: number): string {
  const message =
    shape === 'one text'
      ? { role: 'assistant', content: text(length) }
      : {
          ...{ role: 'assistant', content: null },
          tool_calls:
            shape === 'tool arguments'
              ? [callOf(0, JSON.stringify({ a: text(length) }))]
              : [...cut(text(Math.floor(length / 2)), Math.floor(length / 2 / blocks))]
                  .slice(0, blocks)
                  .map((one, index) => callOf(index, JSON.stringify({ a: one }))),
        }
  const choices = [{ index: 0, message, finish_reason: shape === 'one text' ? 'stop' : 'tool_calls' }]
  return JSON.stringify({ ...envelope, object: 'chat.completion', choices, usage })
}

/** The same as a stream, event by event. */
export function* streamedAnswer({ shape, text }: StallCase, length: number): Generator<string> {
  const event = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ ...envelope, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  if (shape === 'one text') for (const content of cut(text(length), eventLength)) yield event({ content })
  else if (shape === 'tool arguments') {
    yield event({ tool_calls: [callOf(0, '')] })
    for (const piece of cut(JSON.stringify({ a: text(length) }), eventLength))
      yield event({ tool_calls: [{ index: 0, function: { arguments: piece } }] })
  } else for (const content of cut(text(length), Math.max(1, Math.floor(length / blocks)))) yield event({ content })
  yield event({}, shape === 'tool arguments' ? 'tool_calls' : 'stop')
  yield 'data: [DONE]\n\n'
}
