/** Connections to identity providers as an administrator sets them up, and sign-ins over them. */
import { createHash } from 'node:crypto'
import type { IamServices } from '../../src/modules/iam/services.ts'
import type { TestAnswer, TestClient } from './client.ts'
import { expectStatus, type World } from './world.ts'

const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

/** Sets the TXT records that everybody sees. */
export function answerTxt(world: World, records: Readonly<Record<string, string>>): void {
  const iam = world.program.assembled.modules.servicesOf('iam') as IamServices
  const resolve = async (name: string) => {
    const value = records[name]
    if (value === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    // The DNS cuts long texts into pieces.
    return [['other'], [value.slice(0, 20), value.slice(20)]]
  }
  Object.assign(iam.txtRecords, { resolve })
}

/** Proves a connection's first domain and activates it. */
export async function activate(world: World, admin: TestClient, id: string): Promise<TestAnswer> {
  const at = `/iam/sso-connections/${id}`
  const { domains } = expectStatus(await admin.get(at), 200).body.data
  const [{ domain, txt_record }] = domains
  answerTxt(world, { [txt_record.name]: txt_record.value })
  expectStatus(await admin.patch(at, { verify_domain: domain }), 200)
  return admin.patch(at, { status: 'active' })
}

/** Where the browser is sent to sign in. */
export async function start(world: World, connectionId: string): Promise<string> {
  const answer = await world.stranger.get(`/auth/sso/${connectionId}/start`, { query: { code_challenge: challenge } })
  return expectStatus(answer, 303).headers.location ?? ''
}

/** Exchanges the code of a completed sign-in. */
export function exchange(world: World, callback: TestAnswer, by = verifier): Promise<TestAnswer> {
  const code = new URL(expectStatus(callback, 303).headers.location ?? '').searchParams.get('code')
  return world.stranger.post('/auth/sso/exchange', { code, code_verifier: by })
}

/** The id of a role by its name. */
export async function roleId(admin: TestClient, name: string): Promise<string> {
  const { data } = expectStatus(await admin.get('/iam/roles', { query: { limit: '200' } }), 200).body
  return data.find((role: { name: string }) => role.name === name).id
}
