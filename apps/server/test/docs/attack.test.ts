/** The script that people attack their installations with finds nothing here, and much at a server that lets all through. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repository } from '../borders/sources.ts'
import { declaredRoutes, isPublic } from '../generated/manifest.ts'
import { openWorld, type World } from '../support/world.ts'

interface Found {
  readonly control: string
  readonly tried: number
  readonly faults: readonly string[]
}

const { attack } = (await import(pathToFileURL(join(repository, 'scripts/attack.mjs')).href)) as {
  attack(address: string): Promise<readonly Found[]>
}

describe('an attack from outside', () => {
  let world: World
  let careless: Server
  beforeAll(async () => {
    world = await openWorld({ own: true })
    careless = createServer({ insecureHTTPParser: true }, (request, response) => {
      request.resume()
      const origin = request.headers.origin
      const body =
        request.url === '/openapi.json' ? { paths: { '/a': { get: { security: [{}] } } } } : { at: 'at /srv/a.js:1' }
      response.writeHead(200, origin === undefined ? {} : { 'access-control-allow-origin': origin })
      response.end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => careless.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    careless?.close()
    await world?.close()
  })

  test('is refused by the program, every route and every attempt', async () => {
    const found = await attack(await world.program.app.listen({ port: 0, host: '127.0.0.1' }))
    expect(found.flatMap(({ control, faults }) => faults.map((fault) => `${control} ${fault}`))).toEqual([])
    const tried = Object.fromEntries(found.map((one) => [one.control, one.tried]))
    expect(tried.C13).toBe(2 * declaredRoutes.filter((declared) => !isPublic(declared)).length)
    expect(Math.min(...Object.values(tried))).toBeGreaterThan(2)
  })

  test('goes through at a server that answers everything, and says where', async () => {
    const found = await attack(`http://127.0.0.1:${(careless.address() as AddressInfo).port}/`)
    const through = found.filter(({ faults }) => faults.length > 0).map(({ control }) => control)
    expect(through).toEqual(['C01', 'C13', 'C20', 'C21', 'C22', 'C40', 'C41', 'C44', 'C45'])
  })
})
