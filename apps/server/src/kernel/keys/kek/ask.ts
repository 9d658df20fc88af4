/**
 * One request to a key service or to a lender of tokens for it, through the guarded way out, and the meaning of a
 * refusal: permanent or not. Promises to report nothing of an answer but a code of letters. Tested in vault.test.ts,
 * kms.test.ts, kms-credentials.test.ts, google.test.ts and azure.test.ts.
 */
import { readFile } from 'node:fs/promises'
import type { Static, TSchema } from 'typebox'
import { EgressError } from '../../egress/errors.ts'
import type { Egress } from '../../egress/fetch.ts'
import { fits } from '../../schema/fits.ts'
import { KeyServiceError } from './service.ts'

const timeouts = { connectMs: 2_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 8_000 }
const mostBytes = 65_536

export interface Question {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent by POST; without one it is a GET. */
  readonly body?: string
}

interface Refused {
  readonly status: number
  readonly code: string
  readonly text: string
}

/** The service, and the form of its refusals. */
export interface Service {
  /** As operators know it. */
  readonly name: string
  /** The operation, where the service has several. */
  readonly act?: string
  /** The code of a refusal, in letters; a message may quote what was sent. */
  readonly codeOf?: (text: string) => string
  /** Whether a refusal of 4xx says: later. */
  readonly isPassing?: (refused: Refused) => boolean
}

export interface Ask<S extends TSchema> {
  readonly service: Service
  readonly question: Question
  readonly answer: S
}

/** The answer in its declared form. @throws KeyServiceError */
export async function askJson<S extends TSchema>(
  egress: Pick<Egress, 'fetch'>,
  { service, question, answer }: Ask<S>,
): Promise<Static<S>> {
  const said = readJson(await ask(egress, service, question))
  if (fits(answer, said)) return said
  throw unknownForm(service)
}

/** The text of the answer. @throws KeyServiceError for every status but 200, and when there is no answer */
export async function ask(egress: Pick<Egress, 'fetch'>, service: Service, question: Question): Promise<string> {
  const { status, text } = await send(egress, service.name, question)
  if (status === 200) return text
  throw refusal(service, status, text)
}

export const unknownForm = ({ name }: Service): KeyServiceError =>
  new KeyServiceError(`the ${name} answers in a form that is not known`, { final: false })

async function send(
  egress: Pick<Egress, 'fetch'>,
  name: string,
  { url, headers, body }: Question,
): Promise<{ readonly status: number; readonly text: string }> {
  const sent =
    body === undefined
      ? { method: 'GET' as const }
      : { method: 'POST' as const, body: new Uint8Array(Buffer.from(body)) }
  try {
    const answer = await egress.fetch({ url, headers, ...sent, timeouts, maxBytes: mostBytes })
    return { status: answer.status, text: Buffer.from(await answer.bytes()).toString('utf8') }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new KeyServiceError(`the ${name} cannot be reached (${error.brief})`, {
      final: error.rule !== null,
      cause: error,
    })
  }
}

/** 4xx is a no, such as of a token without the right or a key that is not there; 5xx is sealed, standby or ill. */
function refusal({ name, act, codeOf, isPassing }: Service, status: number, text: string): KeyServiceError {
  const code = codeOf?.(text) ?? ''
  const isRefused = status >= 400 && status < 500 && status !== 429
  const final = isRefused && isPassing?.({ status, code, text }) !== true
  const told = `the ${name} answers ${status}${code === '' ? '' : ` (${code})`}${act === undefined ? '' : ` to ${act}`}`
  return new KeyServiceError(told, { final, status })
}

/** Reads a refusal's code at the first of these places in its JSON that has one, without the namespace before it. */
export function codeAt(...places: readonly (readonly string[])[]): (text: string) => string {
  return (text) => {
    const said = readJson(text)
    const codes = places.map((place) => /^(?:[\w.]{1,200}#)?([A-Za-z_]{1,60})$/.exec(textAt(said, place))?.[1] ?? '')
    return codes.find((code) => code !== '') ?? ''
  }
}

function textAt(value: unknown, place: readonly string[]): string {
  const [name, ...rest] = place
  if (name === undefined) return typeof value === 'string' ? value : ''
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return ''
  return textAt(Reflect.get(value, name), rest)
}

/** Null for text that is no JSON, for instance when a proxy on the way answers instead of the service. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Content of a file, without spaces around it; read at each use, so that an agent may renew it. @throws KeyServiceError
 */
export async function readCredential(path: string, what: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    throw new KeyServiceError(`${what} cannot be read`, { final: true, cause: error })
  }
}
