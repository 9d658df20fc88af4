/** One question to a key service, through the guarded way out. Tested in vault.test.ts, kms.test.ts and kms-credentials.test.ts. */
import { readFile } from 'node:fs/promises'
import { EgressError } from '../../egress/errors.ts'
import type { Egress } from '../../egress/fetch.ts'
import { KeyServiceError } from './service.ts'

const timeouts = { connectMs: 2_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 8_000 }
const mostBytes = 65_536

interface Question {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** @throws KeyServiceError when nobody answers */
export async function askService(
  egress: Pick<Egress, 'fetch'>,
  name: string,
  { url, headers, body }: Question,
): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const bytes = Buffer.from(body)
    const answer = await egress.fetch({ url, method: 'POST', headers, body: bytes, timeouts, maxBytes: mostBytes })
    return { status: answer.status, text: Buffer.from(await answer.bytes()).toString('utf8') }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new KeyServiceError(`the ${name} cannot be reached (${error.brief})`, {
      final: error.rule !== null,
      cause: error,
    })
  }
}

/** Null where something between here and the service answers in its place. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What stands in a file, without spaces around it; read at each use, so that an agent may renew it. @throws KeyServiceError */
export async function readCredential(path: string, what: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    throw new KeyServiceError(`${what} cannot be read`, { final: true, cause: error })
  }
}
