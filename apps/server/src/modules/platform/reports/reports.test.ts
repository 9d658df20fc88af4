import { execFile } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { reportExpiry } from './expiry.ts'

const run = promisify(execFile)
const repository = new URL('../../../../../../', import.meta.url)

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('platform-reports')
})
afterAll(() => world?.close())

const told = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]
const request = (body: object, client = tenant.admin) => client.post('/platform/reports', body)
const see = async (id: string, client = tenant.admin) =>
  expectStatus(await client.get(`/platform/reports/${id}`), 200).body.data
async function completed(body: object, client = tenant.admin) {
  const { id } = expectStatus(await request(body, client), 201).body.data
  await expect.poll(async () => (await see(id)).status, { timeout: 20_000 }).toBe('completed')
  return see(id)
}
async function file(id: string, format: string) {
  const { rawPayload, headers, statusCode } = await world.program.app.inject({
    url: `/api/v1/platform/reports/${id}?format=${format}`,
    headers: { authorization: `Bearer ${tenant.admin.token}` },
  })
  expect(statusCode).toBe(200)
  return { bytes: rawPayload, headers }
}

describe('a report', () => {
  test('has the numbers of the API, with a digest and a signature that its key verifies', async () => {
    const detection = { selection: { channel: 'gateway.request.blocked' }, condition: 'selection' }
    const rule = { name: 'Blocked', type: 'match', category: 'gateway_request', detection, level: 'critical' }
    expectStatus(await tenant.admin.post('/aegis/detection-rules', rule), 201)
    const report = await completed({ kind: 'aegis', formats: ['html', 'csv', 'json', 'pdf'] })
    expect(report.files.map(({ format }: { format: string }) => format)).toEqual(['csv', 'html', 'json', 'pdf'])
    for (const { format, sha256, signature, bytes: size } of report.files) {
      const { bytes, headers } = await file(report.id, format)
      expect([format, size, createHash('sha256').update(bytes).digest('hex')]).toEqual([
        format,
        bytes.byteLength,
        sha256,
      ])
      expect(headers['content-disposition']).toContain('attachment')
      const [header = '', , signed = ''] = signature.split('.')
      const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
      const key = world.kernel.signingKeys.jwks('export').keys.find((one) => one.kid === kid)
      const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key?.x ?? '' }, format: 'jwk' })
      const input = Buffer.concat([Buffer.from(`${header}.`), bytes])
      expect(verify(null, input, publicKey, Buffer.from(signed, 'base64url'))).toBe(true)
    }
    const document = JSON.parse((await file(report.id, 'json')).bytes.toString())
    expect(document).toMatchObject({ form: 'parapet/report/1', snapshot_at: report.snapshot_at })
    const rules = document.sections.find(({ fact }: { fact: string }) => fact === 'aegis.detection_rules')
    const enabled = expectStatus(await tenant.admin.get('/aegis/detection-rules?status=enabled&limit=1'), 200).body
    expect(rules.figures).toContainEqual({ label: 'Enabled', value: enabled.meta.pagination.total_count })
  })

  test('is verified away from the server by the script, and by OpenSSL as the page says', async () => {
    const report = await completed({ kind: 'trust', formats: ['json'] })
    const { bytes } = await file(report.id, 'json')
    const keys = (await world.program.app.inject('/.well-known/export-keys.json')).payload
    const { faultsOf } = await import(new URL('scripts/verify-report.mjs', repository).href)
    const { signature } = report.files[0]
    expect(faultsOf(bytes, signature, JSON.parse(keys).keys)).toEqual([])
    expect(faultsOf(Buffer.concat([bytes, Buffer.from(' ')]), signature, JSON.parse(keys).keys)).toHaveLength(1)
    expect(faultsOf(bytes, signature, [])).toHaveLength(1)
    const page = await readFile(new URL('docs/reference/verify-report.md', repository), 'utf8')
    const commands = /```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
    const cwd = await mkdtemp(join(tmpdir(), 'parapet-report-'))
    try {
      await writeFile(join(cwd, 'report.pdf'), bytes)
      await writeFile(join(cwd, 'report.jws'), `${signature}\n`)
      await writeFile(join(cwd, 'export-keys.json'), keys)
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', commands], { cwd })
      expect(stdout).toContain('Signature Verified Successfully')
      await writeFile(join(cwd, 'report.pdf'), Buffer.concat([bytes, Buffer.from(' ')]))
      await expect(run('bash', ['-euo', 'pipefail', '-c', commands], { cwd })).rejects.toThrow()
    } finally {
      await rm(cwd, { recursive: true, force: true })
    }
  })

  test('shows what its requester may read, and its files to those who may read all of it', async () => {
    const [engineer, viewer] = [await tenant.as('security_admin'), await tenant.as('ai_engineer')]
    const report = await completed({ kind: 'executive', formats: ['json'] }, engineer)
    expect(report.omitted).toEqual([])
    expect(told(await viewer.get(`/platform/reports/${report.id}?format=json`))).toEqual([403, 'AUTH-004'])
    const custom = { kind: 'custom', parameters: { sections: ['iam.agents', 'trust.score'] }, formats: ['csv'] }
    expect((await completed(custom, engineer)).parameters.sections).toEqual(['iam.agents', 'trust.score'])
  })

  test.each([
    [{ kind: 'custom', formats: ['csv'] }, 'PLAT-006'],
    [{ kind: 'custom', formats: ['csv'], parameters: { sections: ['trust.nothing'] } }, 'PLAT-006'],
    [{ kind: 'trust', formats: ['csv'], parameters: { sections: ['trust.score'] } }, 'PLAT-006'],
    [{ kind: 'trust', formats: ['csv'], schedule: { cron: '61 * * * *' } }, 'PLAT-007'],
  ])('is refused for %j', async (body, code) => {
    expect(told(await request(body))).toEqual([422, code])
  })

  test('on a schedule has a workflow that repeats it', async () => {
    const report = await completed({ kind: 'trust', formats: ['json'], schedule: { cron: '0 7 * * 1' } })
    expect(report.schedule).toEqual({ cron: '0 7 * * 1', time_zone: null })
    expectStatus(await tenant.admin.post(`/platform/workflows/${report.workflow_id}/runs`, {}), 201)
    const all = async () =>
      (await tenant.admin.get('/platform/reports', { query: { workflow_id: report.workflow_id } })).body.data.length
    await expect.poll(all, { timeout: 20_000 }).toBe(2)
  })

  test('loses its files when their time is over', async () => {
    const report = await completed({ kind: 'trust', formats: ['json'] })
    expect(told(await tenant.admin.get(`/platform/reports/${report.id}?format=html`))).toEqual([422, 'PLAT-008'])
    await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
      await tx.execute(sql`update platform_report_file set expires_at = now() where report_id = ${report.id}`)
      await tx.enqueue({ kind: reportExpiry.kind, payload: {} })
    })
    await expect.poll(async () => (await see(report.id)).files, { timeout: 20_000 }).toEqual([])
    expect(told(await tenant.admin.get(`/platform/reports/${report.id}?format=json`))).toEqual([409, 'PLAT-009'])
  })
})
