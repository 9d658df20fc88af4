/**
 * The rules that inject faults on this instance. Seams are armed while there are rules and are inert otherwise. Promises
 * that a rule hits nothing once its lease is over, whoever was to renew it, that nothing protected is hit, and that all
 * instances together hit at most as many operations as the experiment may: each takes its share from the database before
 * it hits any. Tested in registry.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { Aborter } from '../../../kernel/base/abort.ts'
import { type FaultHook, type SeamName, seamNames } from '../../../kernel/faults/seams.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'
import { fits } from '../../../kernel/schema/fits.ts'
import { RuleNews, rulesTopic, stopTopic } from './news.ts'
import type { Hit, LiveRules, RuleSet } from './rules.ts'
import { decide } from './rules.ts'

/** A rule lives this long after the last word of its controller. */
export const leaseMs = 5_000
const lookEveryMs = 250

export interface NotedHit extends Hit {
  readonly at: string
}

/** The registry's way to the database. */
export interface RuleLedger {
  /** Takes a share of the operations that may be hit; 0 when none are left. */
  claim(tenantId: TenantId, experimentId: string): Promise<number>
  /** Stores hits, in one transaction. */
  keep(tenantId: TenantId, experimentId: string, hits: readonly NotedHit[]): Promise<void>
  /** Notes that this instance is ready to inject. */
  armed(tenantId: TenantId, experimentId: string): Promise<void>
}

export interface RegistryParts extends Pick<Kernel, 'faults' | 'clock' | 'live' | 'log'> {
  readonly ledger: RuleLedger
}

export interface FaultRegistry extends Activity {
  /** Experiments whose rules are in force here. */
  active(): readonly string[]
  /** Stores all hits that were noted so far. */
  flush(): Promise<void>
}

interface Installed {
  readonly tenantId: TenantId
  readonly live: LiveRules
  readonly release: Aborter
  hits: NotedHit[]
  claiming: boolean
  armed: boolean
}

export function createFaultRegistry(parts: RegistryParts): FaultRegistry {
  const rules = new Rules(parts)
  const { clock, live } = parts
  let ends: (() => void)[] = []
  return {
    name: 'fault rules',
    start: async () => {
      const timer = clock.every(lookEveryMs, () => rules.look())
      ends = [
        live.on(rulesTopic, (experimentId, data, tenantId) => {
          if (fits(RuleNews, data)) rules.install({ experimentId, tenantId, ...data }, tenantId)
        }),
        live.on(stopTopic, (key, _data, tenantId) => rules.stop(key, tenantId)),
        () => timer.stop(),
      ]
    },
    stop: async () => {
      for (const end of ends) end()
      rules.stop('platform', null)
      await rules.flush()
    },
    active: () => rules.active(),
    flush: () => rules.flush(),
  }
}

class Rules {
  readonly #parts: RegistryParts
  readonly #installed = new Map<string, Installed>()
  /** Hits of rules that are gone, and those on their way to the ledger. */
  readonly #unsaved: { readonly id: string; readonly tenantId: TenantId; readonly hits: NotedHit[] }[] = []
  readonly #arming: ReturnType<typeof createArming>

  constructor(parts: RegistryParts) {
    this.#parts = parts
    this.#arming = createArming(parts, () => this.#installed.values())
  }

