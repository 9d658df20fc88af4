export type EgressErrorKind =
  | 'refused'
  | 'connect'
  | 'timeout_connect'
  | 'timeout_first_byte'
  | 'timeout_idle'
  | 'timeout_total'
  | 'too_large'
  | 'aborted'
  | 'reset'

/** Why a call to the outside failed. `rule` names the broken rule of a refused call, never what a name resolved to. */
export class EgressError extends Error {
  readonly kind: EgressErrorKind
  readonly rule: string | null

  constructor(kind: EgressErrorKind, options: { readonly rule?: string; readonly cause?: unknown } = {}) {
    super(messages[kind], options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'EgressError'
    this.kind = kind
    this.rule = options.rule ?? null
  }
}

const messages = {
  refused: 'The address or request is not allowed by the network guard.',
  connect: 'No connection could be made.',
  timeout_connect: 'No connection was made in time.',
  timeout_first_byte: 'The answer did not begin in time.',
  timeout_idle: 'The answer stopped for too long.',
  timeout_total: 'The answer did not end in time.',
  too_large: 'The answer is larger than allowed.',
  aborted: 'The call was aborted.',
  reset: 'The connection broke before the answer ended.',
} as const satisfies Record<EgressErrorKind, string>
