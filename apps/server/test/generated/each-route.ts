import type { TestAnswer } from '../support/client.ts'
import { type DeclaredRoute, declaredRoutes } from './manifest.ts'

/** What is wrong, one sentence each; an empty list is a route that behaves. */
export type Examine = (declared: DeclaredRoute) => Promise<readonly string[]>

/** A rule that no route keeps would otherwise bury the terminal. */
const shown = 15

/** Examines every declared route that `applies`, one after the other, and gathers what is wrong. */
export async function failuresOf(
  applies: (declared: DeclaredRoute) => boolean,
  examine: Examine,
): Promise<readonly string[]> {
  const failures: string[] = []
  for (const declared of declaredRoutes.filter(applies)) {
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

/** Empty when the answer is this refusal. */
export function differsFrom(answer: TestAnswer, wanted: Refusal, what = ''): readonly string[] {
  const { status, code, pointer } = wanted
  const parts: readonly { readonly pointer?: string }[] = answer.body?.errors ?? []
  const right =
    answer.status === status &&
    answer.body?.error_code === code &&
    (pointer === undefined || parts.some((part) => part.pointer === pointer))
  const expected = `${status} ${code}${pointer === undefined ? '' : ` at ${pointer}`}`
  return right ? [] : [`${what} gave ${told(answer)}, not ${expected}`]
}

/** Enough of an answer to see what went wrong. */
export function told({ status, text, body }: TestAnswer): string {
  return typeof body?.error_code === 'string'
    ? `${status} ${body.error_code} ${JSON.stringify(body.errors)}`.slice(0, 250)
    : `${status} ${text.slice(0, 200)}`
}
