import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAvailable, serverUrl } from '../../../test/support/database.ts'
import { reasonWithout, selfSigned } from '../../../test/support/programs.ts'
import { closeAll, egressWith, listen } from '../egress/testing/upstream.ts'
import { addRow } from './writer.ts'

const { hostname: host, port: given, username: user } = new URL(serverUrl)
const port = Number(given || 5432)

describe.skipIf(!(await isAvailable('pg')) || reasonWithout('openssl') !== null)('a row', () => {
  const table = `parapet_writer_${randomUUID().slice(0, 8)}`
  let there: Client
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parapet-writer-'))
    there = new Client({ connectionString: serverUrl })
    await there.connect()
  })
  afterAll(async () => {
    await there?.query(`drop table if exists "${table}", "${table}_raced"`)
    await there?.end()
    await closeAll()
    await rm(folder, { recursive: true, force: true })
  })

  const row = (id: string, name = table) => ({
    ...{ schema: 'public', table: name },
    columns: [
      { name: 'id', type: 'text', value: id },
      { name: 'more', type: 'jsonb not null', value: '{"a":"it\'s"}' },
    ],
  })
  const place = (over: object = {}) => ({ host, port, database: 'postgres', user, password: 'none', ...over })
  const count = async (name = table) => Number((await there.query(`select count(*) from "${name}"`)).rows[0].count)

  test('is added once, to a table that is made for the first', async () => {
    const add = (id: string) => addRow(egressWith(), place(), row(id))
    expect([await add('a'), await add('a'), await add('b')]).toEqual([true, false, true])
    expect(await count()).toBe(2)
  })

  test('is there once when many add it at the same time', async () => {
    await addRow(egressWith(), place(), row('first', `${table}_raced`))
    const all = Array.from({ length: 8 }, () => addRow(egressWith(), place(), row('same', `${table}_raced`)))
    expect((await Promise.all(all)).filter(Boolean)).toHaveLength(1)
    expect(await count(`${table}_raced`)).toBe(2)
  })

  /** A PostgreSQL that takes TLS: it decrypts and forwards to the real one. */
  async function encrypted(name: string): Promise<{ readonly port: number; readonly ca: string }> {
    const { certificate, key } = await selfSigned(folder, name)
    const pair = { cert: await readFile(certificate, 'utf8'), key: await readFile(key, 'utf8') }
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      // The request for TLS has eight bytes; one is the answer.
      socket.once('data', (asked) => {
        expect(asked.toString('hex')).toBe('0000000804d2162f')
        socket.write('S')
        const open = new TLSSocket(socket, { isServer: true, ...pair })
        const behind = connect(port, host)
        for (const one of [open, behind]) one.on('error', () => behind.destroy())
        open.pipe(behind).pipe(open)
      })
    })
    return { port: await listen(server), ca: pair.cert }
  }

  test('travels over TLS to who has the certificate, and nothing is sent to anybody else', async () => {
    const [own, strange] = [await encrypted('own'), await encrypted('strange')]
    const to = (name: string, at: number, ca: string) =>
      addRow(
        egressWith({ resolve: async () => ['127.0.0.1'] }),
        place({ host: name, port: at, tls: { ca } }),
        row(name),
      )
    expect(await to('parapet.example', own.port, own.ca)).toBe(true)
    expect(await to('127.0.0.1', own.port, own.ca)).toBe(true)
    await expect(to('other.example', own.port, own.ca)).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    await expect(to('parapet.example', own.port, strange.ca)).rejects.toThrow('self-signed')
    // The server itself has no TLS.
    await expect(to('parapet.example', port, own.ca)).rejects.toThrow('does not support SSL')
    expect(await count()).toBe(4)
  })

  test('goes to no address that is forbidden, and in clear to no public one', async () => {
    const guarded = egressWith({ resolve: async () => ['93.184.216.34'] })
    for (const over of [{ host: '169.254.169.254' }, { host: '169.254.169.254', tls: {} }, { host: 'public.example' }])
      await expect(addRow(guarded, place(over), row('x'))).rejects.toMatchObject({ kind: 'refused' })
  })
})
