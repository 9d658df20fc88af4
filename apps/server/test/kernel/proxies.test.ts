/** The proxies as configured on the page on TLS, in front of the program: both must see the same requests. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { titleOf } from '../../src/kernel/testing/services.ts'
import { blockOf } from '../support/documented.ts'
import { freePort, type Program, reasonWithout, selfSigned, startListening } from '../support/programs.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'
import { answersIn, type RawAnswer, request } from './raw-http.ts'
import { smuggled } from './smuggled.ts'

const page = 'docs/reference/tls.md'
const wraps: Readonly<Record<string, (text: string, folder: string) => string>> = {
  nginx: (text, folder) =>
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}\nhttp { access_log off;\n${text}}\n`,
  haproxy: (text) => text,
}
const starts: Readonly<Record<string, (folder: string) => readonly string[]>> = {
  nginx: (folder) => ['-p', folder, '-c', join(folder, 'nginx.conf')],
  haproxy: (folder) => ['-db', '-f', join(folder, 'haproxy.conf')],
}

describe.each(['nginx', 'haproxy'])('behind', (name) => {
  const skip = reasonWithout(name, 'openssl')

  describe.skipIf(skip !== null)(titleOf(name, skip), () => {
    let world: NotesWorld
    let folder: string
    let front: number
    let proxy: Program | null = null
    /** Addresses of the requests that the program itself has parsed. */
    const seen: string[] = []

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), `parapet-${name}-`))
      world = await openNotesWorld({ PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' })
      await world.program.app.listen({ port: 0, host: '127.0.0.1' })
      world.program.app.server.prependListener('request', ({ url }) => void seen.push(url ?? ''))
      const back = (world.program.app.server.address() as AddressInfo).port
      front = await freePort()
      const { certificate, key } = await selfSigned(folder, 'front')
      await writeFile(join(folder, 'front.pem'), (await readFile(certificate)) + String(await readFile(key)))
      await mkdir(join(folder, 'logs'))
      const text = blockOf(page, name)
        .replace('listen 443', `listen 127.0.0.1:${front}`)
        .replace('bind :443', `bind 127.0.0.1:${front}`)
        .replace('127.0.0.1:8080', `127.0.0.1:${back}`)
        .replaceAll('/etc/parapet/', `${folder}/`)
      await writeFile(join(folder, `${name}.conf`), wraps[name]?.(text, folder) ?? '')
      proxy = await startListening(front, name, ...(starts[name]?.(folder) ?? []))
    })
    afterAll(async () => {
      await proxy?.stop()
      await world?.close()
      await rm(folder, { recursive: true, force: true })
    })

    test('an ordinary request is answered, and its address is the client’s whatever it claims', async () => {
      const answers = await send(front, request('GET', '/metrics', { 'x-forwarded-for': '192.0.2.1' }))
      // Metrics are for the loopback address alone: the client's own header would have been refused.
      expect(answers.map(({ status }) => status)).toEqual([200])
    })

    test.each(Object.entries(smuggled))('C21 %s: proxy and program see the same requests', async (_what, bytes) => {
      seen.length = 0
      const answers = await send(front, bytes)
      const own = answers.filter(({ headers }) => headers['x-request-id'] !== undefined)
      // Every byte sequence that the program read as a request got its own answer.
      expect(seen.length).toBeLessThanOrEqual(own.length)
      const alive = answers.filter(({ status, body }) => status === 200 && body === '{"status":"ok"}')
      expect(alive.length).toBeLessThanOrEqual(seen.filter((url) => url === '/healthz').length)
      // The next requests over the same connections get their own answers.
      for (const code of ['API-001', 'API-003', 'API-013']) {
        const [next] = await send(front, request('GET', `/errors/${code}`))
        expect([next?.status, JSON.parse(next?.body ?? '').error_code]).toEqual([200, code])
      }
    })
  })
})

/** Sends bytes over TLS and gives what came back until nothing more comes. */
async function send(port: number, bytes: string): Promise<readonly RawAnswer[]> {
  const quietMs = 250
  const text = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    let quiet: NodeJS.Timeout
    const wait = (ms: number): void => {
      clearTimeout(quiet)
      quiet = setTimeout(() => socket.destroy(), ms)
    }
    socket.on('secureConnect', () => {
      socket.write(bytes, 'latin1')
      wait(4 * quietMs)
    })
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      wait(quietMs)
    })
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)))
    socket.on('close', () => {
      clearTimeout(quiet)
      resolve(Buffer.concat(chunks).toString('latin1'))
    })
  })
  return answersIn(text)
}
