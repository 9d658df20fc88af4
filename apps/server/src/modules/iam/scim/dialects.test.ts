import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, type World } from '../../../../test/support/world.ts'
import type { Conversation, Step } from './testing/conversation.ts'
import { entra } from './testing/entra.ts'
import { jumpCloud, okta, oneLogin } from './testing/others.ts'

let world: World
let client: TestClient

beforeAll(async () => {
  world = await openWorld()
  const { admin } = await world.tenant('alpha')
  const made = expectStatus(await admin.post('/iam/api-keys', { name: 'Directory', kind: 'scim' }), 201)
  client = world.stranger.with(made.body.data.secret)
})
afterAll(() => world.close())

const conversations: readonly Conversation[] = [entra, okta, oneLogin, jumpCloud]

test.each(conversations)('a conversation with $directory goes as it expects', async ({ steps }) => {
  const kept = new Map<string, string>()
  const filled = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value ?? null).replaceAll(/\{(\w+)\}/g, (_all, name: string) => kept.get(name) ?? _all))
  for (const step of steps) {
    const answer = await say(filled(step))
    expect([step.what, answer.status, answer.text.slice(0, 300)]).toEqual([step.what, step.status, expect.anything()])
    if (step.answer !== undefined) expect([step.what, answer.body]).toMatchObject([step.what, filled(step.answer)])
    if (step.keep !== undefined) kept.set(step.keep, answer.body.id)
  }
})

function say({ method, path, body }: Step) {
  const [address = '', search = ''] = path.split('?')
  const query = Object.fromEntries(
    search
      .split('&')
      .filter(Boolean)
      .map((pair) => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at), pair.slice(at + 1)]
      }),
  )
  const headers = body === undefined || body === null ? {} : { 'content-type': 'application/scim+json; charset=utf-8' }
  return client.send(method, `/scim/v2${address}`, { ...(body == null ? {} : { body }), options: { query, headers } })
}
