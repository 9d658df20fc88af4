import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { parquetMetadata } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { BlobError, type OpenedBlob } from '../../../kernel/blobs/port.ts'
import { sql, together } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { insertRequests } from '../records/statements.ts'
import type { RequestRow } from '../schemas/request.ts'
import { requests } from '../schemas/tables.ts'

import { ask } from '../testing/support.ts'
import { sweepExports } from './expiry.ts'
import { mostAttempts, runExport } from './run-export.ts'
import { type ExportRow, requestExports } from './tables.ts'

let world: OwnWorld
let tenant: TestTenant
let other: TestTenant

beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('exports')
  other = await world.tenant('exports-other')
  for (const text of ['the heron waits', 'mail ada.field@example.org']) await call(tenant.admin, text)
  await call(other.admin, 'the bittern hides')
})

afterAll(() => world?.close())

const path = '/gateway/requests/export'
const statusPath = (id: string) => `/gateway/requests/exports/${id}`
const contentPath = (id: string) => `${statusPath(id)}/content`

async function call(client: TestClient, text: string, over: object = {}): Promise<string> {
  const { body } = await ask(client, text, { model: 'echo-1', ...over })
  return body.data?.id ?? body.log_id
}

async function exported(client: TestClient, body: object): Promise<Record<string, unknown> & { id: string }> {
  const { id } = expectStatus(await client.post(path, body), 201).body.data
  await expect
    .poll(async () => (await client.get(statusPath(id))).body.data.status, { timeout: 20_000 })
    .not.toMatch(/queued|running/)
  return (await client.get(statusPath(id))).body.data
}

async function downloaded(client: TestClient, body: object): Promise<string> {
  const { id } = await exported(client, { gzip: false, ...body })
  return expectStatus(await client.get(contentPath(id)), 200).text
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const told = (answer: TestAnswer) => [answer.status, answer.body?.error_code]

/** A row of an export without a job, so that only the test works on it. */
async function planted(over: Partial<ExportRow> = {}): Promise<string> {
  const id = world.kernel.random.uuid()
  const now = world.kernel.clock.iso()
  const none = { row_count: null, bytes: null, sha256: null, blob_id: null, failure: null }
  const asked = { format: 'jsonl', gzip: false, include_payload: false, filter: {}, status: 'queued' } as const
  const times = { snapshot_at: now, expires_at: null, created_at: now, updated_at: now }
  const row = { id, tenant_id: tenant.id, user_id: id, progress: 0, ...none, ...asked, ...times, ...over }
  await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => requestExports.insert(tx, row))
  return id
}

const run = (kernel: Kernel, id: string, attempt = 1, signal = new AbortController().signal) =>
  runExport(kernel, { tenantId: tenant.id, payload: { export_id: id }, attempt, signal })

const rowOf = async (id: string): Promise<ExportRow | undefined> =>
  (
    await world.kernel.db.read(
      tenant.id,
      sql<ExportRow>`select ${requestExports.columns} from gateway_request_export where id = ${id}`,
    )
  )[0]

/** Null if the file no longer exists. */
const storedOf = (blob: string): Promise<OpenedBlob | null> =>
  world.kernel.db
    .tenant({ tenantId: tenant.id }, (tx) => world.kernel.blobs.open(tx, blob))
    .catch((error: unknown) => {
      if (error instanceof BlobError && error.kind === 'missing') return null
      throw error
    })

