/**
 * Traffic that an experiment generates itself: model calls of its author through the tenant's offline provider, whose
 * request ids tell them apart, so that its faults reach no other call. Tested in synthetic.test.ts.
 */
import { permissionSet } from '../../../kernel/access/permissions.ts'
import { Aborter } from '../../../kernel/base/abort.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { systemCaller } from '../../../kernel/facts/facts.ts'
import type { JobContext } from '../../../kernel/module/module.ts'
import type { ExperimentRow } from '../declared/experiment-schema.ts'
import type { FaultBody } from '../declared/scenario-schema.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'

/** Request ids of the calls that an experiment generates begin so. */
export const syntheticPrefix = (experimentId: string): string => `chaos_${experimentId}_`

/** The calls go to the offline provider, whichever targets the scenario names. */
export const syntheticFaults = (faults: readonly FaultBody[]): FaultBody[] =>
  faults.filter(({ seam }) => seam === 'upstream').map(({ targets: _targets, ...fault }) => fault)

/** Name of the tenant's offline provider; null where none is enabled. */
export async function offlineProvider({ facts }: Pick<ResilienceServices, 'facts'>, tx: Tx): Promise<string | null> {
  const { data } = await facts().read(tx, 'gateway.providers', { caller: systemCaller })
  const { providers } = data as { providers: readonly { name: string; status: string; offline: boolean }[] }
  return providers.find(({ offline, status }) => offline && status === 'enabled')?.name ?? null
}

/** Calls begun at each look of a second, and calls under way at which no more begin: a fault may hold them for long. */
const callsEachLook = 5
const mostUnderWay = 25

export interface SyntheticTraffic {
  /** Begins some calls and does not wait for them. */
  look(): Promise<void>
  /** Ends the calls under way. Gives the sums. */
  stop(): Promise<{ readonly calls: number; readonly failed: number }>
}

export async function startTraffic(
  { kernel, services, tenantId, id: jobId }: JobContext<ResilienceServices>,
  { id, created_by: userId }: Pick<ExperimentRow, 'id' | 'created_by'>,
): Promise<SyntheticTraffic> {
  const provider = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) => offlineProvider(services, tx))
  const end = new Aborter()
  const underWay = new Set<Promise<void>>()
  let [calls, failed] = [0, 0]
  const call = async (): Promise<void> => {
    calls += 1
    const traceparent = `00-${kernel.random.hex(16)}-${kernel.random.hex(8)}-01`
    const request = {
      ...{ id: `${syntheticPrefix(id)}${calls}`, path: '/api/v1/resilience/chaos/experiments', ip: '127.0.0.1' },
      ...{ userAgent: 'Parapet-Chaos', traceparent, signal: end, header: () => undefined },
    }
    const content = `Synthetic call ${calls}`
    try {
      // Asked anew for each call: rights that were taken meanwhile count.
      const job = { kind: 'resilience.experiment', id: jobId }
      const actor = await kernel.auth.actAs({ tenantId, userId, ceiling: permissionSet(['gateway:write']), job })
      await services.gateway.complete(
        { actor, request },
        { ...(provider === null ? {} : { provider }), model: 'echo-1', messages: [{ role: 'user', content }] },
      )
    } catch (error) {
      failed += 1
      if (!(error instanceof ProblemError) && !end.aborted) throw error
    }
  }
  return {
    look: async () => {
      for (let i = 0; i < callsEachLook && underWay.size < mostUnderWay; i += 1) {
        const one: Promise<void> = call().catch((error: unknown) =>
          kernel.log.error({ err: error, experiment: id }, 'a synthetic call failed'),
        )
        underWay.add(one)
        void one.finally(() => underWay.delete(one))
      }
    },
    stop: async () => {
      end.abort(new Error('the experiment stopped'))
      await Promise.all(underWay)
      return { calls, failed }
    },
  }
}
