import type { SimulatedCall } from './dry-run.ts'
import { type Logged, loadPage } from './sample.ts'
import { type SimulatedPair, simulateCalls } from './simulate-task.ts'
import type { Judged } from './summary.ts'
import type { Tried } from './tried.ts'

/** The pairs of some calls; null when the time was over first. */
export async function simulateChunk(
  { services, snapshot, prepared, deadlineMs }: Tried,
  calls: readonly SimulatedCall[],
): Promise<readonly SimulatedPair[] | null> {
  const { threads, clock } = services.kernel
  const leftMs = deadlineMs - clock.monotonic()
  if (leftMs <= 0) return null
  // Timers cut off fractions and may ring a moment early; the deadline has to be over when this one has rung.
  const limitMs = Math.ceil(leftMs) + 1
  const { policy, other } = prepared
  const { markingKey } = snapshot
  if (markingKey === undefined) throw new Error('The key of the tenant for marks was not loaded')
  try {
    return await threads.run(simulateCalls, { policy, other, markingKey, calls }, { limitMs })
  } catch (error) {
    if (clock.monotonic() >= deadlineMs) return null
    throw error
  }
}

export interface SampleFound {
  readonly judged: readonly Judged[]
  readonly notKept: number
  readonly truncated: boolean
}

/** Calls of the first chunk; the next ones are as many as keep a thread from others about this long. */
const firstChunk = 10
const mostInChunk = 250
const chunkMs = 400

/** Chunk by chunk, so that the calls done by the deadline count. */
export async function simulateSample(tried: Tried, ids: readonly string[]): Promise<SampleFound> {
  const { clock } = tried.services.kernel
  const roles: Roles = new Map()
  const judged: Judged[] = []
  let notKept = 0
  let size = firstChunk
  for (let at = 0; at < ids.length; ) {
    const chunk = ids.slice(at, at + size)
    at += chunk.length
    const startedMs = clock.monotonic()
    const page = await loadPage({ ...tried.services, ...tried.asked, ...tried.snapshot }, chunk)
    notKept += page.notKept
    const logged = await withRoles(tried, roles, page.logged)
    const pairs = await simulateChunk(
      tried,
      logged.map(({ call }) => call),
    )
    if (pairs === null) return { judged, notKept, truncated: true }
    judged.push(...judgedOf(pairs, logged))
    const tookMs = Math.max(1, clock.monotonic() - startedMs)
    size = Math.max(1, Math.min(mostInChunk, Math.round((chunk.length * chunkMs) / tookMs)))
  }
  return { judged, notKept, truncated: false }
}

type Roles = Map<string, readonly string[]>

/** Callers with their current roles; the log does not keep the roles at the time of the call. */
async function withRoles(
  { services, asked }: Tried,
  roles: Roles,
  logged: readonly Logged[],
): Promise<readonly Logged[]> {
  const unknown = [...new Set(logged.map(({ before }) => before.user_id))].filter((id) => !roles.has(id))
  if (unknown.length > 0)
    await services.kernel.db.tenant({ ...asked.scope, readOnly: true }, async (tx) => {
      for (const id of unknown) roles.set(id, (await services.iam.findPrincipal(tx, id))?.roles ?? [])
    })
  return logged.map((one) => {
    const own = roles.get(one.before.user_id) ?? []
    const actor = { ...one.call.actor, role: own[0] ?? '', roles: own }
    return { ...one, call: { ...one.call, actor } }
  })
}

/** Compared with the other version if one was named, else with the call's logged outcome. */
function judgedOf(pairs: readonly SimulatedPair[], logged: readonly Logged[]): readonly Judged[] {
  return pairs.map(({ id, outcome, other }, index) => {
    const decision = logged[index]?.before.decision ?? 'allowed'
    return { id, outcome, before: other ?? { decision, wouldBlock: false } }
  })
}
