import { describe, expect, test } from 'vitest'
import { decoded, encoded, mirrored, parameterHeaders, readFacts } from './metadata.ts'
import { createSessionTokens, type Session } from './session-token.ts'
import { readEvents, writeEvent } from './sse.ts'

async function eventsOf(...chunks: readonly (string | Uint8Array)[]) {
  const found: string[] = []
  const bytes = async function* () {
    for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
  }
  for await (const { data } of readEvents(bytes())) found.push(data)
  return found
}

describe('events', () => {
  test('are read with any line ending, comments left out, in any pieces', async () => {
    expect(await eventsOf('data: a\n\ndata: b\r\n\r\n: no\n\ndata: c\r\rdata: d\n', '\n')).toEqual(['a', 'b', 'c', 'd'])
    expect(await eventsOf('\ufeffdata: 1\ndata: 2\n\n')).toEqual(['1\n2'])
    const euro = new TextEncoder().encode('data: €\n\n')
    expect(await eventsOf(euro.subarray(0, 7), euro.subarray(7))).toEqual(['€'])
  })

  test('are read to the end of a stream that forgot its last line', async () => {
    expect(await eventsOf('data: last')).toEqual(['last'])
  })

  test('are written as they are read', async () => {
    expect(await eventsOf(writeEvent('{"a":1}'), writeEvent('{}', '7'))).toEqual(['{"a":1}', '{}'])
  })
})

const headers = (given: Record<string, string>) => (name: string) => given[name]
const meta = (version = '2026-07-28') => ({ 'io.modelcontextprotocol/protocolVersion': version })
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'é', _meta: meta() } }

describe('the revision of a message', () => {
  test('is modern by its metadata and legacy without', () => {
    expect(readFacts(call, headers(mirrored(call)))).toMatchObject({ era: 'modern', version: '2026-07-28' })
    expect(readFacts({ method: 'ping', id: 1 }, headers({}))).toMatchObject({ era: 'legacy', version: null })
    expect(readFacts({ method: 'ping', id: 1 }, headers({ 'mcp-protocol-version': '2025-06-18' }))).toMatchObject({
      version: '2025-06-18',
    })
  })

  test.each([[{ 'mcp-name': 'x' }], [{ 'mcp-method': 'ping' }], [{ 'mcp-protocol-version': '2025-11-25' }]])(
    'is refused where %j says something else than the body',
    (wrong) => {
      expect(readFacts(call, headers({ ...mirrored(call), ...wrong }))).toHaveProperty('mismatch')
    },
  )

  test('that nobody knows is told so', () => {
    expect(readFacts({ method: 'ping', id: 1 }, headers({ 'mcp-protocol-version': '2024-01-01' }))).toEqual({
      unsupported: '2024-01-01',
    })
    const old = { ...call, params: { ...call.params, _meta: meta('1900-01-01') } }
    expect(readFacts(old, headers({ 'mcp-protocol-version': '1900-01-01' }))).toEqual({ unsupported: '1900-01-01' })
    expect(readFacts({ method: 'ping', id: 1 }, headers({ 'mcp-protocol-version': '2026-07-28' }))).toHaveProperty(
      'mismatch',
    )
  })
})

test.each([
  ['us-west1', 'us-west1'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
])('%j stands in a header as the specification writes it', (value, header) => {
  expect(encoded(value)).toBe(header)
  expect(decoded(header)).toBe(value)
})

test('arguments that a schema marks stand in headers, also nested ones', () => {
  const schema = {
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      inner: { type: 'object', properties: { dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' } } },
      other: { type: 'string' },
    },
  }
  expect(parameterHeaders(schema, { region: 'eu', inner: { dry: true }, other: 'x' })).toEqual({
    'mcp-param-region': 'eu',
    'mcp-param-dry-run': 'true',
  })
  expect(parameterHeaders(schema, { region: null })).toEqual({})
})

test('a session id opens for its holder alone, unchanged and in time', () => {
  let now = 1_000
  const parts = {
    platformKeys: { derive: () => new Uint8Array(32).fill(7) },
    random: { bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) },
    clock: { now: () => now },
  }
  const tokens = createSessionTokens(parts)
  const holder = { tenantId: 't', agentId: 'a', keyId: 'k', serverId: 's' }
  const session: Session = {
    id: 'i',
    upstream: 'u',
    version: '2025-11-25',
    era: 'legacy',
    client: 'c',
    capabilities: {},
    expires: 2_000,
  }
  const token = tokens.seal(holder, session)
  expect(token).toMatch(/^[\x21-\x7e]+$/)
  expect(tokens.open(holder, token)).toEqual(session)
  // Another replica has the same key.
  expect(createSessionTokens(parts).open(holder, token)).toEqual(session)
  for (const other of [{ tenantId: 'x' }, { agentId: 'x' }, { keyId: null }, { serverId: 'x' }])
    expect(tokens.open({ ...holder, ...other }, token)).toBeNull()
  expect(tokens.open(holder, `${token.slice(0, 30)}${token[30] === 'A' ? 'B' : 'A'}${token.slice(31)}`)).toBeNull()
  expect(tokens.open(holder, '')).toBeNull()
  now = 2_001
  expect(tokens.open(holder, token)).toBeNull()
})
