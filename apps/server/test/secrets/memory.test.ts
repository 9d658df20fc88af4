/**
 * Traces of a password in the memory of the process after use. The test itself never has it as a text, only as
 * bytes outside of the heap. Best effort: it searches the texts in a heap snapshot after garbage collection, and not
 * freed pages.
 */
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getHeapSnapshot } from 'node:v8'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { roleId } from '../../src/modules/iam/sso/testing/sso-world.ts'
import { expectStatus, type OwnWorld, openWorld } from '../support/world.ts'

let world: OwnWorld

beforeAll(async () => {
  world = await openWorld({ own: true })
  await world.program.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => world.close())

/** Letters that appear nowhere else. */
const secretWord = (): Buffer => Buffer.from(Uint8Array.from(randomBytes(40), (byte) => 97 + (byte % 26)))

/** Posts `{ …, "<name>": "<word>" }` over a socket, without the word ever being a text here. */
function post(path: string, fields: object, { name, word }: { name: string; word: Buffer }): Promise<number> {
  const { port } = world.program.app.server.address() as AddressInfo
  const head = Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"${name}":"`)
  const body = Buffer.concat([head, word, Buffer.from('"}')])
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': String(body.byteLength) }
    const asked = request({ port, host: '127.0.0.1', method: 'POST', path: `/api/v1${path}`, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    asked.on('error', reject).end(body)
  })
}

/** Which of the words stand in a snapshot of the heap, which is taken after the garbage is collected. */
async function inHeap(words: readonly Buffer[]): Promise<readonly boolean[]> {
  const found = words.map(() => false)
  let before = Buffer.alloc(0)
  for await (const chunk of getHeapSnapshot()) {
    const text = Buffer.concat([before, Buffer.from(chunk)])
    words.forEach((word, index) => {
      if (text.includes(word)) found[index] = true
    })
    before = text.subarray(-100)
  }
  return found
}

test('C04 no text in memory holds a password after an invitation, sign-ins and a refusal', async () => {
  const email = 'ada@root.example'
  const body = { email, role_ids: [await roleId(world.root.admin, 'viewer')] }
  const { invitation_url } = expectStatus(await world.root.admin.post('/iam/users', body), 201).body.data
  const [word, wrong, control] = [secretWord(), secretWord(), secretWord()]
  const token = invitation_url.split('#')[1]
  expect(await post('/auth/invitations/accept', { token }, { name: 'password', word })).toBe(200)
  for (let tries = 0; tries < 3; tries += 1)
    expect(await post('/auth/login', { email }, { name: 'password', word })).toBe(200)
  expect(await post('/auth/login', { email }, { name: 'password', word: wrong })).toBe(401)
  // Another word follows them, so that the engine's last-value caches hold that one.
  expect(await post('/auth/login', { email }, { name: 'password', word: secretWord() })).toBe(401)
  const held = { text: control.toString() }
  expect(await inHeap([word, wrong, control])).toEqual([false, false, true])
  expect(held.text).toHaveLength(40)
})