  active(): readonly string[] {
    return [...this.#installed.keys()]
  }

  /** Takes up a rule, or renews its lease. */
  install(rules: RuleSet, tenantId: TenantId): void {
    const { clock } = this.#parts
    const leaseUntilMs = clock.monotonic() + leaseMs
    const known = this.#installed.get(rules.experimentId)
    if (known !== undefined) {
      known.live.leaseUntilMs = leaseUntilMs
      return
    }
    const release = new Aborter()
    const hit = (found: Hit): void => void made.hits.push({ ...found, at: clock.iso() })
    const live = { ...rules, leaseUntilMs, allowance: 0, release, hit }
    const made: Installed = { tenantId, release, live, hits: [], claiming: false, armed: false }
    this.#installed.set(rules.experimentId, made)
    this.#arming.update()
    this.#claim(rules.experimentId, made)
  }

  /** @param key an experiment, `tenant` or `platform` */
  stop(key: string, tenantId: TenantId | null): void {
    for (const [id, one] of this.#installed)
      if (key === id || key === 'platform' || (key === 'tenant' && one.tenantId === tenantId)) this.#drop(id)
  }

  /** Drops rules whose lease is over, and takes further shares for the others. */
  look(): void {
    const now = this.#parts.clock.monotonic()
    for (const [id, one] of this.#installed) {
      if (now >= one.live.leaseUntilMs) this.#drop(id)
      else if (one.live.allowance < 1) this.#claim(id, one)
    }
    this.flush().catch((error: unknown) =>
      this.#parts.log.warn({ err: error }, 'injected faults could not be noted yet'),
    )
  }

  async flush(): Promise<void> {
    for (const [id, one] of this.#installed) {
      if (one.hits.length > 0) this.#unsaved.push({ id, tenantId: one.tenantId, hits: one.hits })
      one.hits = []
    }
    for (let next = this.#unsaved.shift(); next !== undefined; next = this.#unsaved.shift()) {
      try {
        await this.#parts.ledger.keep(next.tenantId, next.id, next.hits)
      } catch (error) {
        this.#unsaved.unshift(next)
        throw error
      }
    }
  }

  #drop(id: string): void {
    const one = this.#installed.get(id)
    if (one === undefined) return
    this.#installed.delete(id)
    one.release.abort(new Error('the experiment stopped'))
    if (one.hits.length > 0) this.#unsaved.push({ id, tenantId: one.tenantId, hits: one.hits })
    this.#arming.update()
  }

  #claim(id: string, one: Installed): void {
    if (one.claiming) return
    one.claiming = true
    this.#takeShare(id, one)
      .catch((error: unknown) =>
        this.#parts.log.warn({ err: error, experiment: id }, 'no share of a fault rule was taken'),
      )
      .finally(() => {
        one.claiming = false
      })
  }

  async #takeShare(id: string, one: Installed): Promise<void> {
    const { ledger } = this.#parts
    const granted = await ledger.claim(one.tenantId, id)
    one.live.allowance += granted
    if (one.armed || granted === 0) return
    one.armed = true
    await ledger.armed(one.tenantId, id)
  }
}

/** Arms the seams for which there are rules, and disarms the others. */
function createArming(
  { faults, clock, log }: Pick<RegistryParts, 'faults' | 'clock' | 'log'>,
  all: () => Iterable<Pick<Installed, 'live'>>,
) {
  const disarms = new Map<SeamName, () => void>()
  let byTenant = new Map<string, LiveRules[]>()
  const hookOf =
    (seam: SeamName): FaultHook =>
    (point) => {
      const rules = byTenant.get(point.tenantId)
      if (rules === undefined) return null
      const now = clock.monotonic()
      for (const each of rules) {
        const fault = decide(each, seam, point, now)
        if (fault !== null) return fault
      }
      return null
    }
  return {
    update: (): void => {
      const rules = [...all()].map(({ live }) => live)
      byTenant = new Map()
      for (const each of rules) byTenant.set(each.tenantId, [...(byTenant.get(each.tenantId) ?? []), each])
      for (const seam of seamNames) {
        const isWanted = rules.some((each) => each.faults.some((fault) => fault.seam === seam))
        const disarm = disarms.get(seam)
        if (!isWanted) {
          disarm?.()
          disarms.delete(seam)
        } else if (disarm === undefined) arm(seam)
      }
    },
  }

  function arm(seam: SeamName): void {
    try {
      disarms.set(seam, faults.arm(seam, hookOf(seam)))
    } catch (error) {
      log.error({ err: error, seam }, 'a fault seam is held by another')
    }
  }
}
