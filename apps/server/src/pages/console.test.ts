/** The console's page and files, through the real server, with a build of the test's own. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runFolder } from '../../test/support/run-folder.ts'
import { type OwnWorld, openWorld } from '../../test/support/world.ts'
import { buildApp } from '../app.ts'
import { modules } from '../modules.ts'

let world: OwnWorld
let app: ReturnType<typeof buildApp>
const folder = join(runFolder(), 'console-build')
const script = 'export const built = 1\n'

beforeAll(async () => {
  world = await openWorld({ own: true })
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), '<!doctype html><meta nonce="__PARAPET_NONCE__"><title>Console</title>')
  writeFileSync(join(folder, 'assets/app-12345678.js'), script)
  writeFileSync(join(folder, 'assets/app-12345678.js.gz'), gzipSync(script))
  app = buildApp(world.program.assembled, modules, { accessLog: null, console: folder })
})
afterAll(async () => {
  await app.close()
  await world.close()
})

const open = (url: string, headers = {}) => app.inject({ url, headers: { accept: 'text/html', ...headers } })

test.each(['/', '/gateway', '/gateway/requests/0198a6c4', '/docs'])(
  'C42 %s is the page, with a nonce of its own each time',
  async (url) => {
    const [first, second] = [await open(url), await open(url)]
    expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const nonceOf = ({ body }: { readonly body: string }): string => /nonce="([\w-]{22})"/.exec(body)?.[1] ?? ''
    expect(nonceOf(first)).not.toBe('')
    expect(nonceOf(first)).not.toBe(nonceOf(second))
    const policy = String(first.headers['content-security-policy'])
    expect(policy).toContain(`style-src 'self' 'nonce-${nonceOf(first)}'`)
    for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(first.headers['cache-control']).toBe('no-store')
    expect(first.headers['cross-origin-opener-policy']).toBe('same-origin')
  },
)

test('a file is kept by browsers, and packed for those that take it', async () => {
  const plain = await open('/assets/app-12345678.js')
  expect([plain.statusCode, plain.body, plain.headers['content-encoding']]).toEqual([200, script, undefined])
  expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(plain.headers['x-content-type-options']).toBe('nosniff')
  const packed = await open('/assets/app-12345678.js', { 'accept-encoding': 'br, gzip' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(packed.rawPayload).toString()).toBe(script)
})

test.each(['/assets/none.js', '/assets/..%2findex.html', '/assets/app-12345678.js.gz', '/assets/', '/nowhere'])(
  'C42 %s is nothing that the build made',
  async (url) => {
    expect((await open(url)).statusCode).toBe(404)
  },
)

test('addresses of the API stay what they are, and other methods are refused', async () => {
  expect((await open('/api/v1/nowhere')).statusCode).toBe(404)
  expect((await open('/healthz')).statusCode).toBe(200)
  const posted = await app.inject({ method: 'POST', url: '/gateway/requests' })
  expect([posted.statusCode, posted.headers.allow]).toEqual([405, 'GET'])
})
