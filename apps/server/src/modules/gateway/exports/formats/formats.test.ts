import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, test } from 'vitest'
import { untold } from '../../request-log/requests.ts'
import type { RequestSummary } from '../../schemas/request.ts'
import { callHeader, callLine } from './csv.ts'
import type { ExportedCall } from './exported-call.ts'
import { formats } from './format.ts'
import { ocsfEvent } from './ocsf.ts'
import type { ExportFormat } from './schema.ts'

const id = '0198a000-0000-7000-8000-000000000001'

function exported(over: Partial<RequestSummary> = {}, beside: Partial<ExportedCall> = {}): ExportedCall {
  const call: RequestSummary = {
    ...untold,
    id,
    tenant_id: id,
    request_id: 'req_1',
    trace_id: null,
    user_id: id,
    key_id: null,
    agent_id: null,
    session_id: null,
    dialect: 'parapet',
    operation: 'chat',
    requested_provider: null,
    requested_model: 'test-model',
    route: null,
    provider: null,
    model: null,
    policies: [],
    parent_request_id: null,
    policy_mode: 'enforce',
    decision: 'allowed',
    status: 'completed',
    cost: { ...untold.cost },
    timings: { ...untold.timings },
    security: { injection_score: 0.25, pii_detected: false, policy_violations: [], pipeline_latency_ms: 1 },
    patterns: [],
    entities: {},
    steps: [],
    attempts: [],
    fail_open: [],
    stream: false,
    offline: false,
    prompt_sha256: null,
    tags: [],
    created_at: '2026-01-02T03:04:05.678Z',
    updated_at: '2026-01-02T03:04:06.678Z',
    ...over,
  }
  return { call, ip: null, payload: null, ...beside }
}

