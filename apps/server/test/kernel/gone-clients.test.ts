/** A client that hangs up is over as a request: it has its line and its number like every other. */
import { once } from 'node:events'
import { request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { createAccessLog } from '../../src/kernel/observe/access-log.ts'
import type { TestClient } from '../support/client.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'

const held = '/api/v1/resilience/held'

let world: NotesWorld
let app: FastifyInstance
let person: TestClient
let port: number
const lines: { readonly [member: string]: unknown }[] = []
let written: () => void = () => {}

beforeAll(async () => {
  world = await openNotesWorld()
  const destination = {
    write: (line: string) => {
      lines.push(JSON.parse(line))
      written()
    },
  }
  app = buildApp(world.program.assembled, [], {
    accessLog: createAccessLog({ now: world.clock.iso, destination }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
  person = await world.person(await world.tenant())
})

afterAll(async () => {
  await app?.close()
  await world?.close()
})

function call(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' }
  const request = send({ method, host: '127.0.0.1', port, path, agent: false, headers })
  request.end(body === undefined ? undefined : JSON.stringify(body))
  // Hanging up is what these tests do.
  request.on('error', () => {})
  return request
}

const nextLine = () =>
  new Promise<void>((resolve) => {
    written = resolve
  })

test('who hangs up before the answer has a line with the status 499 and nobody has two', async () => {
  let open: () => void = () => {}
  world.probe.gate = new Promise((resolve) => {
    open = resolve
  })
  const arrived = new Promise<void>((resolve) => {
    world.probe.arrived = resolve
  })
  const line = nextLine()
  const request = call('POST', held, { text: 'held' })
  await arrived
  request.destroy()
  await line
  expect(lines).toEqual([
    expect.objectContaining({ method: 'POST', route: held, status: 499, actor_id: expect.any(String) }),
  ])
  open()
  // The answer to another client comes after the end of the abandoned one.
  const [answer] = await once(call('GET', '/healthz'), 'response')
  answer.resume()
  await once(answer, 'end')
  expect(lines.map(({ route, status }) => [route, status])).toEqual([
    [held, 499],
    ['/healthz', 200],
  ])
  expect(await world.kernel.metrics.render()).toContain(
    `parapet_http_request_duration_seconds_count{method="POST",route="${held}",status="4xx"} 1`,
  )
})
