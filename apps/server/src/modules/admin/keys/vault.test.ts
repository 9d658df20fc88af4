import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld } from '../../../../test/support/world.ts'
import { closeAll } from '../../../kernel/egress/testing/upstream.ts'
import { type TestTransit, testTransit, transitToken } from '../../../kernel/keys/kek/testing/transit.ts'

let world: OwnWorld
let transit: TestTransit
let folder: string

beforeAll(async () => {
  transit = await testTransit()
  folder = await mkdtemp(join(tmpdir(), 'parapet-vault-'))
  const token = join(folder, 'token')
  await writeFile(token, transitToken)
  const environment = {
    PARAPET_DATA_DIR: folder,
    PARAPET_KEK_VAULT_URL: transit.url,
    PARAPET_KEK_VAULT_TOKEN_FILE: token,
  }
  world = await openWorld({ environment })
})
afterAll(async () => {
  await world?.close()
  await closeAll()
  await rm(folder, { recursive: true, force: true })
})

const rotate = () => world.operator.post('/admin/keys/rotate', { purpose: 'kek' })
const kept = async () => {
  const query = { checks: 'key_encryption_key', max_age_ms: '0' }
  const { checks } = expectStatus(await world.operator.get('/admin/health', { query }), 200).body.data
  return checks.key_encryption_key?.observed
}

test('C65 a running installation whose key a vault keeps says so, and has it locked anew', async () => {
  await expect.poll(kept).toMatchObject({ source: 'vault', kept: 'kept' })
  transit.rotate()
  expect(expectStatus(await rotate(), 200).body.data).toMatchObject({ purpose: 'kek', rotated: true, rewrapped: 0 })
  expect(await readFile(join(folder, 'keys', 'kek.locked'), 'utf8')).toMatch(/^vault:v2:/)
})

test('C65 a vault that is away stops nothing that runs, and refuses the rotation', async () => {
  transit.fail(503)
  const refused = await rotate()
  expect([refused.status, refused.body?.error_code]).toEqual([502, 'ADM-016'])
  expectStatus(await world.tenant('during-outage').then(({ admin }) => admin.get('/iam/roles')), 200)
  const query = { action: 'admin.keys.rotate', result: 'failed' }
  const told = expectStatus(await world.operator.get('/admin/audit-logs', { query }), 200).body.data
  expect(told).toMatchObject([{ target: 'key:kek' }])
  transit.fail(null)
  expectStatus(await rotate(), 200)
})
