import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { madeFrame, run } from '../../src/kernel/http/body/testing/zstd-samples.ts'
import { sampleBody } from '../generated/samples.ts'
import type { TestClient } from '../support/client.ts'
import { filesModule } from './files-module.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'

let world: NotesWorld
let tenantId: TenantId
let person: TestClient
beforeAll(async () => {
  world = await openNotesWorld(
    {},
    { patience: { headersMs: 20_000, requestMs: 1_000, silenceMs: 20_000, lookEveryMs: 50 } },
  )
  await world.program.app.listen({ port: 0, host: '127.0.0.1' })
  tenantId = await world.tenant()
  person = await world.person(tenantId)
})
afterAll(() => world?.close())

const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
const sha256 = createHash('sha256').update(content).digest('hex')

type Part = readonly [name: string, value: string | Buffer, file?: { readonly name?: string; readonly type?: string }]

function multipart(...parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(([name, value, file]) => [
    `--edge\r\ncontent-disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file.name ?? 'a.bin'}"`}\r\n`,
    file === undefined ? '\r\n' : `content-type: ${file.type ?? 'application/octet-stream'}\r\n\r\n`,
    value,
    '\r\n',
  ])
  return Buffer.concat([...pieces, '--edge--\r\n'].map((piece) => Buffer.from(piece)))
}

type Headers = Readonly<Record<string, string>>

const send = (url: string, payload: Buffer, headers: Headers) =>
  world.program.app.inject({
    method: 'POST',
    url: `/api/v1/compliance${url}`,
    headers: { authorization: `Bearer ${person.token}`, ...headers },
    payload,
  })
const post = (payload: Buffer, headers: Headers = {}) =>
  send('/files', payload, { 'content-type': 'multipart/form-data; boundary=edge', ...headers })
const raw = (payload: Buffer, headers: Headers = {}) =>
  send('/raw-files', payload, { 'content-type': 'application/octet-stream', ...headers })
const get = (id: string, headers: Headers = {}) =>
  world.program.app.inject({
    method: 'GET',
    url: `/api/v1/compliance/files/${id}/content`,
    headers: { authorization: `Bearer ${person.token}`, ...headers },
  })
const title = (text = 'evidence'): Part => ['title', text]
const file = (value: string | Buffer = content, facts: { name?: string; type?: string } = {}): Part => [
  'file',
  value,
  facts,
]
const usage = () => world.kernel.blobs.usage(tenantId)

describe('a multipart upload', () => {
  test('is stored with its hash before the handler runs, and the fields are a body like any other', async () => {
    const answer = await post(
      multipart(title(), file(content, { name: 'C:\\\\docs\\\\a.bin', type: 'text/plain; charset=utf-8' })),
    )
    expect([answer.statusCode, answer.json().data]).toEqual([
      201,
      expect.objectContaining({
        title: 'evidence',
        bytes: content.length,
        sha256,
        media_type: 'text/plain',
        name: 'a.bin',
      }),
    ])
    expect(answer.headers.location).toContain(answer.json().data.id)
    expect((await get(answer.json().data.id)).rawPayload.equals(content)).toBe(true)
  })

  test('has the other success that its route declares, and a file that nobody names does not count', async () => {
    const before = await usage()
    const answer = await post(multipart(file(), title('again')))
    expect([answer.statusCode, answer.json().data.title]).toEqual([200, 'again'])
    const unnamed = await world.kernel.db.tenant({ tenantId }, (tx) =>
      tx.query(sql<{ id: string }>`
        select id from blob where not exists (select from test_file f where f.blob_id = blob.id)`),
    )
    expect(unnamed).toHaveLength(1)
    for (const { id } of unnamed) await world.kernel.blobs.discard(tenantId, id)
    expect(await usage()).toBe(before)
  })

  test('is answered once for one Idempotency-Key, however its parts stand, and keeps no second file', async () => {
    const headers = { 'idempotency-key': 'upload-1' }
    const bytes = Buffer.from('idempotent')
    const first = await post(multipart(title(), file(bytes)), headers)
    const before = await usage()
    const again = await post(multipart(file(bytes), title()), headers)
    expect([first.statusCode, again.statusCode]).toEqual([201, 201])
    expect([again.headers['idempotency-replayed'], again.json().data]).toEqual(['true', first.json().data])
    expect((await post(multipart(title(), file('another')), headers)).statusCode).toBe(409)
    await expect.poll(usage).toBe(before)
  })

  const hundred = Array.from({ length: 101 }, (_, n): Part => [`f${n}`, 'x'])
  test.each([
    ['without a file', multipart(title()), 400, 'API-001'],
    ['without a field', multipart(file()), 400, 'API-001'],
    ['with a field nobody knows', multipart(title(), ['more', 'x'], file()), 400, 'API-001'],
    ['with a field of the prototype', multipart(title(), ['__proto__', 'x'], file()), 400, 'API-001'],
    ['with one field twice', multipart(title(), title(), file()), 400, 'API-001'],
    ['with two files', multipart(title(), file('a'), file('b')), 400, 'API-001'],
    ['with a file in another part', multipart(title(), ['other', 'x', {}]), 400, 'API-001'],
    ['with a hundred and one fields', multipart(...hundred, file()), 400, 'API-001'],
    ['with a field that is too long', multipart(['title', 'x'.repeat(70_000)], file()), 400, 'API-001'],
    ['with text that cannot be stored', multipart(['title', 'a\0b'], file()), 400, 'API-001'],
    ['that ends in the middle', multipart(title(), file()).subarray(0, -20), 400, 'API-001'],
    ['of another media type', multipart(title(), file(content, { type: 'image/png' })), 415, 'API-006'],
    ['that is too large', multipart(title(), file(Buffer.alloc(2_000_001))), 413, 'API-005'],
    ['whose handler refuses', multipart(title('refuse'), file('refused')), 409, 'API-011'],
  ])('%s is refused and leaves nothing', async (_what, payload, status, code) => {
    const before = await usage()
    const answer = await post(payload)
    expect([answer.statusCode, answer.json().error_code]).toEqual([status, code])
    await expect.poll(usage).toBe(before)
  })

  test('that is none is refused', async () => {
    const answer = await send('/files', Buffer.from('{}'), { 'content-type': 'application/json' })
    expect([answer.statusCode, answer.json().error_code]).toEqual([415, 'API-006'])
    expect((await post(Buffer.from('x'), { 'content-type': 'multipart/form-data' })).statusCode).toBe(400)
  })

  test('C13 of somebody without the right is refused before its body is read', async () => {
    const before = await usage()
    const reader = await world.person(tenantId, ['compliance:read'])
    const answer = await world.program.app.inject({
      method: 'POST',
      url: '/api/v1/compliance/files',
      headers: { authorization: `Bearer ${reader.token}`, 'content-type': 'multipart/form-data; boundary=edge' },
      payload: multipart(title(), file()),
    })
    expect([answer.statusCode, await usage()]).toEqual([403, before])
  })
})

describe('an upload that is its body', () => {
  test('is stored as it is, also where its media type is one that other routes read', async () => {
    const answer = await raw(Buffer.from('{"a": broken'), { 'content-type': 'application/json' })
    expect([answer.statusCode, answer.json().data.media_type]).toEqual([201, 'application/json'])
  })

  test('is unpacked on its way', async () => {
    const answer = await raw(gzipSync(content), { 'content-encoding': 'gzip' })
    expect(answer.json().data).toMatchObject({ bytes: content.length, sha256 })
    const zstd = await raw(madeFrame([run(0, 100_000), run(7, 100_000)]), { 'content-encoding': 'zstd' })
    expect(zstd.json().data).toMatchObject({ bytes: 200_000 })
  })

  test.each([
    ['br', content, 415, 'API-018'],
    ['zstd', content, 400, 'API-001'],
    ['zstd', madeFrame(Array.from({ length: 15 }, () => run(0, 131_072))), 400, 'API-001'],
    ['gzip', content, 400, 'API-001'],
    ['gzip', gzipSync(Buffer.alloc(1_900_000)), 400, 'API-001'],
    ['gzip', gzipSync(randomBytes(2_100_000)), 413, 'API-005'],
  ])('C25 packed as %s and bad is refused and leaves nothing', async (encoding, payload, status, code) => {
    const before = await usage()
    const answer = await raw(payload, { 'content-encoding': encoding })
    expect([answer.statusCode, answer.json().error_code]).toEqual([status, code])
    if (status === 415) expect(answer.headers['accept-encoding']).toBe('gzip, zstd')
    await expect.poll(usage).toBe(before)
  })

  test('of a tenant whose storage is full is refused by name', async () => {
    world.probe.storage = 1_000
    const answer = await raw(content)
    world.probe.storage = null
    expect([answer.statusCode, answer.json().error_code]).toEqual([413, 'API-019'])
  })

  const half = async () => {
    const socket = connect((world.program.app.server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /api/v1/compliance/raw-files HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${person.token}\r\ncontent-type: text/plain\r\ncontent-length: 500000\r\n\r\n`,
    )
    socket.write(content)
    return socket
  }

  test('whose client goes away leaves nothing', async () => {
    const before = await usage()
    const objects = async () =>
      (await world.kernel.db.read(tenantId, sql<{ count: number }>`select count(*)::int as count from blob_object`))[0]
        ?.count
    const begun = await objects()
    const socket = await half()
    await expect.poll(objects).toBe(Number(begun) + 1)
    socket.destroy()
    await expect.poll(objects).toBe(begun)
    expect(await usage()).toBe(before)
  })

  test('has the time of its route and no more, and other routes have theirs', async () => {
    const heard = async (socket: Awaited<ReturnType<typeof half>>) => {
      let text = ''
      socket.on('data', (data) => {
        text += data.toString('latin1')
      })
      const begun = performance.now()
      await once(socket, 'close')
      return { text, ms: performance.now() - begun }
    }
    const json = connect((world.program.app.server.address() as AddressInfo).port, '127.0.0.1')
    json.write(
      `POST /api/v1/risk/notes HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${person.token}\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{`,
    )
    const [slow, other] = await Promise.all([heard(await half()), heard(json)])
    for (const { text } of [slow, other]) expect(text).toContain('API-015')
    expect(other.ms).toBeLessThan(slow.ms)
  })
})