/** The export file of the calls, written in pages of ten. */
async function written(format: ExportFormat, calls: readonly ExportedCall[], withPayload = false): Promise<Buffer> {
  const pages = Array.from({ length: Math.ceil(calls.length / 10) }, (_, n) => calls.slice(n * 10, n * 10 + 10))
  const chunks: Uint8Array[] = []
  for await (const chunk of formats[format].write(pagesOf(pages), withPayload)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* pagesOf(pages: readonly (readonly ExportedCall[])[]): AsyncGenerator<readonly ExportedCall[]> {
  yield* pages
}

/** RFC 4180, parsed by its grammar, independently of the writer. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && quoted === undefined && plain === '') continue
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

function cellOf(call: ExportedCall, name: string, withPayload = false): string | undefined {
  const [header, line] = readCsv(callHeader(withPayload) + callLine(call, withPayload))
  expect(line).toHaveLength(header?.length ?? 0)
  return line?.[header?.indexOf(name) ?? -1]
}

describe('C33 CSV', () => {
  test('quotes what would end a cell or a line', () => {
    const route = 'a "b", c\r\nd'
    expect(cellOf(exported({ route }), 'route')).toBe(route)
  })

  test('quotes every cell, empty ones and numbers too', () => {
    const cells = [callHeader(true), callLine(exported(), true)].flatMap((line) => line.trimEnd().split(','))
    expect(cells.filter((cell) => !/^".*"$/.test(cell))).toEqual([])
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '=HYPERLINK("http://x",1)'])(
    'C33 makes %j no formula',
    (text) => {
      expect(cellOf(exported({ requested_model: text }), 'requested_model')).toBe(`'${text}`)
      expect(cellOf(exported({ tags: [text] }), 'tags')).toBe(`'${text}`)
    },
  )

  test('keeps numbers numbers and nothing nothing', () => {
    expect(cellOf(exported(), 'injection_score')).toBe('0.25')
    expect(cellOf(exported(), 'model')).toBe('')
    expect(cellOf(exported({ cost: { ...untold.cost, amount: '0.000000001' } }), 'cost')).toBe('0.000000001')
  })

  test('has a column for content where it is asked for', () => {
    const payload = { messages: [{ role: 'user' as const, texts: ['=1, "x"'], tool_calls: [] }], answer: [] }
    expect(JSON.parse(cellOf(exported({}, { payload }), 'payload', true) ?? '')).toEqual(payload)
    expect(callHeader(false)).not.toContain('payload')
  })
})

describe('JSON Lines', () => {
  test('is one line a call, whatever its texts hold', async () => {
    const call = exported({ route: 'a\nb\u2028c' })
    const line = (await written('jsonl', [call])).toString()
    expect(line.indexOf('\n')).toBe(line.length - 1)
    expect(JSON.parse(line)).toEqual(call.call)
    expect(JSON.parse((await written('jsonl', [call], true)).toString())).toEqual({ ...call.call, payload: null })
  })
})

describe('Parquet', () => {
  const rowsOf = async (file: Buffer) => parquetReadObjects({ file: new Uint8Array(file).buffer })

  test('holds the columns of the CSV in their kinds, as another program reads them', async () => {
    const full = exported({ tags: ['a', 'b'], cost: { ...untold.cost, amount: '0.000000001' }, route: 'köln\n' })
    const [row] = await rowsOf(await written('parquet', [full]))
    expect(Object.keys(row ?? {})).toEqual(readCsv(callHeader(false))[0])
    expect(row).toMatchObject({
      id,
      created_at: new Date('2026-01-02T03:04:05.678Z'),
      route: 'köln\n',
      model: null,
      injection_score: 0.25,
      pii_detected: false,
      input_tokens: null,
      attempts: 0n,
      cost: '0.000000001',
      tags: 'a b',
    })
  })

  test('keeps the order of calls over row groups, and content where it is asked for', async () => {
    const payload = { messages: [], answer: [] }
    const calls = Array.from({ length: 45 }, (_, n) => exported({ route: `r${n}` }, { payload }))
    const file = await written('parquet', calls, true)
    expect(parquetMetadata(new Uint8Array(file).buffer).row_groups).toHaveLength(3)
    const rows = await rowsOf(file)
    expect(rows.map(({ route }) => route)).toEqual(calls.map(({ call }) => call.route))
    expect(JSON.parse(rows[44]?.payload)).toEqual(payload)
  })

  test('of no calls is a file with no rows', async () => {
    expect(await rowsOf(await written('parquet', []))).toEqual([])
  })
})

// schema.ocsf.io, 1.3.0, class api_activity: its required members and those of the objects it requires.
describe('OCSF', () => {
  const required = [
    ...['activity_id', 'actor', 'api', 'category_uid', 'class_uid', 'metadata', 'severity_id', 'src_endpoint', 'time'],
    'type_uid',
  ]

  test('has what the class requires', () => {
    const event = ocsfEvent(exported({ session_id: 'session-1' }), false)
    expect(required.filter((name) => event[name] === undefined || event[name] === null)).toEqual([])
    expect(event).toMatchObject({
      class_uid: 6003,
      category_uid: 6,
      activity_id: 99,
      type_uid: 600_399,
      time: 1_767_323_045_678,
      duration: 0,
      metadata: { version: '1.3.0', uid: id, product: { name: 'Parapet', vendor_name: 'Parapet' } },
      actor: { user: { uid: id }, session: { uid: 'session-1' } },
      api: { operation: 'chat', request: { uid: 'req_1' } },
      src_endpoint: { svc_name: 'gateway' },
      status_id: 1,
      severity_id: 1,
      action_id: 1,
      unmapped: { retention: 'metadata' },
    })
  })

  test('tells a block as a denied, failed and more severe one, with its address', () => {
    const blocked = { decision: 'blocked', status: 'blocked', error_code: 'GW-003' } as const
    const event = ocsfEvent(exported(blocked, { ip: '192.0.2.7' }), false)
    expect(event).toMatchObject({
      status_id: 2,
      status_code: 'GW-003',
      severity_id: 3,
      action_id: 2,
      disposition_id: 2,
      src_endpoint: { ip: '192.0.2.7' },
      api: { response: { error: 'GW-003' } },
    })
  })
})
