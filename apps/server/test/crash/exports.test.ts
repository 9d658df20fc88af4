import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCall, signIn } from '../support/http.ts'
import { type Installation, install, operatorEmail, type RunningServer } from '../support/server-process.ts'
import { seeded } from './random.ts'

const crashes = 4
const calls = 200
const seed = Number(process.env.PARAPET_TEST_SEED ?? 20261122)

let installation: Installation
let server: RunningServer

beforeAll(async () => {
  installation = await install()
  server = await installation.start()
})

afterAll(() => installation?.remove())

const tokenOf = () => signIn(server.address, operatorEmail)

async function makeCalls(token: string): Promise<void> {
  for (let made = 0; made < calls; made += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => {
        const messages = [{ role: 'user', content: `call ${made + n} of the exported` }]
        const body = { model: 'echo-1', messages, cache: { mode: 'off' } }
        return expectCall(server.address, '/gateway/chat/completions', { method: 'POST', status: 200, token, body })
      }),
    )
}

test(`an export whose process is killed in the middle is whole or not there, seed ${seed}`, {
  timeout: 240_000,
}, async () => {
  const chance = seeded(seed)
  await makeCalls(await tokenOf())
  let unfinished = 0
  for (let crash = 0; crash < crashes; crash += 1) {
    const token = await tokenOf()
    const body = { format: 'jsonl', include_payload: true }
    const made = await expectCall(server.address, '/gateway/requests/export', {
      method: 'POST',
      status: 201,
      token,
      body,
    })
    const read = async () =>
      (await expectCall(server.address, `/gateway/requests/exports/${made.data.id}`, { status: 200, token })).data
    await new Promise((resolve) => setTimeout(resolve, chance.below(1 + crash * 60)))
    if ((await read()).status !== 'completed') unfinished += 1
    await server.signal('SIGKILL')
    server = await installation.start()
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('completed')
    const { sha256, row_count, url } = await read()
    const answer = await fetch(new URL(url, server.address), { headers: { authorization: `Bearer ${token}` } })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
    const lines = gunzipSync(bytes).toString().trimEnd().split('\n')
    expect([lines.length, new Set(lines.map((line) => JSON.parse(line).id)).size]).toEqual([calls, calls])
    expect(row_count).toBe(calls)
  }
  // Kills after the end of the work would prove nothing.
  expect(unfinished).toBeGreaterThan(0)
})
