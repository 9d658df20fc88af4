/** The package as others get it: built, packed, installed in an empty project. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const sdk = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'parapet-sdk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const inFolder = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

test.each([
  ['what is packed', () => join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')],
  ['the folder itself', () => sdk],
])('an empty project imports %s, with types', (_, source) => {
  execFileSync(process.execPath, [join(sdk, 'build.mjs')])
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: sdk, stdio: 'ignore' })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  inFolder('npm', 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', source())
  const use = "import { createClient, verifyWebhook } from '@parapet/sdk'\n"
  writeFileSync(
    join(folder, 'use.mjs'),
    `${use}console.log(typeof createClient({ baseUrl: 'http://127.0.0.1:1' }).list, typeof verifyWebhook)`,
  )
  expect(inFolder(process.execPath, 'use.mjs').trim()).toBe('function function')
  writeFileSync(
    join(folder, 'use.mts'),
    `${use}const client = createClient({ baseUrl: 'http://127.0.0.1:1' })\nexport const names: AsyncIterable<{ name: string }> = client.list<{ name: string }>('/gateway/providers')\nexport const check = verifyWebhook\n`,
  )
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--lib',
    'es2023,dom',
    '--types',
    '',
  ]
  inFolder(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), ...options, 'use.mts')
})
