import { EgressError } from '../../../../kernel/egress/errors.ts'

export type FaultKind =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'aborted'
  | 'status'
  | 'unreadable'
  | 'too_large'
  | 'credential'
  | 'session'
  /** The server asks for input that its client does not give. */
  | 'question'
  /** The call that its client comes back to is gone. */
  | 'over'

/** Why an upstream gave no answer that can be used. `message` holds nothing that the upstream wrote. */
export class UpstreamFault extends Error {
  readonly kind: FaultKind
  /** The broken rule of the network guard, or the upstream's status. */
  readonly detail: string | null

  constructor(
    kind: FaultKind,
    message: string,
    { detail = null, cause }: { detail?: string | null; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'UpstreamFault'
    this.kind = kind
    this.detail = detail
  }

  static of(error: unknown, what: string): UpstreamFault {
    if (error instanceof UpstreamFault) return error
    if (!(error instanceof EgressError)) return new UpstreamFault('unreadable', `${what}.`, { cause: error })
    const { kind, rule } = error
    if (kind === 'refused')
      return new UpstreamFault('refused', `${what}: ${error.brief}.`, { detail: rule, cause: error })
    if (kind === 'aborted') return new UpstreamFault('aborted', `${what}: the call was given up.`, { cause: error })
    if (kind === 'too_large')
      return new UpstreamFault('too_large', `${what}: the answer is too large.`, { cause: error })
    const isLate = kind.startsWith('timeout')
    return new UpstreamFault(isLate ? 'timeout' : 'unreachable', `${what}: ${error.brief}.`, { cause: error })
  }
}
