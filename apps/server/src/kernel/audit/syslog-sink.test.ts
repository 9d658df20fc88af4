import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { reasonWithout, selfSigned } from '../../../test/support/programs.ts'
import { openProxy } from '../egress/testing/proxy.ts'
import { closeAll, egressWith, listen } from '../egress/testing/upstream.ts'
import { tenantA } from '../testing/event-world.ts'
import { createSyslogSink } from './syslog-sink.ts'

afterEach(closeAll)

const checkpoint = {
  tenantId: tenantA,
  size: 1_000,
  headHash: 'ab'.repeat(32),
  at: '2026-03-01T12:00:00.000Z',
  note: `parapet/audit/${tenantA}\n1000\nhead\n\n\u2014 k1 sig\n`,
}

/** A receiver that reads frames to the end of each connection, as RFC 6587 section 3.4.1 has them. */
function receiver() {
  const messages: string[] = []
  const serve = (socket: Socket): void => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk))
    socket.on('end', () => {
      let bytes = Buffer.concat(chunks)
      while (bytes.length > 0) {
        const space = bytes.indexOf(' ')
        const end = space + 1 + Number(bytes.subarray(0, space).toString())
        messages.push(bytes.subarray(space + 1, end).toString())
        bytes = bytes.subarray(end)
      }
      socket.end()
    })
  }
  return { messages, serve }
}

const sinkAt = (url: string, more: { ca?: string; timeoutMs?: number } = {}) =>
  createSyslogSink({ egress: egressWith(), url, host: 'parapet.example', timeoutMs: 20_000, ...more })

/** RFC 5424 section 6: priority, version, time, host, program, process, kind, no structured data, message. */
const form = /^<(\d+)>1 (\S+) (\S+) (\S+) (\S+) (\S+) - (.+)$/

function expectNote(message: string | undefined): void {
  const [, priority, at, host, program, process, kind, json] = form.exec(message ?? '') ?? []
  expect([priority, at, host, program, process, kind]).toEqual([
    ...['109', '2026-03-01T12:00:00.000Z', 'parapet.example', 'parapet', '-', 'checkpoint'],
  ])
  expect(json).toMatch(/^[\x20-\x7e]+$/)
  expect(JSON.parse(json ?? '')).toEqual({
    type: 'audit.checkpoint.created',
    data: { tenant_id: tenantA, size: 1_000, head_hash: checkpoint.headHash, note: checkpoint.note },
  })
}

describe('C61 a checkpoint as a syslog message', () => {
  test('goes past the proxy for calls to the outside, which could close before the receiver has read it', async () => {
    const { messages, serve } = receiver()
    const port = await listen(createServer({ allowHalfOpen: true }, serve))
    const proxy = await openProxy()
    const behind = { url: proxy.url, credentialFile: null, direct: [], names: 'proxy' as const }
    const egress = egressWith({ resolve: async () => ['127.0.0.1'], proxy: behind })
    const url = `tcp://log.example:${port}`
    await createSyslogSink({ egress, url, host: 'parapet.example', timeoutMs: 20_000 }).write(checkpoint)
    expectNote(messages[0])
    expect(proxy.asked).toEqual([])
  })

  test('goes in one frame over TCP, its note word for word', async () => {
    const { messages, serve } = receiver()
    const port = await listen(createServer({ allowHalfOpen: true }, serve))
    const sink = sinkAt(`tcp://127.0.0.1:${port}`)
    await sink.write(checkpoint)
    await sink.write(checkpoint)
    expect(messages).toHaveLength(2)
    messages.forEach(expectNote)
  })

  test('is a failure where the receiver breaks off, does not listen, or never reads it', async () => {
    const breaking = await listen(createServer((socket) => void socket.resetAndDestroy()))
    await expect(sinkAt(`tcp://127.0.0.1:${breaking}`).write(checkpoint)).rejects.toThrow()
    const gone = createServer()
    const port = await listen(gone)
    await new Promise((resolve) => gone.close(resolve))
    await expect(sinkAt(`tcp://127.0.0.1:${port}`).write(checkpoint)).rejects.toMatchObject({ kind: 'connect' })
    const held: Socket[] = []
    const silent = await listen(createServer({ allowHalfOpen: true }, (socket) => void held.push(socket)))
    await expect(sinkAt(`tcp://127.0.0.1:${silent}`, { timeoutMs: 50 }).write(checkpoint)).rejects.toThrow()
    for (const socket of held) socket.destroy()
  })

  test('C50 goes nowhere the network guard does not allow', async () => {
    const egress = egressWith({ allowedPrivate: [] })
    const sink = createSyslogSink({ egress, url: 'tcp://127.0.0.1:514', host: 'h' })
    await expect(sink.write(checkpoint)).rejects.toMatchObject({ kind: 'refused' })
  })

  test.skipIf(reasonWithout('openssl') !== null)(
    'goes over TLS to who is signed by the given certificate',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'parapet-syslog-'))
      try {
        const own = await selfSigned(folder, 'own')
        const [cert, key] = await Promise.all([readFile(own.certificate, 'utf8'), readFile(own.key, 'utf8')])
        const { messages, serve } = receiver()
        const port = await listen(createTlsServer({ cert, key, allowHalfOpen: true }, serve))
        await sinkAt(`tls://127.0.0.1:${port}`, { ca: cert }).write(checkpoint)
        expect(messages).toHaveLength(1)
        expectNote(messages[0])
        await expect(sinkAt(`tls://127.0.0.1:${port}`).write(checkpoint)).rejects.toMatchObject({ kind: 'connect' })
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  )
})
