import { canonicalHash } from '../crypto/canonical-json.ts'

/** A call that two people make with the same input. */
export interface RepeatableCall {
  /** Method and path with its ids. */
  readonly route: string
  /** Of query and body, without `confirm_token`. */
  readonly digest: string
  /** The `confirm_token` of the body; null for the first of the two. */
  readonly token: string | null
}

interface Input {
  readonly route: string
  readonly query: unknown
  readonly body: unknown
}

/** Members of a body may stand in any order; all else has to be the same. */
export function repeatableCall({ route, query, body }: Input): RepeatableCall {
  const { confirm_token: token, ...rest } = typeof body === 'object' && body !== null ? { ...body } : ({} as Body)
  return { route, digest: canonicalHash([query, rest]), token: typeof token === 'string' ? token : null }
}

interface Body {
  readonly confirm_token?: unknown
}