describe('an export', () => {
  test('holds the calls of the tenant that the filters name, as they are listed', async () => {
    const text = await downloaded(tenant.admin, { format: 'jsonl' })
    const listed = (await tenant.admin.get('/gateway/requests', { query: { sort: 'created_at' } })).body.data
    expect(linesOf(text)).toEqual(listed)
    expect(listed.length).toBeGreaterThanOrEqual(2)
    const redacted = linesOf(await downloaded(tenant.admin, { format: 'jsonl', decision: 'redacted' }))
    expect(redacted.map(({ decision }) => decision)).toEqual(['redacted'])
    expect(await downloaded(tenant.admin, { format: 'jsonl', q: 'no-such-word' })).toBe('')
  })

  test('C35 tells of its file what the file is', async () => {
    const made = await exported(tenant.admin, { format: 'csv' })
    expect(made).toMatchObject({ status: 'completed', progress: 1, kind: 'gateway_requests', report_id: made.id })
    const { rawPayload: bytes, headers } = await world.program.app.inject({
      method: 'GET',
      url: String(made.url),
      headers: { authorization: `Bearer ${tenant.admin.token}` },
    })
    const digest = createHash('sha256').update(bytes)
    expect(headers['repr-digest']).toBe(`sha-256=:${digest.copy().digest('base64')}:`)
    expect([made.sha256, made.bytes]).toEqual([digest.digest('hex'), bytes.byteLength])
    expect(headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(bytes.byteLength),
      'content-disposition': `attachment; filename="gateway-requests-${made.id}.csv.gz"`,
      'cache-control': 'no-store',
    })
    expect(gunzipSync(bytes).toString().split('\r\n')).toHaveLength(Number(made.row_count) + 2)
  })

  test('holds content only when asked, redacted, and says so when none is kept', async () => {
    expect(await downloaded(tenant.admin, { format: 'ocsf' })).not.toContain('heron')
    const text = await downloaded(tenant.admin, { format: 'jsonl', include_payload: true })
    expect(text).toContain('the heron waits')
    expect(text).toContain('mail ⟦EMAIL_1⟧')
    expect(text).not.toContain('ada.field@example.org')
    const empty = await world.tenant('exports-empty')
    expect(told(await empty.admin.post(path, { format: 'jsonl', include_payload: true }))).toEqual([409, 'GW-028'])
  })

  test('knows where a call came from', async () => {
    const [event] = linesOf(await downloaded(tenant.admin, { format: 'ocsf' }))
    expect(event).toMatchObject({ class_uid: 6003, src_endpoint: { ip: '127.0.0.1' } })
  })

  test('walks more calls than a page holds, each once, and none that ended later', async () => {
    const made = await world.tenant('exports-many')
    await call(made.admin, 'first')
    const [first] = await world.kernel.db.read(
      made.id,
      sql<RequestRow>`select ${requests.columns} from gateway_request limit 1`,
    )
    if (first === undefined) throw new Error('there is no call')
    const copies = Array.from({ length: 1200 }, (_, n) => {
      const id = world.kernel.random.uuid()
      return { ...first, id, request_id: `req_${n}` }
    })
    const late = { ...first, id: world.kernel.random.uuid(), finished_at: '2099-01-01T00:00:00.000Z' }
    await world.kernel.db.append([together([insertRequests([...copies, late])])])
    const lines = linesOf(await downloaded(made.admin, { format: 'jsonl' }))
    expect(new Set(lines.map(({ id }) => id))).toEqual(new Set([first.id, ...copies.map(({ id }) => id)]))
    expect(lines).toHaveLength(1201)
  })

  test('as Parquet is a file that readers open as it is', async () => {
    const made = await exported(tenant.admin, { format: 'parquet' })
    expect(made.gzip).toBe(false)
    const { rawPayload: bytes, headers } = await world.program.app.inject({
      method: 'GET',
      url: String(made.url),
      headers: { authorization: `Bearer ${tenant.admin.token}` },
    })
    expect(headers['content-type']).toBe('application/vnd.apache.parquet')
    expect(headers['content-disposition']).toContain(`gateway-requests-${made.id}.parquet"`)
    const { num_rows: rows } = parquetMetadata(new Uint8Array(bytes).buffer)
    expect(rows).toBe(BigInt(Number(made.row_count)))
  })

  test('is refused in a format there is none of, naming those there are', async () => {
    const answer = await tenant.admin.post(path, { format: 'xlsx' })
    expect(told(answer)).toEqual([400, 'API-001'])
    expect(answer.body.errors[0]).toMatchObject({ pointer: '/format' })
    expect(answer.body.errors[0].detail).toContain('jsonl, csv, ocsf, parquet')
  })

  test('is of administrators of its tenant', async () => {
    const { id } = await exported(tenant.admin, { format: 'csv' })
    for (const role of ['ai_engineer', 'auditor'] as const)
      for (const answer of [
        await (await tenant.as(role)).post(path, { format: 'csv' }),
        await (await tenant.as(role)).get(statusPath(id)),
        await (await tenant.as(role)).get(contentPath(id)),
      ])
        expect(told(answer)).toEqual([403, 'AUTH-004'])
    for (const at of [statusPath(id), contentPath(id)])
      expect(told(await other.admin.get(at))).toEqual([404, 'API-013'])
  })

  test('leaves audit entries and events when asked for, made and downloaded', async () => {
    const { id, sha256 } = await exported(tenant.admin, { format: 'jsonl' })
    await tenant.admin.get(contentPath(id))
    const entries = await world.kernel.db.read(
      tenant.id,
      sql<{ action: string; actor_kind: string }>`
        select action, actor_kind from audit_entry where target = ${`request_export:${id}`} order by at, id`,
    )
    expect(entries).toEqual([
      { action: 'gateway.requests.export', actor_kind: 'user' },
      { action: 'gateway.requests.export.complete', actor_kind: 'system' },
      { action: 'gateway.requests.export.download', actor_kind: 'user' },
    ])
    const events = await world.kernel.db.system('test', (tx) =>
      tx.query(sql<{ channel: string; data: { sha256: string } }>`
        select channel, data from outbox where subject = ${id}
        union select channel, data from event_log where subject = ${id} order by channel`),
    )
    expect(events.map(({ channel, data }) => [channel, data.sha256])).toEqual([
      ['gateway.export.completed', sha256],
      ['gateway.export.downloaded', sha256],
    ])
  })
})

