import type { Kernel } from '../../../../kernel/kernel.ts'
import { type ClientAnswers, createClientAnswers } from '../bridge/answers.ts'
import { createCarrier } from '../bridge/carrier.ts'
import { createParking, type Parking } from '../bridge/parking.ts'
import { createPool, type SessionPool } from '../bridge/pool.ts'
import type { Guards } from '../call/guards.ts'
import type { CallSubject } from '../call/subject.ts'
import { createOutputCheck, type OutputCheck } from '../inspect/output-schema.ts'
import { type CallRecorder, createCallRecorder } from '../records/recorder.ts'
import { createCredentials } from '../upstream/credential.ts'
import type { UpstreamLink } from '../upstream/exchange.ts'
import { createSessionTokens, type SessionTokens } from '../wire/session-token.ts'
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
  readonly output: OutputCheck
  /** Sessions with older upstreams for clients without one. */
  readonly pool: SessionPool
  /** Answers of clients with sessions to questions of servers without. */
  readonly answers: ClientAnswers
  /** Calls of clients without sessions that wait for an answer to an older server. */
  readonly parking: Parking
}

export function createProxy(kernel: Kernel, kill: KillGate, guards: Guards): ProxyServices {
  const link = { parts: kernel, credentials: createCredentials(kernel) }
  const carrier = createCarrier(kernel)
  const running = createRunning(kernel, kill)
  return {
    ...{ kernel, kill, link, guards, pool: createPool(link, kernel.clock) },
    output: createOutputCheck(),
    snapshots: createSnapshots(kernel),
    sessions: createSessionTokens(kernel),
    recorder: createCallRecorder(kernel),
    ...{
      running,
      answers: createClientAnswers(kernel, carrier),
      parking: createParking(kernel, carrier, running.keep),
    },
  }
}
