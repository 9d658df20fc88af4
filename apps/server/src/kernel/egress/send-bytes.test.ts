import { createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { sendBytes } from './send-bytes.ts'
import { closeAll, egressWith, failure, listen } from './testing/upstream.ts'

afterAll(closeAll)

test('bytes arrive whole, and the connection is closed behind them', async () => {
  const got: Buffer[] = []
  let close = (): void => undefined
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const server = createServer((socket) => {
    socket.on('data', (piece: Buffer) => got.push(piece))
    socket.on('end', () => close())
  })
  const port = await listen(server)
  await sendBytes(egressWith(), { host: '127.0.0.1', port, tls: null, timeoutMs: 5_000 }, Buffer.from('5 hello'))
  await closed
  expect(Buffer.concat(got).toString()).toBe('5 hello')
})

test('a target that the guard refuses gets none', async () => {
  const target = { host: '169.254.169.254', port: 80, tls: null, timeoutMs: 5_000 }
  expect((await failure(sendBytes(egressWith(), target, Buffer.from('x')))).kind).toBe('refused')
})