describe('the work on an export', () => {
  test('that broke has no file, and the next attempt makes all of it', async () => {
    const id = await planted()
    const failing = {
      ...world.kernel,
      blobs: { ...world.kernel.blobs, put: () => Promise.reject(new Error('the disk is full')) },
    }
    await expect(run(failing, id)).rejects.toThrow('the disk is full')
    expect(await rowOf(id)).toMatchObject({ status: 'queued', progress: 0, blob_id: null })
    expect(told(await tenant.admin.get(contentPath(id)))).toEqual([409, 'API-011'])
    await run(world.kernel, id, 2)
    expect(await rowOf(id)).toMatchObject({ status: 'completed', progress: 1 })
  })

  test('that a killed process left in the middle is done anew', async () => {
    const id = await planted({ status: 'running', progress: 0.5 })
    await run(world.kernel, id, 2)
    expect((await tenant.admin.get(statusPath(id))).body.data).toMatchObject({ status: 'completed', progress: 1 })
    expect((await tenant.admin.get(contentPath(id))).status).toBe(200)
  })

  test('C27 fails for good after its last attempt, and at once when the file is too large', async () => {
    const failing = (error: Error): Kernel => ({
      ...world.kernel,
      blobs: { ...world.kernel.blobs, put: () => Promise.reject(error) },
    })
    const [last, large] = [await planted(), await planted()]
    await expect(run(failing(new Error('broken')), last, mostAttempts)).rejects.toThrow('broken')
    await run(failing(new BlobError('too_large', 'too large')), large)
    expect(await rowOf(last)).toMatchObject({ status: 'failed' })
    expect(await rowOf(large)).toMatchObject({ status: 'failed', failure: expect.stringContaining('narrow') })
    const answer = await tenant.admin.get(contentPath(large))
    expect([...told(answer), answer.body.detail]).toEqual([409, 'API-011', expect.stringContaining('narrow')])
  })

  test('says so where the tenant may store no more, and works once it may', async () => {
    const at = `/iam/tenants/${tenant.id}`
    expectStatus(await world.operator.patch(at, { quotas: { storage_mb: 0 } }), 200)
    const [refused, later] = [await planted(), await planted()]
    await run(world.kernel, refused)
    expect(await rowOf(refused)).toMatchObject({ status: 'failed', failure: expect.stringContaining('storage_mb') })
    expectStatus(await world.operator.patch(at, { quotas: { storage_mb: 1000 } }), 200)
    await run(world.kernel, later)
    expect(await rowOf(later)).toMatchObject({ status: 'completed' })
    const { usage } = expectStatus(await world.operator.get(at), 200).body.data
    expect(usage.storage_mb).toBe(1)
    expectStatus(await world.operator.patch(at, { quotas: { storage_mb: null } }), 200)
  })

  test('stops when nobody wants it any more and leaves it to the next attempt', async () => {
    const id = await planted()
    await expect(run(world.kernel, id, mostAttempts, AbortSignal.abort())).rejects.toThrow()
    expect(await rowOf(id)).toMatchObject({ status: 'queued', blob_id: null })
  })

  test('counts once when two attempts end, and keeps no second file', async () => {
    const id = await planted()
    const stored: string[] = []
    const watching: Kernel = {
      ...world.kernel,
      blobs: {
        ...world.kernel.blobs,
        put: async (owner, content) => {
          const info = await world.kernel.blobs.put(owner, content)
          stored.push(info.id)
          if (stored.length === 1) await run(watching, id, 2)
          return info
        },
      },
    }
    await run(watching, id)
    const kept = (await rowOf(id))?.blob_id
    expect(stored).toHaveLength(2)
    const there = await Promise.all(stored.map((blob) => storedOf(blob)))
    expect(there.map((info) => info?.id ?? null)).toEqual([null, kept])
  })
})

