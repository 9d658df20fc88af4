import { createHash, createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { type ZipPart, zip } from '../../../kernel/unpack/testing/files.ts'
import { isIncluded } from './merkle.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('compliance-evidence')
})
afterAll(() => world?.close())

const told = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]
const add = (body: object) => tenant.admin.post('/compliance/evidence', body)
const file = (name: string, content: string) => ({ name, content: Buffer.from(content, 'latin1').toString('base64') })
const document = (rest: object = {}) => ({
  ...{ kind: 'document', title: 'Access policy', file: file('policy.txt', 'Access is granted by role.') },
  ...rest,
})
const archived = (parts: readonly ZipPart[]) =>
  document({ file: { name: 'a.zip', content: zip(parts).toString('base64') } })
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const octets = { headers: { accept: 'application/octet-stream' } }

describe('a document', () => {
  test('is kept with its digest, served as it was, and has versions', async () => {
    const made = expectStatus(await add(document()), 201).body.data
    expect(made).toMatchObject({ status: 'accepted', versions: 1, freshness: 1, strength: 0.5 })
    const second = document({ evidence_id: made.id, file: file('policy.txt', 'Access is granted by role only.') })
    expect(expectStatus(await add(second), 201).body.data.versions).toBe(2)
    const path = `/compliance/evidence/${made.id}`
    expect((await tenant.admin.get(`${path}?version=1`, octets)).text).toBe('Access is granted by role.')
    const newest = await tenant.admin.get(path, { headers: { accept: 'text/plain' } })
    expect(newest.text).toBe('Access is granted by role only.')
    expect(newest.headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
    expect(told(await tenant.admin.get(path, { headers: { accept: 'application/pdf' } }))).toEqual([422, 'COMP-022'])
    expect(told(await tenant.admin.get(`${path}?version=9`, octets))).toEqual([404, 'API-013'])
    const seen = expectStatus(await tenant.admin.get(`${path}?verify=true`), 200).body.data
    expect(seen).toMatchObject({ verified: true, history: [{ number: 1 }, { number: 2 }] })
    expect(seen.history[1].record).toMatchObject({
      sha256: sha256('Access is granted by role only.'),
      scan: 'not_scanned',
    })
  })

  test('supports a control, whose score it raises', async () => {
    const [control] = expectStatus(await tenant.admin.get('/compliance/controls?ref=LLM07:2025'), 200).body.data
    expectStatus(await add(document({ title: 'Prompt review', claims: [{ control_id: control.id }] })), 201)
    const seen = expectStatus(await tenant.admin.get(`/compliance/controls/${control.id}`), 200).body.data
    expect(seen).toMatchObject({ evidence_state: 'current', evidence: [{ title: 'Prompt review', freshness: 1 }] })
  })

  test.each<[string, object, number, string]>([
    ['with another digest', document({ sha256: sha256('other') }), 409, 'COMP-015'],
    ['that is a program', document({ file: file('a.pdf', '\x7fELF') }), 422, 'COMP-012'],
    ['that is SVG', document({ file: file('a.svg', '<svg/>') }), 422, 'COMP-012'],
    ['that is an empty archive of lies', document({ file: file('a.zip', 'PK\x03\x04broken') }), 422, 'COMP-012'],
    ['that is empty', document({ file: { name: 'a.txt', content: '' } }), 400, 'API-001'],
    ['that is HTML under another name', document({ file: file('a.pdf', '<html><script>1</script>') }), 422, 'COMP-012'],
    [
      'that is an archive with a path out of it',
      archived([{ name: '../../etc/cron.d/x', content: 'x' }]),
      422,
      'COMP-014',
    ],
    [
      'that is an archive with a link',
      archived([{ name: 'a', content: '/etc/passwd', mode: 0o120777 }]),
      422,
      'COMP-014',
    ],
    ['that is a bomb', archived([{ name: 'a.txt', content: Buffer.alloc(30 * 1_048_576, 97) }]), 422, 'COMP-014'],
    ['that is an encrypted archive', archived([{ name: 'a.txt', content: 'x', flags: 1 }]), 422, 'COMP-014'],
    ['that is no base64', document({ file: { name: 'a.txt', content: '%%%%' } }), 400, 'API-001'],
    ['without a file', document({ file: undefined }), 400, 'API-001'],
    [
      'of a control that is not there',
      document({ claims: [{ control_id: '0190c000-0000-7000-8000-00000000ffff' }] }),
      400,
      'API-001',
    ],
    [
      'of evidence that is not there',
      document({ evidence_id: '0190c000-0000-7000-8000-00000000ffff' }),
      404,
      'API-013',
    ],
    [
      'that is an attestation for two years',
      { kind: 'attestation', title: 'A', attestation_text: 'B', valid_until: '2999-01-01T00:00:00.000Z' },
      400,
      'API-001',
    ],
    ['that is a check nobody knows', { kind: 'check_run', check_id: 'x.y' }, 422, 'COMP-017'],
  ])('%s is refused', async (_what, body, status, code) => {
    expect(told(await add(body))).toEqual([status, code])
  })
})

describe('a check', () => {
  test('runs on demand, and its run names what it read', async () => {
    const made = expectStatus(await add({ kind: 'check_run', check_id: 'gateway.injection_blocking' }), 201).body.data
    expect(made.run).toMatchObject({
      form: 'parapet/check-run/1',
      outcome: expect.stringMatching(/pass|fail|not_evaluated/),
      reads: [{ fact: 'gateway.policies', owner: 'gateway', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    })
    expect(made.run.snapshot.id).toMatch(/^\d+:\d+:/)
  })
})

describe('the chain', () => {
  test('has every version once, whoever adds at the same time, and says so', async () => {
    const other = await world.tenant('compliance-chain')
    const body = (n: number) => ({ kind: 'attestation', title: `Statement ${n}`, attestation_text: 'Done.' })
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) => other.admin.post('/compliance/evidence', body(n))),
    )
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
    const verify = async () =>
      expectStatus(await other.admin.get('/compliance/evidence?limit=1&verify=true'), 200).body.meta.verification
    const verdict = await verify()
    expect(verdict).toMatchObject({ intact: true, first_broken_seq: null })
    expect(verdict.to_seq).toBeGreaterThanOrEqual(12)
    expect(verdict.to_seq).toBeLessThan(200)
  })

  test('is proven offline with node:crypto alone', async () => {
    const made = expectStatus(await add({ kind: 'attestation', title: 'Proven', attestation_text: 'Yes.' }), 201).body
      .data
    const { proof, history } = expectStatus(await tenant.admin.get(`/compliance/evidence/${made.id}`), 200).body.data
    const [{ hash, signature }] = history
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: proof.public_key } })
    expect(verify(null, Buffer.from(hash, 'hex'), key, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(verify(null, Buffer.from(proof.signed), key, Buffer.from(proof.signature, 'base64url'))).toBe(true)
    expect(proof.signed).toContain(`\n${proof.tree_size}\n${proof.root_hash}\n`)
    const { leaf_index: index, tree_size: size, path, root_hash: root } = proof
    expect(isIncluded({ hash, index, size, path, root })).toBe(true)
  })

  test('shows a document that was changed in the database, and does not serve it', async () => {
    const other = await world.tenant('compliance-changed')
    const made = expectStatus(
      await other.admin.post('/compliance/evidence', { kind: 'attestation', title: 'Mine', attestation_text: 'Yes.' }),
      201,
    ).body.data
    const changed = await world.kernel.db
      .tenant({ tenantId: other.id }, (tx) => tx.execute(sql`update compliance_record set document = 'No.'`))
      .then(
        () => 'changed',
        () => 'refused',
      )
    // The application role may not change records at all.
    expect(changed).toBe('refused')
    expect((await other.admin.get(`/compliance/evidence/${made.id}?verify=true`)).body.data.verified).toBe(true)
  })
})
