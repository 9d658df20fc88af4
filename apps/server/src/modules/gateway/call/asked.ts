import type { Dialect, Operation } from '../words/operations.ts'
import type { CanonicalCall } from './call.ts'

/** The request in a dialect-neutral form. A dialect builds it from its body and headers; the steps see nothing else. */
export interface Asked {
  readonly operation: Operation
  readonly dialect: Dialect
  readonly provider: string | null
  readonly model: string | null
  /** Id or name of a policy; it can only tighten. */
  readonly policy: string | null
  readonly stream: boolean
  /** Whether the stream reports usage at its end. */
  readonly includeUsage: boolean
  /** The agent of the credential. An agent id claimed by the caller would let it split limits and budgets at will. */
  readonly agentId: string | null
  /** The agent named by the caller; a call whose credential is not this agent's is refused in step 1. */
  readonly saidAgentId: string | null
  readonly tags: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
  readonly cache: AskedCache | null
  /** Reduces retention below the policy's level; never extends it. */
  readonly retention: 'metadata' | 'redacted' | null
  readonly timeoutMs: number | null
  /** The logged call that is replayed. */
  readonly replays: string | null
  /** The call itself; built in step 1, so that its errors are recorded. @throws API-001 */
  read(): CanonicalCall
}

interface AskedCache {
  readonly mode: 'off' | 'refresh' | 'exact' | null
  readonly maxAgeS: number | null
}

/** Defaults for a call that sets nothing but its question; dialects override them. */
export const plainAsked = {
  provider: null,
  model: null,
  policy: null,
  stream: false,
  includeUsage: false,
  agentId: null,
  saidAgentId: null,
  tags: [],
  metadata: {},
  cache: null,
  retention: null,
  timeoutMs: null,
  replays: null,
} as const satisfies Partial<Asked>
