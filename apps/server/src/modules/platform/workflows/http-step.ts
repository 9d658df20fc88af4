/** A call to another system, through the guarded way out. Made at least once, with one `Idempotency-Key`. */
import { EgressError } from '../../../kernel/egress/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { StepInputs } from './declared/definition.ts'

export type OutsideCall = StepInputs['http'] & {
  /** The same for every attempt. */
  readonly key: string
  readonly seconds: number
}

export interface Called {
  readonly output: unknown
  /** Null for an answer below 400. */
  readonly fault: Error | null
}

const mostBytes = 65_536

export async function callOutside(
  { egress }: Pick<Kernel, 'egress'>,
  { method, url, headers = {}, body, key, seconds }: OutsideCall,
  signal?: AbortSignal,
): Promise<Called> {
  const ms = seconds * 1_000
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  try {
    const answer = await egress.fetch({
      ...{ url, method, maxBytes: mostBytes },
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...sent,
        'idempotency-key': key,
        'user-agent': 'Parapet-Workflows',
      },
      ...(body === undefined ? {} : { body }),
      timeouts: { connectMs: ms, firstByteMs: ms, idleMs: ms, totalMs: ms },
      ...(signal === undefined ? {} : { signal }),
    })
    const text = Buffer.from(await answer.bytes())
      .toString('utf8')
      .replaceAll('\0', '')
    const output = { status: answer.status, body: bodyOf(text) }
    return { output, fault: answer.status < 400 ? null : new Error(`The call was answered with ${answer.status}.`) }
  } catch (error) {
    if (!(error instanceof EgressError) || signal?.aborted === true) throw error
    return { output: null, fault: new Error(`The call failed: ${error.brief}.`) }
  }
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Text that is no JSON is kept as it came.
    return text
  }
}
