/**
 * Rate of threat events from observed attempts: gamma prior, Poisson events, gamma posterior with shape a + events and
 * rate b + years (conjugate update). Tested in feedback.test.ts and exploited-rate.test.ts.
 */
import { summarizeRate, updateRate } from '@parapet/quant'
import type { Tx } from '../../../kernel/db/port.ts'
import { errors } from '../errors/errors.ts'
import { attemptsSince, hourOf } from '../observation/attempts.ts'
import { citedEpss, currentEpss, priorOf } from './exploited.ts'
import type { FairModelBody } from './model-schema.ts'
import type { StoredEpss, StoredTef, TefFrom } from './tef-schema.ts'

const yearMs = 365.25 * 86_400_000

export type CitedRate = Pick<StoredTef, 'techniques' | 'prior' | 'epss' | 'observed_from'>

interface At {
  readonly nowMs: number
  /** Of the analysis. */
  readonly horizonYears: number
}

/** The citation as it is stored; attempts count from the current hour on. @throws RISK-002, RISK-005 */
export async function citedFrom(tx: Tx, from: TefFrom, { nowMs, horizonYears }: At): Promise<CitedRate> {
  const { techniques = [], prior, epss } = from
  const cited = { techniques: [...new Set(techniques)], observed_from: hourOf(nowMs) }
  if (epss !== undefined && prior === undefined)
    return { ...cited, ...withPrior(await citedEpss(tx, epss, horizonYears)) }
  if (prior === undefined || epss !== undefined)
    throw structure('Give either prior or epss: each says what is believed before anything is observed.', '/tef_from')
  if (techniques.length === 0)
    throw structure('A prior is updated by observed attempts: name techniques.', '/tef_from/techniques')
  return { ...cited, prior }
}

const withPrior = (epss: StoredEpss): Pick<CitedRate, 'prior' | 'epss'> => ({ epss, prior: priorOf(epss) })

/** The same, with the prior that the threat library gives now. */
export async function citedNow(tx: Tx, cited: CitedRate, horizonYears: number): Promise<CitedRate> {
  return cited.epss === undefined ? cited : { ...cited, ...withPrior(await currentEpss(tx, cited.epss, horizonYears)) }
}

/** The posterior as it is now. Without techniques nothing is observed, so time without events tells nothing either. */
export async function observedRate(tx: Tx, cited: CitedRate, nowMs: number): Promise<StoredTef> {
  const isWatching = cited.techniques.length > 0
  const events = await attemptsSince(tx, cited.techniques, cited.observed_from)
  const years = isWatching ? Math.max(0, nowMs - Date.parse(cited.observed_from)) / yearMs : 0
  const belief = updateRate({ shape: cited.prior.shape, rate: cited.prior.years }, { events, years })
  const { mean, interval } = summarizeRate(belief)
  return { ...cited, events, years, posterior: { ...belief, mean, interval } }
}

/** The model with the posterior as its threat event frequency. */
export function withObservedRate(model: FairModelBody, { posterior }: Pick<StoredTef, 'posterior'>): FairModelBody {
  const observed = { type: 'gamma', shape: posterior.shape, scale: 1 / posterior.rate } as const
  return { ...model, nodes: { ...model.nodes, threat_event_frequency: observed } }
}

/** @throws RISK-005 where the model gives what the observations would give */
export function refuseBoth(model: FairModelBody): void {
  if (model.nodes.threat_event_frequency === undefined) return
  const what = 'Overdetermined: threat_event_frequency is given together with tef_from.'
  throw structure(what, '/model/nodes/threat_event_frequency')
}

const structure = (what: string, pointer: string) => errors.modelStructure({ what }).at([{ detail: what, pointer }])
