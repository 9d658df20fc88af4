export type EgressErrorKind =
  | 'refused'
  | 'connect'
  | 'proxy'
  | 'timeout_connect'
  | 'timeout_first_byte'
  | 'timeout_idle'
  | 'timeout_total'
  | 'too_large'
  | 'aborted'
  | 'reset'

interface EgressErrorFacts {
  readonly rule?: string
  readonly answered?: number
  readonly cause?: unknown
}

/** Why a call to the outside failed. `rule` names the broken rule of a refused call, never what a name resolved to. */
export class EgressError extends Error {
  readonly kind: EgressErrorKind
  readonly rule: string | null
  /** The status with which the operator's proxy answered instead of opening the way. */
  readonly answered: number | null

  constructor(kind: EgressErrorKind, { rule, answered, cause }: EgressErrorFacts = {}) {
    const status = answered === undefined ? '' : ` It answered ${answered}.`
    super(`${messages[kind]}${status}`, cause === undefined ? {} : { cause })
    this.name = 'EgressError'
    this.kind = kind
    this.rule = rule ?? null
    this.answered = answered ?? null
  }

  /** In a few words, for the sentences of others. */
  get brief(): string {
    if (this.rule !== null) return `refused: ${this.rule}`
    if (this.kind !== 'proxy') return this.kind
    return this.answered === null ? 'proxy failed' : `proxy answered ${this.answered}`
  }
}

const messages = {
  refused: 'The address or request is not allowed by the network guard.',
  connect: 'No connection could be made.',
  proxy: 'The proxy for calls to the outside opened no way.',
  timeout_connect: 'No connection was made in time.',
  timeout_first_byte: 'The answer did not begin in time.',
  timeout_idle: 'The answer stopped for too long.',
  timeout_total: 'The answer did not end in time.',
  too_large: 'The answer is larger than allowed.',
  aborted: 'The call was aborted.',
  reset: 'The connection broke before the answer ended.',
} as const satisfies Record<EgressErrorKind, string>
