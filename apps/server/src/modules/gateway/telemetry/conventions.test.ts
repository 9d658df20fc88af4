import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import * as published from '@opentelemetry/semantic-conventions/incubating'
import { expect, test } from 'vitest'
import { conventions } from '../../../kernel/observe/otel/telemetry.ts'
import { providerKinds } from '../words/provider-kinds.ts'
import { histograms, hostOf, names, operationName, providerName } from './conventions.ts'

const known = new Set<unknown>(Object.values(published).filter((value) => typeof value === 'string'))

test('the package the names are held against is of the version that is claimed', async () => {
  const path = createRequire(import.meta.url).resolve('@opentelemetry/semantic-conventions')
  const folder = path.slice(0, path.lastIndexOf('/build/'))
  const manifest = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'))
  expect(manifest.version).toBe(conventions)
})

test.each(Object.values(names))('%s is an attribute of the conventions', (name) => {
  expect(known).toContain(name)
})

test.each(Object.values(histograms).map(({ name }) => name))('%s is a metric of the conventions', (name) => {
  expect(known).toContain(name)
})

// https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/ says each list in its own way.
test('bucket boundaries are those the conventions ask for', () => {
  const { duration, tokens, firstToken, perToken } = histograms
  expect(duration.boundaries).toEqual(Array.from({ length: 14 }, (_, n) => (2 ** n * 10) / 1000))
  expect(tokens.boundaries).toEqual(Array.from({ length: 14 }, (_, n) => 4 ** n))
  expect(firstToken.boundaries.join()).toBe('0.001,0.005,0.01,0.02,0.04,0.06,0.08,0.1,0.25,0.5,0.75,1,2.5,5,7.5,10')
  expect(perToken.boundaries.join()).toBe('0.01,0.025,0.05,0.075,0.1,0.15,0.2,0.3,0.4,0.5,0.75,1,2.5')
})

test('vendors the conventions name are called by that name', () => {
  const own = new Set(['echo', 'openai_compatible', 'ollama'])
  const kinds = providerKinds.filter((kind) => !own.has(kind))
  for (const kind of kinds) expect(known, kind).toContain(providerName(providerOf(kind)))
  expect(providerName(providerOf('openai_compatible', 'https://api.groq.com/openai/v1'))).toBe('groq')
  expect(providerName(providerOf('openai_compatible', 'https://groq.example/v1'))).toBe('openai_compatible')
})

test('the vendors’ forms of a conversation are a chat', () => {
  expect(['chat', 'responses', 'messages', 'embeddings'].map((name) => operationName(name as 'chat'))).toEqual([
    'chat',
    'chat',
    'chat',
    'embeddings',
  ])
})

test('a port is said also where the address leaves it out', () => {
  expect(hostOf(providerOf('openai_compatible', 'https://models.example/v1'))).toEqual({
    address: 'models.example',
    port: 443,
  })
  expect(hostOf(providerOf('openai_compatible', 'http://10.0.0.1:8000'))).toEqual({ address: '10.0.0.1', port: 8000 })
  expect(hostOf(providerOf('echo'))).toBeNull()
})

function providerOf(kind: (typeof providerKinds)[number], baseUrl: string | null = null) {
  const timeouts = { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 }
  const settings = { region: 'eu-west-1', project: 'p', deployment: 'd' }
  const lists = { models: [], knownModels: [], secrets: [] }
  return { id: 'p', name: 'p', kind, baseUrl, settings, timeouts, enabled: true, ...lists }
}
