/** The script `scripts/import-prices.mjs`, run as a person runs it. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../../test/support/world.ts'
import { priceModel } from '../../testing/money.ts'
import { addProvider } from '../../testing/support.ts'
import { openUpstream, type Upstream } from '../../testing/upstream.ts'

const script = fileURLToPath(new URL('../../../../../../../scripts/import-prices.mjs', import.meta.url))

let folder: string
let world: World
let tenant: TestTenant
let upstream: Upstream
let address: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-prices-'))
  await writeFile(join(folder, 'litellm.json'), JSON.stringify(litellm))
  await writeFile(join(folder, 'portkey.json'), JSON.stringify(portkey))
  world = await openWorld()
  upstream = await openUpstream()
  tenant = await world.tenant('prices')
  address = await world.address()
  const models = ['gpt-5', 'gpt-unknown']
  await addProvider(tenant.admin, 'vendor', upstream, { kind: 'openai', models })
  await addProvider(tenant.admin, 'own', upstream, { models: ['gpt-5'] })
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

const litellm = {
  'gpt-5': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 7e-6, output_cost_per_token: 9e-6 },
  'dall-e-3': { litellm_provider: 'openai', mode: 'image_generation', input_cost_per_pixel: 1e-8 },
}
const portkey = {
  'gpt-5': {
    pricing_config: { pay_as_you_go: { request_token: { price: 0.0004 }, response_token: { price: 0.0008 } } },
  },
}

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function run(args: readonly string[], key = ''): Promise<Ran> {
  const env = { ...process.env, PARAPET_API_KEY: key }
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
    })
  })
}

async function keyWith(scope: string): Promise<string> {
  const made = await tenant.admin.post('/iam/api-keys', { name: scope, scopes: [scope] })
  return expectStatus(made, 201).body.data.secret
}

async function pricesNow(): Promise<Readonly<Record<string, unknown>>> {
  const { data } = expectStatus(await tenant.admin.get('/gateway/models', { query: { limit: '200' } }), 200).body
  return Object.fromEntries(
    data.map((model: { key: string; prices: { prices: object } | null }) => [model.key, model.prices?.prices ?? null]),
  )
}

describe('without --apply', () => {
  test('prints the prices of a LiteLLM file in our form and names what it leaves out', async () => {
    const { code, stdout, stderr } = await run(['litellm', 'litellm.json', '--checked-at', '2026-10-01'])
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      [
        {
          provider: 'openai',
          model: 'gpt-5',
          currency: 'USD',
          prices: { input: '7', output: '9' },
          checked_at: '2026-10-01',
        },
      ],
    ])
    expect(stderr).toMatch(/left out: dall-e-3.*\n1 prices, 1 models left out/)
  })

  test('reads a file of Portkey for the provider that is named', async () => {
    const { stdout } = await run(['portkey', 'portkey.json', '--provider', 'openai'])
    expect(JSON.parse(stdout)).toMatchObject([
      { provider: 'openai', model: 'gpt-5', prices: { input: '4', output: '8' } },
    ])
  })

  test.each([[[]], [['litellm']], [['other', 'litellm.json']], [['portkey', 'portkey.json']]])(
    'says how it is used when it is asked %j',
    async (args) => {
      const { code, stdout, stderr } = await run(args)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('usage: import-prices.mjs')
    },
  )
})

describe('with --apply', () => {
  test('sets the models that the file names for the kind of their provider, and no other', async () => {
    const own = { currency: 'USD', prices: { input: '1', output: '1' } }
    await priceModel(tenant.admin, 'gpt-unknown', own)
    const before = await pricesNow()
    const { code, stderr } = await run(
      ['litellm', 'litellm.json', '--apply', `${address}/`],
      await keyWith('gateway:admin'),
    )
    expect([code, stderr.match(/^set: .*$/gm)]).toEqual([0, ['set: vendor/gpt-5']])
    expect(await pricesNow()).toEqual({ ...before, 'vendor/gpt-5': { input: '7', output: '9' } })
    expect(before['vendor/gpt-5']).not.toEqual({ input: '7', output: '9' })
  })

  test('stops with what the server says and without the key where it may not', async () => {
    const key = await keyWith('gateway:read')
    const before = await pricesNow()
    const { code, stderr } = await run(['portkey', 'portkey.json', '--provider', 'openai', '--apply', address], key)
    expect(code).not.toBe(0)
    expect(stderr).toContain('answered 403')
    expect(stderr).not.toContain(key)
    expect(await pricesNow()).toEqual(before)
  })
})
