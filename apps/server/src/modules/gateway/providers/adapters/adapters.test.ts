import { describe, expect, test } from 'vitest'
import type { CanonicalCall } from '../../call/call.ts'
import { callFields, fitCall } from '../../call/fields.ts'
import type { NetworkAdapter } from '../adapter.ts'
import { providerKinds } from '../provider.ts'
import { adapterOf } from '../registry.ts'
import { placesOf } from './field-places.ts'
import { openAiResponses } from './field-places-responses.ts'
import { callWith, type Places } from './field-uses.ts'
import { openAiResponsesAdapter } from './openai/adapter.ts'
import { askingOf } from './test-asking.ts'

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
    const { call, refused } = fitCall(callWith(field), adapter, false)
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

  test('leaves out what it does not take, when that is wanted', async () => {
    for (const field of callFields) {
      const { call, dropped, refused } = fitCall(callWith(field), adapter, true)
      if (refused.length > 0) continue
      const table = adapter.fields[field]
      if (table === 'unsupported') expect(dropped.length).toBeGreaterThan(0)
      await bodySent(adapter, call)
    }
  })
})
