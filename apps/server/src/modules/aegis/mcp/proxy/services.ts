import type { Kernel } from '../../../../kernel/kernel.ts'
import type { Guards } from '../call/guards.ts'
import type { CallSubject } from '../call/subject.ts'
import { type CallRecorder, createCallRecorder } from '../records/recorder.ts'
import { createCredentials } from '../upstream/credential.ts'
import type { UpstreamLink } from '../upstream/exchange.ts'
import { createSessionTokens, type SessionTokens } from '../wire/session-token.ts'
import { createPool, type SessionPool } from './pool.ts'
import { createRunning, type KillNews, type RunningCalls } from './running.ts'
import { createSnapshots, type Snapshots } from './snapshot.ts'

/** As much of the kill list as calls ask. */
export interface KillGate extends KillNews {
  fresh(): boolean
  isStopped(subject: CallSubject): boolean
}

export interface ProxyServices {
  readonly kernel: Kernel
  readonly kill: KillGate
  readonly link: UpstreamLink
  readonly snapshots: Snapshots
  readonly sessions: SessionTokens
  readonly recorder: CallRecorder
  readonly running: RunningCalls
  readonly guards: Guards
  /** Sessions with older upstreams for clients without one. */
  readonly pool: SessionPool
}

export function createProxy(kernel: Kernel, kill: KillGate, guards: Guards): ProxyServices {
  const link = { parts: kernel, credentials: createCredentials(kernel) }
  return {
    ...{ kernel, kill, link, guards, pool: createPool(link, kernel.clock) },
    snapshots: createSnapshots(kernel),
    sessions: createSessionTokens(kernel),
    recorder: createCallRecorder(kernel),
    running: createRunning(kernel, kill),
  }
}