describe('the file', () => {
  const at = (hours: number): Kernel => {
    const now = () => Date.now() + hours * 3_600_000
    return { ...world.kernel, clock: { ...world.kernel.clock, now, iso: () => new Date(now()).toISOString() } }
  }

  test('is given in parts and told from one that changed', async () => {
    const made = await exported(tenant.admin, { format: 'jsonl', gzip: false })
    const ask = (headers: Record<string, string>) =>
      world.program.app.inject({
        method: 'GET',
        url: String(made.url),
        headers: { authorization: `Bearer ${tenant.admin.token}`, ...headers },
      })
    const whole = await ask({})
    const part = await ask({ range: 'bytes=5-9' })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 5-9/${made.bytes}`])
    expect(part.payload).toBe(whole.payload.slice(5, 10))
    const etag = String(whole.headers.etag)
    expect((await ask({ 'if-none-match': etag })).statusCode).toBe(304)
    expect((await ask({ range: 'bytes=5-9', 'if-range': '"another"' })).payload).toBe(whole.payload)
    const beyond = await ask({ range: `bytes=${made.bytes}-` })
    expect([beyond.statusCode, beyond.json().error_code]).toEqual([416, 'API-017'])
    expect(beyond.headers['content-range']).toBe(`bytes */${made.bytes}`)
  })

  test.each([
    ['content', true, 23, 25],
    ['no content', false, 24 * 7 - 1, 24 * 7 + 1],
  ])(
    'with %s is removed when its time is over, and remembered for a while',
    async (_what, withPayload, early, late) => {
      const { id } = await exported(tenant.admin, { format: 'jsonl', include_payload: withPayload })
      const blob = (await rowOf(id))?.blob_id ?? ''
      await sweepExports(at(early), tenant.id)
      expect((await tenant.admin.get(contentPath(id))).status).toBe(200)
      await sweepExports(at(late), tenant.id)
      expect(await storedOf(blob)).toBeNull()
      expect((await tenant.admin.get(statusPath(id))).body.data).toMatchObject({ status: 'completed', url: null })
      expect(told(await tenant.admin.get(contentPath(id)))).toEqual([409, 'API-011'])
      await sweepExports(at(late + 31 * 24), tenant.id)
      expect(told(await tenant.admin.get(statusPath(id)))).toEqual([404, 'API-013'])
    },
  )

  test('is not given past its time, also when nobody has removed it', async () => {
    const { id } = await exported(tenant.admin, { format: 'jsonl' })
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      requestExports.patch(tx, id, { expires_at: '2026-01-01T00:00:00.000Z' }),
    )
    expect(told(await tenant.admin.get(contentPath(id)))).toEqual([409, 'API-011'])
  })
})