describe('a stored file', () => {
  test('is given whole, in part or unchanged', async () => {
    const { id } = (await raw(content)).json().data
    const whole = await get(id)
    const etag = String(whole.headers.etag)
    expect(whole.headers).toMatchObject({
      'content-length': String(content.length),
      'accept-ranges': 'bytes',
      'content-disposition': 'attachment; filename="file"',
      etag: `"${sha256}"`,
      'x-content-type-options': 'nosniff',
    })
    const part = await get(id, { range: 'bytes=65530-65545' })
    expect([part.statusCode, part.headers['content-range'], part.headers['content-length']]).toEqual([
      206,
      `bytes 65530-65545/${content.length}`,
      '16',
    ])
    expect(part.rawPayload.equals(content.subarray(65_530, 65_546))).toBe(true)
    expect((await get(id, { range: 'bytes=-5' })).rawPayload.equals(content.subarray(-5))).toBe(true)
    expect((await get(id, { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await get(id, { range: 'bytes=0-1', 'if-range': etag })).statusCode).toBe(206)
    expect((await get(id, { range: 'bytes=0-1', 'if-range': '"other"' })).statusCode).toBe(200)
    const beyond = await get(id, { range: 'bytes=300000-' })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${content.length}`])
    expect(beyond.json().error_code).toBe('API-017')
  })

  test('that is empty has no part', async () => {
    const { id } = (await raw(Buffer.alloc(0))).json().data
    const whole = await get(id)
    expect([whole.statusCode, whole.headers['content-length'], whole.rawPayload.length]).toEqual([200, '0', 0])
    expect((await get(id, { range: 'bytes=0-0' })).statusCode).toBe(416)
  })

  test('C35 has its name in a form that all clients read, and none that breaks out of it', async () => {
    const name = 'é"x\\r\\n; 100%.bin'.replaceAll('"', '%22')
    const { id } = (await post(multipart(title('named'), file('named file', { name })))).json().data
    const disposition = String((await get(id)).headers['content-disposition'])
    expect(disposition).toMatch(/^attachment; filename="[ -~]+"; filename\*=UTF-8''[\w%.!~*-]+$/)
  })

  test('whose bytes are gone is not found', async () => {
    const { id, sha256: hash } = (await raw(Buffer.from('to be lost'))).json().data
    const [row] = await world.kernel.db.read(
      tenantId,
      sql<{ blob_id: string }>`select blob_id from test_file where sha256 = ${hash}`,
    )
    await (await import('node:fs/promises')).rm(
      `${world.kernel.config.dataDir}/blobs/${tenantId}/${row?.blob_id.slice(-2)}/${row?.blob_id}`,
    )
    const answer = await get(id)
    expect([answer.statusCode, answer.json().error_code]).toEqual([404, 'API-013'])
  })
})

describe('the suites over all routes', () => {
  test('make a body with a file that the route accepts', async () => {
    const { routes } = filesModule({ maxBytes: 1_000, timeLimitMs: 1_000 })
    const uploads = routes.filter(({ route }) => route.upload !== null)
    expect(uploads).toHaveLength(2)
    for (const { prefix, route } of uploads) {
      const path = `/api/v1/${prefix}${route.path}`
      const declared = { name: `${route.method} ${path}`, module: 'compliance', path, params: [], route }
      expect((await person.post(path, sampleBody(declared, {}))).status).toBe(201)
    }
  })
})

describe('the documents', () => {
  test('tell of uploads, other successes and ranges', async () => {
    const { paths } = (await world.program.app.inject('/openapi.json')).json()
    const upload = paths['/api/v1/compliance/files'].post
    expect(upload.requestBody.content['multipart/form-data'].schema).toMatchObject({ required: ['file', 'title'] })
    expect(Object.keys(upload.responses)).toEqual(expect.arrayContaining(['200', '201', '413', '415']))
    expect(Object.keys(paths['/api/v1/compliance/raw-files'].post.requestBody.content)).toContain('text/plain')
    const download = paths['/api/v1/compliance/files/{file_id}/content'].get
    expect(Object.keys(download.responses)).toEqual(expect.arrayContaining(['200', '206', '304', '416']))
  })
})
