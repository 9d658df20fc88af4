import { paramOf } from '../../src/modules/gateway/dialects/openai/form.ts'
import type { TestAnswer } from '../support/client.ts'
import { type DeclaredRoute, declaredRoutes } from './manifest.ts'

/** Faults, one sentence each; an empty list is a route that behaves. */
export type Examine = (declared: DeclaredRoute) => Promise<readonly string[]>

/** A rule that no route keeps would otherwise bury the terminal. */
const shown = 15

/** For the author of new routes: `PARAPET_TEST_ROUTES=/risk/scenarios` examines these alone. Never in CI. */
const only = process.env.CI === undefined ? (process.env.PARAPET_TEST_ROUTES ?? '') : ''

/** Examines every declared route that `applies`, one after the other, and gathers what is wrong. */
export async function failuresOf(
  applies: (declared: DeclaredRoute) => boolean,
  examine: Examine,
): Promise<readonly string[]> {
  const failures: string[] = []
  for (const declared of declaredRoutes.filter((route) => route.path.includes(only) && applies(route))) {
    try {
      failures.push(...(await examine(declared)).map((text) => `${declared.name}: ${text}`))
    } catch (error) {
      failures.push(`${declared.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return failures.length <= shown ? failures : [...failures.slice(0, shown), `and ${failures.length - shown} more`]
}

export interface Refusal {
  readonly status: number
  readonly code: string
  /** Of one of the problem's parts. */
  readonly pointer?: string
}

/** Empty when the answer is this refusal, in our form or in that of a vendor. */
export function differsFrom(answer: TestAnswer, wanted: Refusal, what = ''): readonly string[] {
  const { status, code, pointer } = wanted
  const refused = refusalIn(answer.body)
  const right = answer.status === status && refused.code === code && (pointer === undefined || refused.isAt(pointer))
  const expected = `${status} ${code}${pointer === undefined ? '' : ` at ${pointer}`}`
  return right ? [] : [`${what} gave ${told(answer)}, not ${expected}`]
}

interface Refused {
  readonly code: string | undefined
  isAt(pointer: string): boolean
  /** Text of its first part. */
  readonly detail: string | undefined
}

/** The refusal in a body. Vendors have room for one field that was wrong, or for none. */
export function refusalIn(body: TestAnswer['body']): Refused {
  const { error } = body ?? {}
  if (typeof error === 'object' && error !== null) {
    const rpc = error.data?.error_code === undefined ? null : error.data
    const code: string | undefined = rpc?.error_code ?? error.code ?? error.details?.error_code
    const isAt = (pointer: string): boolean =>
      rpc === null ? !('param' in error) || error.param === paramOf(pointer) : (rpc.pointers ?? []).includes(pointer)
    return { code, isAt, detail: error.message }
  }
  const parts: readonly { readonly pointer?: string; readonly detail: string }[] = body?.errors ?? []
  return {
    code: body?.error_code,
    isAt: (pointer) => parts.some((part) => part.pointer === pointer),
    detail: parts[0]?.detail,
  }
}

/** Data of an answer: in a vendor's form that is the whole body. */
export function dataIn({ body }: TestAnswer): TestAnswer['body'] {
  return body !== null && 'data' in body && 'meta' in body ? body.data : body
}

/** Enough of an answer to see what went wrong. */
export function told({ status, text, body }: TestAnswer): string {
  return typeof body?.error_code === 'string'
    ? `${status} ${body.error_code} ${JSON.stringify(body.errors)}`.slice(0, 250)
    : `${status} ${text.slice(0, 200)}`
}
