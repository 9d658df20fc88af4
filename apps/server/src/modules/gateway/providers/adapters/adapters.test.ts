import { describe, expect, test } from 'vitest'
import type { CanonicalCall, ReasoningPart } from '../../call/call.ts'
import { callFields, fitCall } from '../../call/fields.ts'
import { providerKinds } from '../../words/provider-kinds.ts'
import type { NetworkAdapter } from '../adapter.ts'
import { adapterOf } from '../vendors/registry.ts'
import { placesOf } from './field-places.ts'
import { openAiResponses } from './field-places-responses.ts'
import { callFor, callWith, type Places } from './field-uses.ts'
import { openAiResponsesAdapter } from './openai/apis/adapter.ts'
import { askingOf } from './testing/asking.ts'

const kinds = Object.keys(placesOf) as (keyof typeof placesOf)[]

function networkAdapter(kind: keyof typeof placesOf): NetworkAdapter {
  const adapter = adapterOf(kind)
  if (adapter.over !== 'network') throw new Error(`${kind} calls nobody`)
  return adapter
}

/** Kinds, and an interface of its own that a vendor has for calls of one form. */
const interfaces: readonly (readonly [name: string, adapter: NetworkAdapter, places: Places])[] = [
  ...kinds.map((kind) => [kind, networkAdapter(kind), placesOf[kind]] as const),
  ['openai responses', openAiResponsesAdapter, openAiResponses],
]

async function bodySent(adapter: NetworkAdapter, call: CanonicalCall): Promise<unknown> {
  const { body } = await adapter.request(askingOf(adapter, { call }))
  if (typeof body !== 'string') throw new Error('the body is no text')
  return JSON.parse(body)
}

function at(body: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((place, name) => Object(place)[name], body)
}

test('every kind of provider that calls somebody is here', () => {
  const calling = providerKinds.filter((kind) => adapterOf(kind).over === 'network')
  expect(kinds.toSorted()).toEqual(calling.toSorted())
})

describe.each(interfaces)('the adapter of %s', (kind, adapter, places) => {
  test.each(callFields)('sends %s where it belongs, or refuses it', async (field) => {
    const { call, refused } = fitCall(callFor(field, adapter.fields), adapter, false)
    if (adapter.fields[field] === 'unsupported') {
      expect(refused.length).toBeGreaterThan(0)
      return
    }
    expect(refused).toEqual([])
    const place = places[field]
    if (place === undefined) throw new Error(`nobody said where ${kind} gets ${field}`)
    const body = await bodySent(adapter, call)
    if (place === null) {
      expect(body).toEqual(await bodySent(adapter, callWith('/messages')))
      return
    }
    expect(at(body, place[0])).toEqual(place[1])
  })

  test('sends the name of a file that is its text', async () => {
    const [hi] = callWith('/messages').turns
    const file = { type: 'file', source: null, name: 'minutes.txt', mime: 'text/plain', text: 'We met.' } as const
    const { call, refused, dropped } = fitCall(
      { ...callWith('/messages'), turns: hi === undefined ? [] : [{ ...hi, parts: [...hi.parts, file] }] },
      adapter,
      false,
    )
    expect([refused, dropped]).toEqual([[], []])
    expect(JSON.stringify(await bodySent(adapter, call))).toMatch(/minutes\.txt.*We met\.|We met\..*minutes\.txt/)
  })

  test('leaves out what it does not take, when that is wanted', async () => {
    for (const field of callFields) {
      const { call, dropped, refused } = fitCall(callFor(field, adapter.fields), adapter, true)
      if (refused.length > 0) continue
      const table = adapter.fields[field]
      if (table === 'unsupported') expect(dropped.length).toBeGreaterThan(0)
      await bodySent(adapter, call)
    }
  })
})

const sealed: Readonly<Record<string, ReasoningPart['data']>> = {
  anthropic: { form: 'anthropic_messages', value: { type: 'thinking', signature: 's' } },
  aws_bedrock: { form: 'anthropic_messages', value: { type: 'thinking', signature: 's' } },
  'openai responses': { form: 'openai_responses', value: { type: 'reasoning', id: 'rs_1', summary: [] } },
}

describe.each(interfaces.filter(([kind]) => sealed[kind] !== undefined))('%s', (kind, adapter) => {
  const thinking = (data: ReasoningPart['data']): CanonicalCall => {
    const plain = callWith('/messages/content/reasoning')
    const turns = plain.turns.map((turn) => ({
      ...turn,
      parts: turn.parts.map((part) => (part.type === 'reasoning' ? { ...part, data } : part)),
    }))
    return { ...plain, turns }
  }

  test('is sent the thinking that it sealed, and no other, which leaves a trace', async () => {
    const own = sealed[kind] ?? null
    expect(fitCall(thinking(own), adapter, false)).toMatchObject({ dropped: [], refused: [] })
    const bare = await bodySent(adapter, thinking(null))
    expect(await bodySent(adapter, thinking(own))).not.toEqual(bare)
    for (const data of [null, { form: 'openai_chat', value: 'x' } as const]) {
      expect(await bodySent(adapter, thinking(data))).toEqual(bare)
      const trace = { dropped: ['/messages/1/content/reasoning'], refused: [] }
      expect(fitCall(thinking(data), adapter, false)).toMatchObject(trace)
    }
  })
})

test('OpenAI is sent no thinking of others, which leaves a trace, and servers that know it get what they said', async () => {
  const call = callWith('/messages/content/reasoning')
  for (const kind of ['openai', 'azure_openai'] as const) {
    const trace = { dropped: ['/messages/1/content/reasoning'], refused: [] }
    expect(fitCall(call, networkAdapter(kind), false)).toMatchObject(trace)
    expect(JSON.stringify(await bodySent(networkAdapter(kind), call))).not.toContain('hm')
  }
  const compatible = networkAdapter('openai_compatible')
  expect(fitCall(call, compatible, false)).toMatchObject({ dropped: [], refused: [] })
  expect(at(await bodySent(compatible, call), '/messages/1')).toEqual({
    role: 'assistant',
    content: 'so',
    reasoning_content: 'hm',
  })
})
