import type { Actor } from '../../../kernel/access/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { newLife } from '../admission/call-life.ts'
import { noAttempts } from '../attempts/call-attempts.ts'
import { notCached } from '../cache/kept/call-cache.ts'
import type { Asked } from '../call/asked.ts'
import { noAnswer } from '../call/call-answer.ts'
import type { CallFacts } from '../call/facts.ts'
import { hopsIn } from '../call/hops.ts'
import { noTimings } from '../call/timings.ts'
import { noFindings } from '../findings/call-findings.ts'
import { noMoney } from '../money/call-money.ts'
import { emptyPlan } from '../plan/call-plan.ts'
import type { CallState, Changes } from './contract/call-parts.ts'
import { noProgress } from './progress/call-progress.ts'
import { write } from './run.ts'

interface Caller {
  readonly actor: Actor
  readonly info: RequestInfo
}

type Parts = Pick<Kernel, 'clock' | 'random'>

export function beginCall(kernel: Parts, caller: Caller, asked: Asked): CallState {
  const state: CallState = {
    facts: factsOf(kernel, caller, asked),
    life: newLife(),
    plan: emptyPlan(),
    money: noMoney(),
    findings: noFindings(),
    cached: notCached(),
    attempts: noAttempts(),
    answer: noAnswer(),
    timings: noTimings(),
    progress: noProgress(),
    write: (changes: Changes) => write(state, changes),
  }
  return state
}

function factsOf({ clock, random }: Parts, { actor, info }: Caller, asked: Asked): CallFacts {
  return {
    id: random.uuid(),
    requestId: info.id,
    traceparent: info.traceparent,
    ip: info.ip,
    userAgent: info.userAgent,
    tenantId: actor.tenantId,
    actor,
    asked: { ...asked, agentId: actor.agentId ?? null },
    hops: hopsIn(info),
    startedAt: clock.iso(),
    startedMs: clock.monotonic(),
  }
}
