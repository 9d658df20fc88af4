/**
 * A Transit engine for tests: keys with versions that lock with AES-256-GCM, the engine's addresses, answers and errors as
 * its documentation has them, and an outage when it is told. It keeps nothing.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { httpServer } from '../../../egress/testing/upstream.ts'

export interface TestTransit {
  readonly url: string
  readonly calls: string[]
  /** Adds a version, under which it locks from then on. */
  rotate(): void
  /** Answers everything with this status; null ends it. */
  fail(status: number | null): void
  /** Under the newest version, as `encrypt` answers it. */
  lock(plaintext: Uint8Array): string
}

export const transitToken = 'hvs.CAESIExampleToken'

export async function testTransit(key = 'parapet'): Promise<TestTransit> {
  const versions: Buffer[] = [randomBytes(32)]
  const state = { failing: null as number | null }
  const calls: string[] = []
  const lock = (plaintext: Uint8Array): string => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', versions[versions.length - 1] ?? Buffer.alloc(0), nonce)
    const bytes = Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
    return `vault:v${versions.length}:${bytes.toString('base64')}`
  }
  const unlock = (locked: unknown): Buffer | null => {
    const [, version, base64] = /^vault:v(\d+):(.+)$/.exec(String(locked)) ?? []
    const bytes = Buffer.from(base64 ?? '', 'base64')
    const under = versions[Number(version) - 1]
    if (under === undefined || bytes.length < 28) return null
    const decipher = createDecipheriv('aes-256-gcm', under, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(-16))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
    } catch {
      return null
    }
  }
  const acts: Record<string, (body: Record<string, unknown>) => object | null> = {
    'datakey/plaintext': () => {
      const made = randomBytes(32)
      return { plaintext: made.toString('base64'), ciphertext: lock(made), key_version: versions.length }
    },
    decrypt: ({ ciphertext }) => {
      const opened = unlock(ciphertext)
      return opened === null ? null : { plaintext: opened.toString('base64') }
    },
    rewrap: ({ ciphertext }) => {
      const opened = unlock(ciphertext)
      return opened === null ? null : { ciphertext: lock(opened), key_version: versions.length }
    },
  }
  const answer = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const port = await httpServer(async (request, response) => {
    const said = await text(request)
    const [, act = '', name] = /^\/v1\/transit\/(.+)\/([^/]+)$/.exec(request.url ?? '') ?? []
    calls.push(act)
    if (state.failing !== null) return answer(response, state.failing, { errors: ['Vault is sealed'] })
    if (request.headers['x-vault-token'] !== transitToken)
      return answer(response, 403, { errors: ['permission denied'] })
    const found = name === key && request.method === 'POST' ? acts[act] : undefined
    if (found === undefined) return answer(response, 404, { errors: [] })
    const data = found(JSON.parse(said))
    if (data === null) return answer(response, 400, { errors: ['cipher: message authentication failed'] })
    answer(response, 200, { request_id: 'test', lease_id: '', renewable: false, lease_duration: 0, data })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    rotate: () => void versions.push(randomBytes(32)),
    fail: (status) => {
      state.failing = status
    },
    lock,
  }
}
